// How long a command's calls took: counts by duration, to 1/128 of it, up to a second. The cells and their
// bounds are those of Redis' histograms, so that both show the same numbers. Memory comes with the durations
// that occur, a KiB for each power of two.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>

namespace lockstep {

class LatencyHistogram {
 public:
  void add(int64_t duration_us);

  uint64_t count() const { return count_; }
  // The duration below which that many of a hundred calls stayed, as the upper bound of its cell; 0 without calls.
  int64_t percentile_ns(double percent) const;
  // For LATENCY HISTOGRAM: bounds that double, and how many calls stayed within each; those that add no call
  // are left out.
  using Visit = std::function<void(int64_t bound_us, uint64_t calls)>;
  void for_each_doubling(const Visit& visit) const;

 private:
  static constexpr int kCellBits = 7;
  static constexpr size_t kCells = size_t{1} << kCellBits;
  static constexpr int64_t kMaxUs = 1'000'000;
  static constexpr int kFirstPower = 9;   // of the nanoseconds of 1 us
  static constexpr int kLastPower = 29;   // of those of kMaxUs
  using Row = std::array<uint64_t, kCells>;
  using Rows = std::array<std::unique_ptr<Row>, kLastPower - kFirstPower + 1>;  // by power of two

  static constexpr size_t kRows = std::tuple_size_v<Rows>;

  static int64_t upper_bound_ns(size_t row, size_t cell);
  const Row* row(size_t index) const { return rows_ != nullptr ? (*rows_)[index].get() : nullptr; }

  uint64_t count_ = 0;
  uint64_t below_1us_ = 0;  // shown as one nanosecond
  std::unique_ptr<Rows> rows_;
};

}  // namespace lockstep
