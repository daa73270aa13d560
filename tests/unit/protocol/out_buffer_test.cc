// Bytes on their way out: in order, whole, and without memory once they are gone.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "protocol/out_buffer.h"

namespace lockstep {
namespace {

constexpr size_t kBlock = BlockPool::kBlockBytes;

TEST(OutBuffer, KeepsNoMemoryAtRest) {
  BlockPool pool;
  OutBuffer out(pool);
  EXPECT_EQ(out.capacity(), 0u);
  EXPECT_EQ(out.view(), "");
  out.append("hello");
  EXPECT_EQ(out.capacity(), kBlock);
  EXPECT_EQ(out.view(), "hello");
  out.consume(2);
  EXPECT_EQ(out.view(), "llo");
  out.consume(3);
  EXPECT_EQ(out.capacity(), 0u);
  out.append(std::string(3 * kBlock, 'x'));
  EXPECT_GE(out.capacity(), 3 * kBlock);
  out.clear();
  EXPECT_EQ(out.capacity(), 0u);
  EXPECT_EQ(out.size(), 0u);
}

TEST(OutBuffer, TakesEmptyAppends) {
  BlockPool pool;
  OutBuffer out(pool);
  out.append("");
  out.append({});
  EXPECT_EQ(out.size(), 0u);
  out.consume(0);
  EXPECT_EQ(out.stream_end(), 0u);
}

// A block that one buffer has given back serves the next one.
TEST(OutBuffer, SharesBlocks) {
  BlockPool pool;
  OutBuffer a(pool);
  OutBuffer b(pool);
  a.append("a");
  const char* block = a.view().data();
  a.clear();
  b.append("b");
  EXPECT_EQ(b.view().data(), block);
}

TEST(OutBuffer, CountsItsStream) {
  BlockPool pool;
  OutBuffer out(pool);
  out.append("0123456789");
  EXPECT_EQ(out.stream_begin(), 0u);
  EXPECT_EQ(out.stream_end(), 10u);
  out.consume(4);
  EXPECT_EQ(out.stream_begin(), 4u);
  EXPECT_EQ(out.stream_end(), 10u);
  out.consume(6);
  out.append("ab");
  EXPECT_EQ(out.stream_begin(), 10u);
  EXPECT_EQ(out.stream_end(), 12u);
}

TEST(OutBuffer, GivesRoomToWriteInto) {
  BlockPool pool;
  OutBuffer out(pool);
  out.append("x");
  char* room = out.reserve(2 * kBlock);
  room[0] = 'y';
  room[2 * kBlock - 1] = 'z';
  out.commit(1);
  EXPECT_EQ(out.view(), "xy");
}

// A slow reader: what is held never grows beyond twice what it needs, though megabytes pass through.
TEST(OutBuffer, ReusesItsSpace) {
  BlockPool pool;
  OutBuffer out(pool);
  const std::string piece(1000, 'p');
  out.append(piece);
  for (int i = 0; i < 10000; ++i) {
    out.append(piece);
    out.consume(piece.size());
  }
  EXPECT_EQ(out.view(), piece);
  EXPECT_LE(out.capacity(), 2 * kBlock);
}

TEST(OutBuffer, IsAQueueOfBytes) {
  BlockPool pool;
  OutBuffer out(pool);
  std::string model;
  std::mt19937 random(7);
  char next = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0) {
      std::string piece(random() % 8 == 0 ? random() % 9000 : random() % 60, '\0');
      for (char& c : piece) c = next++;
      out.append(piece);
      model += piece;
    } else if (!model.empty()) {
      const size_t taken = random() % 4 == 0 ? model.size() : random() % (model.size() + 1);
      out.consume(taken);
      model.erase(0, taken);
    }
    ASSERT_EQ(out.size(), model.size());
    if (step % 16 == 0) {
      ASSERT_EQ(out.view(), model) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace lockstep
