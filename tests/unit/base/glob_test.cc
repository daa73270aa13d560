// Patterns: what redis-server's KEYS says about a table of them, and that none of them can take long.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/glob.h"

namespace lockstep {
namespace {

using namespace std::string_view_literals;

struct Row {
  std::string_view pattern;
  std::vector<std::string_view> matches;
};

constexpr auto kEveryText = "every text"sv;
const Row kCases[] = {
#include "tests/unit/base/glob_cases.inc"
};

TEST(Glob, MatchesWhatRedisMatches) {
  const auto& texts = std::prev(std::end(kCases))->matches;
  for (const Row& c : kCases) {
    if (c.pattern == kEveryText) continue;
    for (const std::string_view text : texts) {
      const bool found = std::find(c.matches.begin(), c.matches.end(), text) != c.matches.end();
      // The cases were asked of KEYS, for which "*" is every key without matching. Nothing but the empty
      // pattern matches the empty text.
      const bool expected = found && !(c.pattern == "*" && text.empty());
      EXPECT_EQ(glob_match(c.pattern, text), expected) << "pattern \"" << c.pattern << "\" text \"" << text << '"';
    }
  }
}

TEST(Glob, IgnoresCaseWhenAsked) {
  EXPECT_TRUE(glob_match("MAX*", "maxclients", GlobCase::kInsensitive));
  EXPECT_TRUE(glob_match("max*", "MAXCLIENTS", GlobCase::kInsensitive));
  EXPECT_TRUE(glob_match("[A-C]?", "bx", GlobCase::kInsensitive));
  EXPECT_TRUE(glob_match("[a-c]?", "BX", GlobCase::kInsensitive));
  EXPECT_FALSE(glob_match("[^a-c]?", "BX", GlobCase::kInsensitive));
  EXPECT_TRUE(glob_match("\\A", "a", GlobCase::kInsensitive));
  EXPECT_FALSE(glob_match("MAX*", "maxclients"));
  // Letters only: '@' and '`' are 32 apart as well.
  EXPECT_FALSE(glob_match("@", "`", GlobCase::kInsensitive));
}

// Backtracking into every star would take 2^40 steps and more here; the bound is pattern times text.
TEST(Glob, TakesBoundedTimeWhateverThePattern) {
  std::string stars;
  for (int i = 0; i < 40; ++i) stars += "a*";
  const std::string text(2000, 'a');
  std::string sets;
  for (int i = 0; i < 40; ++i) sets += "*[a-z]";
  EXPECT_FALSE(glob_match(stars + "b", text));
  EXPECT_FALSE(glob_match(sets + "b", text));
  EXPECT_FALSE(glob_match(std::string(5000, '*') + "b", text));
  EXPECT_TRUE(glob_match(std::string(5000, '*'), text));
  EXPECT_FALSE(glob_match(std::string(3000, '?'), text));
  EXPECT_TRUE(glob_match(std::string(2000, '?'), text));
  EXPECT_FALSE(glob_match("*" + std::string(1000, 'a') + "b", text));
}

}  // namespace
}  // namespace lockstep
