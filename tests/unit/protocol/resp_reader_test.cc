// Requests out of bytes. The texts of errors and what counts as one are redis-server 7.0.15's, asked over
// a socket with these very bytes.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/protocol/reader_feed.h"

namespace lockstep {
namespace {

using namespace std::string_view_literals;
using Requests = std::vector<std::vector<std::string>>;

std::string array_of(const std::vector<std::string>& words) {
  std::string bytes = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) bytes += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  return bytes;
}

TEST(RespReader, ReadsArraysOfBulks) {
  EXPECT_EQ(parse("*1\r\n$4\r\nPING\r\n").requests, (Requests{{"PING"}}));
  EXPECT_EQ(parse(array_of({"SET", "k", ""})).requests, (Requests{{"SET", "k", ""}}));
  const std::string binary("\0\r\n\xff$*", 6);
  EXPECT_EQ(parse(array_of({"ECHO", binary})).requests, (Requests{{"ECHO", binary}}));
  EXPECT_EQ(parse(array_of({"A"}) + array_of({"B", "b"}) + "C\r\n").requests, (Requests{{"A"}, {"B", "b"}, {"C"}}));
}

TEST(RespReader, ReadsInlineCommands) {
  EXPECT_EQ(parse("PING\r\n").requests, (Requests{{"PING"}}));
  EXPECT_EQ(parse("PING\n").requests, (Requests{{"PING"}}));
  EXPECT_EQ(parse("SET k \"a b\"\r\nGET 'k'\r\n").requests, (Requests{{"SET", "k", "a b"}, {"GET", "k"}}));
  EXPECT_EQ(parse("PING\r\r\n").requests, (Requests{{"PING"}}));
  EXPECT_EQ(parse("\rPING\r\n").requests, (Requests{{"PING"}}));
  EXPECT_EQ(parse("SET \"\\x00\\n\" ''\r\n").requests, (Requests{{"SET", std::string("\0\n", 2), ""}}));
}

TEST(RespReader, SkipsEmptyRequests) {
  for (const std::string_view empty : {"\r\n"sv, "\n"sv, "   \r\n"sv, "*0\r\n"sv, "*-1\r\n"sv, "*-5\r\n"sv}) {
    const std::string twice = std::string(empty) + std::string(empty);
    EXPECT_EQ(parse(twice + "*1\r\n$4\r\nPING\r\n").requests, (Requests{{"PING"}})) << empty;
    EXPECT_EQ(parse(twice + "PING\r\n").requests, (Requests{{"PING"}})) << empty;
    EXPECT_EQ(parse(twice), Parsed{}) << empty;
  }
}

TEST(RespReader, WaitsForTheRest) {
  for (const std::string_view part : {"*"sv, "*1"sv, "*1\r"sv, "*1\r\n"sv, "*1\r\n$4\r\nPING"sv, "*1\r\n$4\r\nPING\r"sv,
                                      "PING"sv, "PING\r"sv, "*1\n$4\nPING\n"sv, "*2147483647\r\n"sv,
                                      "*1\r\n$536870912\r\n"sv, "*1\r\nx"sv}) {
    const Parsed parsed = parse(part);
    EXPECT_TRUE(parsed.requests.empty() && parsed.error.empty()) << part;
    EXPECT_EQ(parsed.left, part.size());
  }
}

// Of CR LF, only the CR is looked for; and nothing at all is looked at behind a bulk.
TEST(RespReader, TrustsWhereLinesEnd) {
  EXPECT_EQ(parse("*1\rX$4\rXPINGXX").requests, (Requests{{"PING"}}));
  EXPECT_EQ(parse("*1\r\n$4\r\nPINGab*1\r\n$4\r\nPONG\r\n").requests, (Requests{{"PING"}, {"PONG"}}));
}

TEST(RespReader, SaysWhatIsWrong) {
  const std::string ones(65536, '1');
  const struct {
    std::string bytes;
    std::string_view error;
  } cases[] = {
      {"*x\r\nPING\r\n", "invalid multibulk length"},
      {"*\r\n", "invalid multibulk length"},
      {"*01\r\n", "invalid multibulk length"},
      {"*+1\r\n", "invalid multibulk length"},
      {"* 1\r\n", "invalid multibulk length"},
      {"*2147483648\r\n", "invalid multibulk length"},
      {"*99999999999999999999\r\n", "invalid multibulk length"},
      {"*1\r\n:4\r\n", "expected '$', got ':'"},
      {"*1\r\n%\r\n", "expected '$', got '%'"},
      {"*1\r\n\xff\r\n", "expected '$', got '\xff'"},
      {"*1\r\n\x01\r\n", "expected '$', got '\x01'"},
      {"*1\r\n\r\n", "expected '$', got '\r'"},  // shown as a blank by the writer, as by Redis
      {"*2\r\n$1\r\na\r\n*1\r\n", "expected '$', got '*'"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$x\r\n", "invalid bulk length"},
      {"*1\r\n$\r\n", "invalid bulk length"},
      {"*1\r\n$04\r\nPING\r\n", "invalid bulk length"},
      {"*1\r\n$536870913\r\n", "invalid bulk length"},
      {"PING \"a\r\n", "unbalanced quotes in request"},
      {"PING 'a\r\n", "unbalanced quotes in request"},
      {"PING \"a\"b\r\n", "unbalanced quotes in request"},
      {std::string(65537, 'a'), "too big inline request"},
      {"*" + ones, "too big mbulk count string"},
      {"*1\r\n$" + ones, "too big bulk count string"},
      {"*1\r\nx" + ones, "too big bulk count string"},
  };
  for (const auto& c : cases) {
    const Parsed parsed = parse(c.bytes);
    EXPECT_EQ(parsed.error, "ERR Protocol error: " + std::string(c.error)) << c.bytes.substr(0, 40);
    EXPECT_TRUE(parsed.requests.empty());
  }
}

TEST(RespReader, AnswersWhatCameBeforeAnError) {
  const Parsed parsed = parse("PING\r\nPING\r\n*x\r\nPING\r\n");
  EXPECT_EQ(parsed.requests, (Requests{{"PING"}, {"PING"}}));
  EXPECT_EQ(parsed.error, "ERR Protocol error: invalid multibulk length");
}

TEST(RespReader, AllowsLinesUpToTheLimit) {
  EXPECT_EQ(parse(std::string(65536, 'a')).error, "");
  EXPECT_EQ(parse("*" + std::string(65535, '1')).error, "");
  EXPECT_EQ(parse("*1\r\n$" + std::string(65535, '1')).error, "");
  EXPECT_EQ(parse(std::string(65536, 'a') + "\n").requests, (Requests{{std::string(65536, 'a')}}));
}

// Whoever has not authenticated may send ten arguments of 16 kB.
TEST(RespReader, BoundsThoseWithoutPassword) {
  RequestLimits limits;
  limits.unauthenticated = true;
  EXPECT_EQ(parse("*10\r\n", limits).error, "");
  EXPECT_EQ(parse("*11\r\n", limits).error, "ERR Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(parse("*2147483648\r\n", limits).error, "ERR Protocol error: invalid multibulk length");
  EXPECT_EQ(parse("*1\r\n$16384\r\n", limits).error, "");
  EXPECT_EQ(parse("*1\r\n$16385\r\n", limits).error, "ERR Protocol error: unauthenticated bulk length");
  EXPECT_EQ(parse("*1\r\n$536870913\r\n", limits).error, "ERR Protocol error: invalid bulk length");
  // Inline commands are bounded by their line alone.
  EXPECT_EQ(parse("a a a a a a a a a a a a\r\n", limits).requests.size(), 1u);
}

TEST(RespReader, KeepsToTheLimitsGiven) {
  RequestLimits limits;
  limits.max_bulk_bytes = 10;
  limits.max_arguments = 2;
  limits.max_line_bytes = 20;
  EXPECT_EQ(parse("*2\r\n$10\r\n0123456789\r\n$0\r\n\r\n", limits).requests.size(), 1u);
  EXPECT_EQ(parse("*3\r\n", limits).error, "ERR Protocol error: invalid multibulk length");
  EXPECT_EQ(parse("*1\r\n$11\r\n", limits).error, "ERR Protocol error: invalid bulk length");
  EXPECT_EQ(parse(std::string(21, 'a'), limits).error, "ERR Protocol error: too big inline request");
  EXPECT_EQ(parse(std::string(20, 'a') + "\n", limits).requests.size(), 1u);
}

TEST(RespReader, TakesALargeCountAtItsWord) {
  std::string bytes = "*20000\r\n";
  for (int i = 0; i < 20000; ++i) bytes += "$1\r\nx\r\n";
  ReaderFeed feed;
  feed.feed(bytes + "PING\r\n");
  const Parsed parsed = feed.result();
  ASSERT_EQ(parsed.requests.size(), 2u);
  EXPECT_EQ(parsed.requests[0].size(), 20000u);
  EXPECT_EQ(parsed.requests[1], (std::vector<std::string>{"PING"}));
  feed.reader().shrink();
  EXPECT_LE(feed.reader().args().capacity(), 64u);
}

// A count alone takes no memory: nothing is reserved for arguments that may never come.
TEST(RespReader, ReservesNothingForACount) {
  ReaderFeed feed;
  feed.feed("*2147483647\r\n$1\r\na\r\n");
  EXPECT_LE(feed.reader().args().capacity(), 64u);
}

}  // namespace
}  // namespace lockstep
