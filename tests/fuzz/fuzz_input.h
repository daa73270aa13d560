// How fuzz targets read their input: numbers first, bytes as the rest, nothing when there is no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep::tests {

class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  bool empty() const { return rest_.empty(); }
  // 0 at the end.
  uint8_t byte() {
    if (rest_.empty()) return 0;
    const uint8_t value = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  // Up to `size` bytes.
  std::string_view bytes(size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view rest() { return bytes(rest_.size()); }

 private:
  std::string_view rest_;
};

}  // namespace lockstep::tests
