// Scanning while keys come and go: what is there all the time is seen, and every scan ends.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include "tests/unit/store/index_fixture.h"

namespace lockstep {
namespace {

std::string stable_key(uint64_t number) { return "stable:" + std::to_string(number); }
std::string passing_key(uint64_t number) { return "passing:" + std::to_string(number); }

class Scan {
 public:
  explicit Scan(const KeyIndex& index) : index_(index) {}

  // False at the end.
  bool step(size_t count) {
    cursor_ = index_.scan(cursor_, count, [this](Entry& entry) { ++seen_[std::string(entry.key())]; });
    EXPECT_LT(cursor_, uint64_t{1} << 53);
    ++steps_;
    return cursor_ != 0;
  }
  size_t steps() const { return steps_; }
  const std::map<std::string, int>& seen() const { return seen_; }

 private:
  const KeyIndex& index_;
  uint64_t cursor_ = 0;
  size_t steps_ = 0;
  std::map<std::string, int> seen_;
};

// Nothing changes: each key exactly once, in about as many steps as keys by count.
TEST(KeyIndexScan, SeesEveryKeyOnceWhileNothingChanges) {
  for (const uint64_t keys : {0, 1, 2, 3, 5, 6, 7, 8, 20, 100, 819, 820, 1000, 5000, 30'000}) {
    for (const size_t count : {1u, 3u, 10u, 1000u}) {
      for (uint64_t seed = 1; seed <= 4; ++seed) {
        IndexFixture fixture(seed);
        for (uint64_t i = 0; i < keys; ++i) fixture.insert(stable_key(i));
        Scan scan(fixture.index());
        while (scan.step(count)) ASSERT_LE(scan.steps(), keys * 2 + 1000);
        ASSERT_EQ(scan.seen().size(), keys) << "count " << count << " seed " << seed;
        for (const auto& [key, times] : scan.seen()) ASSERT_EQ(times, 1) << key << " of " << keys;
        if (keys >= 5000) break;
      }
    }
  }
}

TEST(KeyIndexScan, GivesAboutAsManyAsAskedFor) {
  IndexFixture fixture;
  for (uint64_t i = 0; i < 50'000; ++i) fixture.insert(stable_key(i));
  uint64_t cursor = 0;
  for (int step = 0; step < 100; ++step) {
    size_t seen = 0;
    cursor = fixture.index().scan(cursor, 10, [&](Entry&) { ++seen; });
    ASSERT_LE(seen, 200u);  // what stands in one run is not torn apart
  }
}

TEST(KeyIndexScan, GivesAllWhenAskedForAll) {
  IndexFixture fixture;
  for (uint64_t i = 0; i < 3000; ++i) fixture.insert(stable_key(i));
  for (const size_t count : {size_t{3000} * 5, SIZE_MAX / 10, SIZE_MAX}) {
    size_t seen = 0;
    EXPECT_EQ(fixture.index().scan(0, count, [&](Entry&) { ++seen; }), 0u);
    EXPECT_EQ(seen, 3000u);
  }
}

TEST(KeyIndexScan, TakesCursorsThatItNeverGave) {
  IndexFixture fixture;
  for (uint64_t i = 0; i < 5000; ++i) fixture.insert(stable_key(i));
  std::mt19937_64 random(9);
  for (int i = 0; i < 2000; ++i) {
    uint64_t cursor = random() >> random() % 64;
    for (int step = 0; step < 3; ++step) {
      cursor = fixture.index().scan(cursor, 5, [](Entry&) {});
      ASSERT_LT(cursor, uint64_t{1} << 53);
    }
  }
  for (const uint64_t cursor : {uint64_t{1}, (uint64_t{1} << 53) - 1, uint64_t{1} << 53, UINT64_MAX})
    fixture.index().scan(cursor, 10, [](Entry&) {});
}

struct Churn {
  uint64_t seed;
  uint64_t stable;
  uint64_t passing_at_most;
  size_t count;
  uint64_t changes_a_step;
};

void scan_with_churn(const Churn& churn) {
  SCOPED_TRACE("seed " + std::to_string(churn.seed));
  std::mt19937_64 random(churn.seed);
  IndexFixture fixture(churn.seed);
  for (uint64_t i = 0; i < churn.stable; ++i) fixture.insert(stable_key(i));
  // Each scan meets the index growing to its largest and shrinking to the stable keys, at other places.
  uint64_t passing = 0;
  bool growing = true;
  for (int round = 0; round < 6; ++round) {
    Scan scan(fixture.index());
    bool more = true;
    while (more) {
      more = scan.step(churn.count);
      // Each step passes a place at least, and there are at most eight places a key.
      ASSERT_LE(scan.steps(), 8 * (churn.stable + churn.passing_at_most) + 1000) << "the scan does not end";
      for (uint64_t change = random() % (churn.changes_a_step + 1); change > 0; --change) {
        if (growing) {
          fixture.insert(passing_key(passing++));
        } else if (passing > 0) {
          fixture.erase(passing_key(--passing));
        }
        if (passing >= churn.passing_at_most) growing = false;
        if (passing == 0) growing = true;
      }
    }
    for (uint64_t i = 0; i < churn.stable; ++i) ASSERT_TRUE(scan.seen().contains(stable_key(i))) << i;
  }
}

TEST(KeyIndexScan, SeesWhatIsThereAllTheTime) {
  scan_with_churn({1, 5, 10, 1, 4});
  scan_with_churn({2, 50, 3000, 1, 752});
  scan_with_churn({3, 300, 20'000, 5, 40});
  scan_with_churn({4, 3000, 20'000, 10, 60});
  scan_with_churn({5, 3000, 100, 10, 5});
  scan_with_churn({6, 1, 50'000, 100, 800});
}

}  // namespace
}  // namespace lockstep
