// How a line falls into words: what redis-server made of each of a table of inline commands.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "protocol/inline_split.h"

namespace lockstep {
namespace {

using namespace std::string_view_literals;

struct InlineCase {
  std::string_view line;
  bool balanced;
  std::vector<std::string_view> words;
};

const InlineCase kCases[] = {
#include "tests/unit/protocol/inline_cases.inc"
};

TEST(InlineSplit, AsRedisSplits) {
  for (const InlineCase& c : kCases) {
    std::vector<std::string> words;
    EXPECT_EQ(split_inline(c.line, words), c.balanced) << '<' << c.line << '>';
    if (c.balanced) {
      EXPECT_EQ(std::vector<std::string_view>(words.begin(), words.end()), c.words) << '<' << c.line << '>';
    }
  }
}

// Not to be had from a server: its inline commands end at the first line feed.
TEST(InlineSplit, TakesALineFeedForABlankOutsideQuotes) {
  std::vector<std::string> words;
  ASSERT_TRUE(split_inline("a\nb \"c\nd\"", words));
  EXPECT_EQ(words, (std::vector<std::string>{"a", "b", "c\nd"}));
}

TEST(InlineSplit, EndsWhereACStringEnds) {
  std::vector<std::string> words;
  ASSERT_TRUE(split_inline("a b\0 c\""sv, words));
  EXPECT_EQ(words, (std::vector<std::string>{"a", "b"}));
}

TEST(InlineSplit, OverwritesWhatWasThere) {
  std::vector<std::string> words = {"old", "words"};
  ASSERT_TRUE(split_inline("", words));
  EXPECT_TRUE(words.empty());
}

}  // namespace
}  // namespace lockstep
