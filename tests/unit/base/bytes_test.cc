// The CRC-64 of payloads, by its published check value, and numbers read from bytes.
#include <gtest/gtest.h>

#include <string>

#include "server/base/byte_reader.h"
#include "server/base/crc64.h"

namespace lockstep {
namespace {

TEST(Crc64, IsTheOneOfJones) {
  EXPECT_EQ(crc64("123456789"), 0xe9c6'd914'c4b8'd9cau);
  EXPECT_EQ(crc64(""), 0u);
  EXPECT_NE(crc64("a"), crc64(std::string_view("a\0", 2)));
}

TEST(ByteReader, ReadsNumbersOfEveryWidthAndSign) {
  ByteReader in(std::string_view("\x01\x02\xff\xfe\x80\x00\x00", 7));
  EXPECT_EQ(in.little_endian(2), 0x0201u);
  EXPECT_EQ(in.big_endian(2), 0xfffeu);
  EXPECT_EQ(in.position(), 4u);
  EXPECT_EQ(in.integer(1), -128);
  EXPECT_EQ(in.bytes(2), std::string_view("\0\0", 2));
  EXPECT_TRUE(in.at_end());
  EXPECT_FALSE(in.failed());
  ByteReader whole("\xff\xff\xff\xff\xff\xff\xff\x7f");
  EXPECT_EQ(whole.integer(8), INT64_MAX);
  ByteReader three(std::string_view("\x00\x00\x80", 3));
  EXPECT_EQ(three.integer(3), -(1 << 23));
}

TEST(ByteReader, FailsForGoodBehindTheEnd) {
  ByteReader in("abc");
  EXPECT_EQ(in.bytes(4), "");
  EXPECT_TRUE(in.failed());
  EXPECT_EQ(in.bytes(1), "");
  EXPECT_EQ(in.byte(), 0);
  EXPECT_TRUE(in.at_end());
}

TEST(ByteReader, AppendsWhatItReads) {
  std::string text;
  append_little_endian(text, 0x0102'0304, 4);
  append_big_endian(text, 0x0102'0304, 4);
  append_little_endian(text, static_cast<uint64_t>(-2), 3);
  ByteReader in(text);
  EXPECT_EQ(in.little_endian(4), 0x0102'0304u);
  EXPECT_EQ(in.big_endian(4), 0x0102'0304u);
  EXPECT_EQ(in.integer(3), -2);
}

}  // namespace
}  // namespace lockstep
