#include "server/engine/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lockstep {

void LatencyHistogram::add(int64_t duration_us) {
  ++count_;
  if (duration_us <= 0) {
    ++below_1us_;
    return;
  }
  const auto ns = static_cast<uint64_t>(std::min(duration_us, kMaxUs)) * 1000;
  const int power = static_cast<int>(std::bit_width(ns)) - 1;
  if (rows_ == nullptr) rows_ = std::make_unique<Rows>();
  std::unique_ptr<Row>& at = (*rows_)[static_cast<size_t>(power - kFirstPower)];
  if (at == nullptr) at = std::make_unique<Row>();
  ++(*at)[(ns >> (power - kCellBits)) & (kCells - 1)];
}

int64_t LatencyHistogram::upper_bound_ns(size_t row, size_t cell) {
  const int shift = kFirstPower + static_cast<int>(row) - kCellBits;
  return (static_cast<int64_t>(kCells + cell + 1) << shift) - 1;
}

int64_t LatencyHistogram::percentile_ns(double percent) const {
  if (count_ == 0) return 0;
  const double rank = std::min(percent, 100.0) / 100 * static_cast<double>(count_) + 0.5;
  const uint64_t wanted = std::max(static_cast<uint64_t>(rank), uint64_t{1});
  uint64_t seen = below_1us_;
  if (seen >= wanted) return 1;
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t cell = 0; row(i) != nullptr && cell < kCells; ++cell) {
      seen += (*row(i))[cell];
      if (seen >= wanted) return upper_bound_ns(i, cell);
    }
  }
  return upper_bound_ns(kRows - 1, kCells - 1);
}

// The bounds are the first cells of 1024 ns and its doublings.
void LatencyHistogram::for_each_doubling(const Visit& visit) const {
  const auto first_cell = [&](size_t i) { return row(i) != nullptr ? row(i)->front() : 0; };
  const auto other_cells = [&](size_t i) {
    return row(i) != nullptr ? std::accumulate(row(i)->begin() + 1, row(i)->end(), uint64_t{0}) : 0;
  };
  uint64_t seen = below_1us_ + first_cell(0);
  uint64_t told = 0;
  for (size_t i = 1; i <= kRows && told < count_; ++i) {
    seen += other_cells(i - 1) + (i < kRows ? first_cell(i) : 0);
    if (seen > told) visit(upper_bound_ns(i, 0) / 1000, seen);
    told = seen;
  }
}

}  // namespace lockstep
