// Whole histories from a seed: the answers depend neither on how TCP cut the bytes nor on anything but
// the seed. A failure prints the seed and the shortest history that still shows it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/sim/history.h"

namespace lockstep::sim {
namespace {

constexpr int kClients = 4;
constexpr size_t kSteps = 60;

// LOCKSTEP_SIM_SEEDS: how many histories to try; LOCKSTEP_SIM_SEED: which one alone.
std::pair<uint64_t, uint64_t> seeds() {
  if (const char* one = std::getenv("LOCKSTEP_SIM_SEED")) {
    const uint64_t seed = std::strtoull(one, nullptr, 10);
    return {seed, seed + 1};
  }
  const char* count = std::getenv("LOCKSTEP_SIM_SEEDS");
  return {1, 1 + (count != nullptr ? std::strtoull(count, nullptr, 10) : 300)};
}

TEST(Simulation, AnswersDoNotDependOnHowTheBytesAreCut) {
  const auto [first, last] = seeds();
  for (uint64_t seed = first; seed < last; ++seed) {
    const History history = random_history(seed, kClients, kSteps);
    for (const size_t chunk : {1, 3, 17}) {
      const auto differs = [&](const History& tried) { return run(tried, seed, 0) != run(tried, seed, chunk); };
      if (!differs(history)) continue;
      const History shortest = shrink(history, differs);
      FAIL() << "seed " << seed << ", chunks of " << chunk << ":\n" << to_text(shortest);
    }
  }
}

TEST(Simulation, EqualSeedsGiveEqualBytes) {
  const auto [first, last] = seeds();
  for (uint64_t seed = first; seed < last; seed += 10) {
    const History history = random_history(seed, kClients, kSteps);
    ASSERT_TRUE(run(history, seed, 0) == run(history, seed, 0)) << "seed " << seed;
  }
}

TEST(Simulation, HistoriesOfOneSeedAreEqual) {
  EXPECT_EQ(to_text(random_history(7, kClients, kSteps)), to_text(random_history(7, kClients, kSteps)));
  EXPECT_NE(to_text(random_history(7, kClients, kSteps)), to_text(random_history(8, kClients, kSteps)));
}

TEST(Simulation, ShrinkingKeepsWhatFails) {
  const History history = random_history(3, kClients, kSteps);
  const auto has_advance = [](const History& tried) {
    return std::any_of(tried.begin(), tried.end(), [](const Step& s) { return s.kind == Step::Kind::kAdvance; });
  };
  EXPECT_EQ(shrink(history, has_advance).size(), 1u);
}

}  // namespace
}  // namespace lockstep::sim
