// How the slow log cuts and drops.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/engine/slow_log.h"

namespace lockstep {
namespace {

using Texts = std::vector<std::string>;

TEST(SlowLog, KeepsTheNewest) {
  SlowLog log;
  for (int i = 0; i < 5; ++i) log.add({}, 3);
  ASSERT_EQ(log.entries().size(), 3u);
  EXPECT_EQ(log.entries().front().id, 4);
  EXPECT_EQ(log.entries().back().id, 2);
  log.add({}, 1);
  EXPECT_EQ(log.entries().size(), 1u);
  log.clear();
  log.add({}, 1);
  EXPECT_EQ(log.entries().front().id, 6);
}

TEST(SlowLog, CutsArguments) {
  const std::string fits(128, 'x');
  const std::string longer(129, 'x');
  const std::vector<std::string_view> args = {"SET", fits, longer};
  EXPECT_EQ(SlowLog::shortened(args), (Texts{"SET", fits, fits + "... (1 more bytes)"}));
}

TEST(SlowLog, CutsTheirNumber) {
  std::vector<std::string_view> args(32, "a");
  EXPECT_EQ(SlowLog::shortened(args), Texts(32, "a"));
  args.push_back("a");
  Texts cut(31, "a");
  cut.push_back("... (2 more arguments)");
  EXPECT_EQ(SlowLog::shortened(args), cut);
}

}  // namespace
}  // namespace lockstep
