// Payloads of DUMP: byte for byte those of redis-server 8.0.2 (RDB version 12) where it compresses nothing, and
// values come back whole whatever their size. What RESTORE refuses is in tests/scripts/restore.txt.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "server/base/bytes.h"
#include "server/base/crc64.h"
#include "server/store/dump.h"
#include "server/store/dump_strings.h"
#include "server/store/hash_value.h"
#include "server/store/list_value.h"

namespace lockstep {
namespace {

using namespace std::string_literals;

struct Destroy {
  void operator()(Entry* entry) const { Entry::destroy(entry); }
};
using OwnedEntry = std::unique_ptr<Entry, Destroy>;

OwnedEntry string_entry(std::string_view value) {
  OwnedEntry entry(Entry::make("k", value.size(), 0));
  copy_bytes(entry->value_data(), value);
  return entry;
}

OwnedEntry object_entry(ValueType type, std::unique_ptr<Object> object) {
  return OwnedEntry(Entry::make("k", type, std::move(object), 0));
}

OwnedEntry list_entry(const std::vector<std::string>& items) {
  auto list = std::make_unique<ListValue>();
  for (const std::string& item : items) list->push(ListEnd::kRight, item);
  return object_entry(ValueType::kList, std::move(list));
}

LooseValue restored(std::string_view payload) {
  LooseValue value;
  EXPECT_EQ(read_dump(payload, 1, value), DumpFault::kNone);
  return value;
}

const ListValue& list_of(const LooseValue& value) { return static_cast<const ListValue&>(*value.object); }
const HashValue& hash_of(const LooseValue& value) { return static_cast<const HashValue&>(*value.object); }

TEST(Dump, IsThatOfRedis) {
  EXPECT_EQ(dump_value(*string_entry("hello")), "\x00\x05hello\x0c\x00\xa8\x04\xeb\xb6\x9f\x1e\xbe""C"s);
  EXPECT_EQ(dump_value(*string_entry("128")), "\x00\xc1\x80\x00\x0c\x00 \x0c\x87u\xea\xe5\xd5,"s);
  EXPECT_EQ(dump_value(*list_entry({"a", "1", "bb", "70000"})),
            "\x12\x01\x02\x15\x15\x00\x00\x00\x04\x00\x81""a\x02\x01\x01\x82""bb\x03\xf2p\x11\x01\x04\xff\x0c\x00\x85p\x93\x9b^\x92""D\xa3"s);
  auto hash = std::make_unique<HashValue>(1);
  hash->set("f", "v");
  hash->set("g", "1");
  EXPECT_EQ(dump_value(*object_entry(ValueType::kHash, std::move(hash))),
            "\x10\x12\x12\x00\x00\x00\x04\x00\x81""f\x02\x81v\x02\x81g\x02\x01\x01\xff\x0c\x00\xe8\xb7\x91#\xa7\xd0vU"s);
}

TEST(Dump, StringsOfAllSizesComeBack) {
  for (const size_t size : {0u, 1u, 63u, 64u, 16383u, 16384u, 70'000u, 3'000'000u}) {
    const std::string text(size, 'x');
    const LooseValue value = restored(dump_value(*string_entry(text)));
    EXPECT_EQ(value.type, ValueType::kString);
    EXPECT_EQ(value.text, text);
  }
}

TEST(Dump, ListsOfManyNodesComeBack) {
  std::mt19937_64 random(3);
  std::vector<std::string> items;
  for (int i = 0; i < 5000; ++i)
    items.push_back(i % 3 == 0 ? std::to_string(static_cast<int64_t>(random())) : std::string(random() % 50, 'i'));
  items[17] = std::string(100'000, 'l');  // too large for a listpack
  items[18] = std::string(8192, 'm');
  items[4999] = std::string(9000, 'n');
  const LooseValue value = restored(dump_value(*list_entry(items)));
  ASSERT_EQ(value.type, ValueType::kList);
  ASSERT_EQ(list_of(value).size(), items.size());
  for (size_t i = 0; i < items.size(); ++i) ASSERT_EQ(list_of(value).at(i), items[i]);
}

TEST(Dump, HashesSmallAndLargeComeBack) {
  for (const size_t fields : {1u, 128u, 129u, 5000u}) {
    auto hash = std::make_unique<HashValue>(1);
    for (size_t i = 0; i < fields; ++i) hash->set("f" + std::to_string(i), std::to_string(i * 7));
    const LooseValue value = restored(dump_value(*object_entry(ValueType::kHash, std::move(hash))));
    ASSERT_EQ(value.type, ValueType::kHash);
    ASSERT_EQ(hash_of(value).size(), fields);
    for (size_t i = 0; i < fields; ++i) {
      const Entry* field = hash_of(value).find("f" + std::to_string(i));
      ASSERT_NE(field, nullptr);
      ASSERT_EQ(field->value(), std::to_string(i * 7));
    }
  }
}

// A payload of a version that every Redis takes, with a right checksum.
std::string sealed(std::string body) {
  body += "\x06\x00"s;
  append_little_endian(body, crc64(body), 8);
  return body;
}

TEST(Dump, NoSmallPayloadClaimsALargeString) {
  LooseValue value;
  std::string body = "\x00\xc3"s;
  append_dump_length(body, 3);
  append_dump_length(body, 500 << 20);
  EXPECT_EQ(read_dump(sealed(body + "\xe0\xff\x00"s), 1, value), DumpFault::kFormat);
  body = "\x01\x81\xff\xff\xff\xff\xff\xff\xff\xff"s;  // 2^64 - 1 elements
  EXPECT_EQ(read_dump(sealed(body), 1, value), DumpFault::kFormat);
  body = "\x00\x81\xff\xff\xff\xff\xff\xff\xff\xff"s;
  EXPECT_EQ(read_dump(sealed(body + "abc"), 1, value), DumpFault::kFormat);
}

TEST(Dump, RefersToWhatIsStillBeingWritten) {
  // "ab", then 8 bytes from 2 back.
  const LooseValue value = restored(sealed("\x00\xc3\x05\x0a\x01""ab\xc0\x01"s));
  EXPECT_EQ(value.text, "ababababab");
}

TEST(Dump, NoCutOfAPayloadIsAValue) {
  const std::string payload = dump_value(*list_entry({"a", "b", "12345"}));
  const std::string_view body = std::string_view(payload).substr(0, payload.size() - 10);
  for (size_t size = 0; size < body.size(); ++size) {
    LooseValue value;
    EXPECT_EQ(read_dump(sealed(std::string(body.substr(0, size))), 1, value), DumpFault::kFormat) << size;
  }
}

}  // namespace
}  // namespace lockstep
