// replies_length at every cut of valid and invalid input. Run by ctest.
#include "bench/load/reply_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace lockstep::bench {
namespace {

void expect_complete(std::string_view replies, std::size_t count) {
  for (std::size_t cut = 0; cut < replies.size(); ++cut) {
    EXPECT_EQ(replies_length(replies.substr(0, cut), count), kIncomplete) << replies << " cut at " << cut;
  }
  EXPECT_EQ(replies_length(replies, count), replies.size()) << replies;
  EXPECT_EQ(replies_length(std::string(replies) + "+NEXT", count), replies.size()) << replies;
}

TEST(ReplyScan, FindsTheEndOfEachKindAtEveryCut) {
  expect_complete("+OK\r\n", 1);
  expect_complete("-ERR no\r\n", 1);
  expect_complete(":-12\r\n", 1);
  expect_complete("$-1\r\n", 1);
  expect_complete("$0\r\n\r\n", 1);
  expect_complete("$7\r\na\r\nb\r\n:\r\n", 1);
  expect_complete("*-1\r\n", 1);
  expect_complete("*0\r\n", 1);
}

TEST(ReplyScan, CountsAnArrayAsOneReply) {
  expect_complete("*3\r\n:1\r\n*2\r\n$1\r\nx\r\n+y\r\n$-1\r\n", 1);
  expect_complete("*1\r\n*0\r\n+OK\r\n", 2);
}

TEST(ReplyScan, TakesAsManyRepliesAsAsked) {
  expect_complete("+OK\r\n:1\r\n", 2);
  EXPECT_EQ(replies_length("+OK\r\n:1\r\n", 1), 5u);
}

TEST(ReplyScan, RefusesWhatIsNotResp) {
  for (const std::string_view input : {"HTTP/1.1 400\r\n", "$x\r\n", "$-2\r\n", "$\r\n", "$1\r\nxyz", "*9999999\r\n",
                                       "$99999999999999999999\r\n", "+OK\r\n?"}) {
    EXPECT_EQ(replies_length(input, 2), kMalformed) << input;
  }
}

}  // namespace
}  // namespace lockstep::bench
