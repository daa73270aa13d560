// Cells and bounds of the histogram. The numbers are what redis-server shows for these durations.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "server/engine/latency_histogram.h"

namespace lockstep {
namespace {

using Bounds = std::vector<std::pair<int64_t, uint64_t>>;

LatencyHistogram histogram_of(const std::vector<int64_t>& durations_us) {
  LatencyHistogram histogram;
  for (const int64_t us : durations_us) histogram.add(us);
  return histogram;
}

Bounds bounds_of(const LatencyHistogram& histogram) {
  Bounds bounds;
  histogram.for_each_doubling([&](int64_t us, uint64_t calls) { bounds.emplace_back(us, calls); });
  return bounds;
}

TEST(LatencyHistogram, ShowsTheUpperBoundOfACell) {
  const std::pair<int64_t, int64_t> shown[] = {
      {0, 1},         {1, 1'003},     {2, 2'007},     {3, 3'007},       {4, 4'015},      {5, 5'023},
      {6, 6'015},     {10, 10'047},   {27, 27'007},   {45, 45'055},     {60, 60'159},    {133, 133'119},
  };
  for (const auto& [us, ns] : shown) EXPECT_EQ(histogram_of({us}).percentile_ns(50), ns) << us;
}

TEST(LatencyHistogram, FindsPercentiles) {
  std::vector<int64_t> durations(99, 1);
  durations.push_back(60);
  const LatencyHistogram histogram = histogram_of(durations);
  EXPECT_EQ(histogram.count(), 100u);
  EXPECT_EQ(histogram.percentile_ns(0), 1'003);
  EXPECT_EQ(histogram.percentile_ns(50), 1'003);
  EXPECT_EQ(histogram.percentile_ns(99), 1'003);
  EXPECT_EQ(histogram.percentile_ns(99.9), 60'159);
  EXPECT_EQ(histogram.percentile_ns(100), 60'159);
}

TEST(LatencyHistogram, CountsWithinBoundsThatDouble) {
  EXPECT_EQ(bounds_of(LatencyHistogram()), Bounds());
  EXPECT_EQ(bounds_of(histogram_of({0, 1})), (Bounds{{1, 2}}));
  EXPECT_EQ(bounds_of(histogram_of({1, 2, 3, 4, 5, 8, 9, 16, 33, 34})),
            (Bounds{{1, 1}, {2, 2}, {4, 4}, {8, 6}, {16, 8}, {33, 9}, {66, 10}}));
  EXPECT_EQ(bounds_of(histogram_of({133})), (Bounds{{264, 1}}));
  EXPECT_EQ(bounds_of(histogram_of({33'554, 1'000'000})), (Bounds{{33'816, 1}, {1'082'130, 2}}));
}

TEST(LatencyHistogram, TakesMoreThanASecondAsASecond) {
  const LatencyHistogram histogram = histogram_of({1'000'000, 3'600'000'000});
  EXPECT_EQ(histogram.percentile_ns(1), histogram.percentile_ns(100));
  EXPECT_EQ(histogram.count(), 2u);
}

TEST(LatencyHistogram, IsEmptyWithoutCalls) { EXPECT_EQ(LatencyHistogram().percentile_ns(50), 0); }

}  // namespace
}  // namespace lockstep
