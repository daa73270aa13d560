// Replies as bytes, in both protocols (https://redis.io/docs/latest/develop/reference/protocol-spec/).
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "protocol/resp_writer.h"

namespace lockstep {
namespace {

using namespace std::string_view_literals;

std::string written(Protocol protocol, const std::function<void(ReplySink&)>& write) {
  BlockPool pool;
  OutBuffer out(pool);
  RespWriter writer(out, protocol);
  write(writer);
  return std::string(out.view());
}

// What both protocols make of it.
void expect(const std::function<void(ReplySink&)>& write, std::string_view resp2, std::string_view resp3) {
  EXPECT_EQ(written(Protocol::kResp2, write), resp2);
  EXPECT_EQ(written(Protocol::kResp3, write), resp3);
}

void expect_both(const std::function<void(ReplySink&)>& write, std::string_view bytes) {
  expect(write, bytes, bytes);
}

TEST(RespWriter, WhatIsTheSameInBoth) {
  expect_both([](ReplySink& r) { r.ok(); }, "+OK\r\n");
  expect_both([](ReplySink& r) { r.status("PONG"); }, "+PONG\r\n");
  expect_both([](ReplySink& r) { r.error("ERR no"); }, "-ERR no\r\n");
  expect_both([](ReplySink& r) { r.integer(0); }, ":0\r\n");
  expect_both([](ReplySink& r) { r.integer(INT64_MIN); }, ":-9223372036854775808\r\n");
  expect_both([](ReplySink& r) { r.integer(INT64_MAX); }, ":9223372036854775807\r\n");
  expect_both([](ReplySink& r) { r.bulk("ab"); }, "$2\r\nab\r\n");
  expect_both([](ReplySink& r) { r.bulk(""); }, "$0\r\n\r\n");
  expect_both([](ReplySink& r) { r.bulk({}); }, "$0\r\n\r\n");
  expect_both([](ReplySink& r) { r.bulk("\0\r\n\xff"sv); }, "$4\r\n\0\r\n\xff\r\n"sv);
  expect_both([](ReplySink& r) { r.array(0); }, "*0\r\n");
  expect_both([](ReplySink& r) { r.array(12); }, "*12\r\n");
}

TEST(RespWriter, WhatOnlyResp3Knows) {
  expect([](ReplySink& r) { r.null(); }, "$-1\r\n", "_\r\n");
  expect([](ReplySink& r) { r.null_array(); }, "*-1\r\n", "_\r\n");
  expect([](ReplySink& r) { r.boolean(true); }, ":1\r\n", "#t\r\n");
  expect([](ReplySink& r) { r.boolean(false); }, ":0\r\n", "#f\r\n");
  expect([](ReplySink& r) { r.number(1.5); }, "$3\r\n1.5\r\n", ",1.5\r\n");
  expect([](ReplySink& r) { r.number(-HUGE_VAL); }, "$4\r\n-inf\r\n", ",-inf\r\n");
  expect([](ReplySink& r) { r.big_number("123456789012345678901234567890"); },
         "$30\r\n123456789012345678901234567890\r\n", "(123456789012345678901234567890\r\n");
  expect([](ReplySink& r) { r.verbatim("txt", "a\r\nb"); }, "$4\r\na\r\nb\r\n", "=8\r\ntxt:a\r\nb\r\n");
  expect([](ReplySink& r) { r.map(2); }, "*4\r\n", "%2\r\n");
  expect([](ReplySink& r) { r.map(0); }, "*0\r\n", "%0\r\n");
  expect([](ReplySink& r) { r.set(3); }, "*3\r\n", "~3\r\n");
  expect([](ReplySink& r) { r.push(2); }, "*2\r\n", ">2\r\n");
}

// A line that held its own end would let one client write another's replies.
TEST(RespWriter, KeepsLinesWhole) {
  expect_both([](ReplySink& r) { r.error("ERR a\r\nb\nc"); }, "-ERR a  b c\r\n");
  expect_both([](ReplySink& r) { r.status("a\r\n+OK"); }, "+a  +OK\r\n");
}

TEST(RespWriter, ChangesProtocolInTheMiddle) {
  BlockPool pool;
  OutBuffer out(pool);
  Protocol protocol = Protocol::kResp2;
  RespWriter writer(out, protocol);
  writer.null();
  protocol = Protocol::kResp3;
  writer.null();
  EXPECT_EQ(out.view(), "$-1\r\n_\r\n");
}

TEST(RespWriter, WritesLargeBulks) {
  const std::string value(1 << 20, 'v');
  EXPECT_EQ(written(Protocol::kResp2, [&](ReplySink& r) {
    r.bulk(value);
    r.ok();
  }), "$1048576\r\n" + value + "\r\n+OK\r\n");
}

}  // namespace
}  // namespace lockstep
