// The same bytes, however they are cut, are the same requests and the same error.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/protocol/reader_feed.h"

namespace lockstep {
namespace {

using namespace std::string_view_literals;

const std::string_view kStreams[] = {
    "*1\r\n$4\r\nPING\r\n"sv,
    "*3\r\n$3\r\nSET\r\n$5\r\nlock1\r\n$0\r\n\r\n*2\r\n$3\r\nGET\r\n$5\r\nlock1\r\n"sv,
    "*2\r\n$4\r\nECHO\r\n$10\r\n\r\n*1\r\n$4\r\n\0\r\n"sv,
    "*0\r\n*-1\r\n\r\n*1\r\n$4\r\nPING\r\n\n"sv,
    "PING\r\nSET k \"a b\"\nGET 'k'\r\n\r\n  \r\nECHO \"\\x41\\n\"\r\n"sv,
    "PING\r\n*1\r\n$4\r\nPING\r\nPING\r\n"sv,
    "*12\r\n$1\r\na\r\n$1\r\nb\r\n$2\r\ncc\r\n$0\r\n\r\n$1\r\ne\r\n$1\r\nf\r\n$1\r\ng\r\n$1\r\nh\r\n$1\r\ni\r\n$1\r\nj\r\n"
    "$1\r\nk\r\n$1\r\nl\r\n"sv,
    "*1\r\n$4\r\nPINGab*1\rX$4\rXPINGXX"sv,
    "PING\r\n*x\r\nPING\r\n"sv,
    "PING\r\n*1\r\n:1\r\nPING\r\n"sv,
    "*2\r\n$1\r\na\r\n$-1\r\n"sv,
    "*2\r\n$1\r\na\r\n\r\n"sv,
    "PING\r\nPING \"a\r\nPING\r\n"sv,
    "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$20\r\nnot yet all of"sv,
    "*1\r"sv,
    "half a line"sv,
};

TEST(RespReaderCut, InTwoPiecesAnywhere) {
  for (const std::string_view stream : kStreams) {
    const Parsed whole = parse(stream);
    for (size_t at = 0; at <= stream.size(); ++at) {
      ReaderFeed feed;
      if (feed.feed(stream.substr(0, at))) feed.feed(stream.substr(at));
      EXPECT_EQ(feed.result(), whole) << stream << " cut at " << at;
    }
  }
}

TEST(RespReaderCut, InThreePiecesAnywhere) {
  for (const std::string_view stream : kStreams) {
    const Parsed whole = parse(stream);
    for (size_t i = 0; i <= stream.size(); ++i) {
      for (size_t j = i; j <= stream.size(); ++j) {
        ReaderFeed feed;
        if (feed.feed(stream.substr(0, i)) && feed.feed(stream.substr(i, j - i))) feed.feed(stream.substr(j));
        ASSERT_EQ(feed.result(), whole) << stream << " cut at " << i << " and " << j;
      }
    }
  }
}

TEST(RespReaderCut, InPiecesOfOneSize) {
  for (const std::string_view stream : kStreams)
    for (const size_t size : {1, 2, 3, 5, 17}) EXPECT_EQ(parse_in_pieces(stream, size), parse(stream)) << stream;
}

// Whether a line is too long must not depend on whether its end came with its beginning.
TEST(RespReaderCut, LongLines) {
  RequestLimits limits;
  limits.max_line_bytes = 32;
  for (size_t length = 25; length < 40; ++length) {
    const std::string letters(length, 'a');
    const std::string digits(length, '1');
    for (const std::string& stream :
         {letters + "\r\nPING\r\n", letters + "\nPING\r\n", "*" + digits + "\r\n", "*1\r\n$" + digits + "\r\n",
          "*1\r\n" + letters + "\r\n", "*" + letters + "\rX", "PING\r\n" + letters + "\r\nPING\r\n"}) {
      const Parsed whole = parse(stream, limits);
      for (const size_t size : {1, 2, 7, 31}) ASSERT_EQ(parse_in_pieces(stream, size, limits), whole) << stream;
    }
  }
}

// Arguments that had come already are where the caller's bytes are now, not where they were.
TEST(RespReaderCut, FollowsItsInputElsewhere) {
  RespReader reader;
  std::string first = "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nva";
  ASSERT_EQ(reader.next(first, {}), RespReader::Status::kNeedMore);
  EXPECT_EQ(reader.consumed(), 0u);
  const std::string whole = first + "lue\r\n";
  std::fill(first.begin(), first.end(), '!');
  ASSERT_EQ(reader.next(whole, {}), RespReader::Status::kRequest);
  EXPECT_EQ(reader.args(), (std::vector<std::string_view>{"SET", "key", "value"}));
  EXPECT_EQ(reader.args()[1].data(), whole.data() + 17);
  EXPECT_EQ(reader.consumed(), whole.size());
}

}  // namespace
}  // namespace lockstep
