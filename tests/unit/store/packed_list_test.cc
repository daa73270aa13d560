// Listpacks are read back as written, at every boundary of their encodings; damage of any one byte or any
// cut never reads outside the list (the sanitizers watch) and a cut is never taken for a list.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "server/store/packed_list.h"

namespace lockstep {
namespace {

using Strings = std::vector<std::string>;

bool read(bool (*walk)(std::string_view, const PackedVisit&), std::string_view bytes, Strings& elements) {
  elements.clear();
  return walk(bytes, [&](std::string_view element) {
    elements.emplace_back(element);
    return true;
  });
}

std::string pack(const Strings& elements) {
  ListpackWriter writer;
  for (const std::string& element : elements) writer.add(element);
  const size_t announced = writer.size();
  std::string bytes = writer.take();
  EXPECT_EQ(bytes.size(), announced);
  return bytes;
}

Strings boundaries() {
  Strings elements = {"", "0", "00", "-0", "+1", "9223372036854775807", "9223372036854775808", "-9223372036854775808"};
  for (const int bits : {7, 12, 13, 15, 16, 23, 24, 31, 32, 62}) {
    for (const int64_t off : {-1, 0, 1}) {
      elements.push_back(std::to_string((int64_t{1} << bits) + off));
      elements.push_back(std::to_string(-(int64_t{1} << bits) + off));
    }
  }
  for (const size_t size : {63u, 64u, 124u, 125u, 126u, 127u, 128u, 4095u, 4096u, 16376u, 16377u, 16378u, 16383u, 16384u})
    elements.push_back(std::string(size, 'x'));
  return elements;
}

TEST(Listpack, IsReadBackAsWritten) {
  const Strings elements = boundaries();
  Strings again;
  for (const std::string& element : elements) {
    ASSERT_TRUE(read(walk_listpack, pack({element}), again)) << element.size();
    ASSERT_EQ(again, Strings{element});
  }
  ASSERT_TRUE(read(walk_listpack, pack(elements), again));
  EXPECT_EQ(again, elements);
}

TEST(Listpack, CountsWhatDoesNotFitItsField) {
  const Strings elements(70'000, "1");
  Strings again;
  ASSERT_TRUE(read(walk_listpack, pack(elements), again));
  EXPECT_EQ(again.size(), elements.size());
}

TEST(Listpack, WriterStartsAnew) {
  ListpackWriter writer;
  EXPECT_TRUE(writer.empty());
  writer.add("a");
  EXPECT_FALSE(writer.empty());
  EXPECT_EQ(writer.take(), pack({"a"}));
  EXPECT_TRUE(writer.empty());
  EXPECT_EQ(writer.take(), pack({}));
}

TEST(Listpack, StopsWhenToldTo) {
  EXPECT_FALSE(walk_listpack(pack({"a"}), [](std::string_view) { return false; }));
}

// As redis-server 7.0.15 reads them.
const std::string kZiplist("\x10\0\0\0\x0d\0\0\0\2\0\0\1a\3\xf4\xff", 16);
const std::string kZipmap("\2\1f\1\0v\1g\2\1wxZ\xff", 14);

struct Format {
  bool (*walk)(std::string_view, const PackedVisit&);
  std::string bytes;
  Strings elements;
};

std::vector<Format> formats() {
  return {{walk_listpack, pack({"a", "1", "4095", std::string(200, 'x')}), {"a", "1", "4095", std::string(200, 'x')}},
          {walk_ziplist, kZiplist, {"a", "3"}},
          {walk_zipmap, kZipmap, {"f", "v", "g", "wx"}}};
}

TEST(PackedLists, AreRead) {
  for (const Format& format : formats()) {
    Strings elements;
    EXPECT_TRUE(read(format.walk, format.bytes, elements));
    EXPECT_EQ(elements, format.elements);
  }
}

TEST(PackedLists, RefuseEveryCutAndWhateverFollows) {
  for (const Format& format : formats()) {
    Strings elements;
    for (size_t size = 0; size < format.bytes.size(); ++size) {
      const std::string cut = format.bytes.substr(0, size);  // of its own memory, so that a read behind it shows
      EXPECT_FALSE(read(format.walk, cut, elements)) << size;
    }
    EXPECT_FALSE(read(format.walk, format.bytes + "x", elements));
  }
}

TEST(PackedLists, SurviveDamage) {
  std::mt19937_64 random(7);
  for (const Format& format : formats()) {
    for (int round = 0; round < 20'000; ++round) {
      std::string bytes = format.bytes;
      for (uint64_t changes = 1 + random() % 3; changes > 0; --changes)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      Strings elements;
      if (!read(format.walk, bytes, elements)) continue;
      size_t total = 0;
      for (const std::string& element : elements) total += element.size();
      ASSERT_LE(total, bytes.size() * 20);  // a byte may stand for a number
    }
  }
}

}  // namespace
}  // namespace lockstep
