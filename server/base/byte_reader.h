// Numbers and bytes from the front of a text that nobody can be trusted to have made: what would lie
// behind its end latches failed(), and zeros and empty views come from then on. So a decoder asks once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lockstep {

class ByteReader {
 public:
  explicit ByteReader(std::string_view input) : rest_(input), size_(input.size()) {}

  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    rest_ = {};
  }
  bool at_end() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }
  size_t position() const { return size_ - rest_.size(); }

  std::string_view bytes(size_t count) {
    if (count > rest_.size()) {
      fail();
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  uint8_t byte() { return static_cast<uint8_t>(little_endian(1)); }
  // Numbers of up to 8 bytes.
  uint64_t little_endian(size_t width) {
    uint64_t value = 0;
    const std::string_view digits = bytes(width);
    for (size_t i = digits.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(digits[i]);
    return value;
  }
  uint64_t big_endian(size_t width) {
    uint64_t value = 0;
    for (const char digit : bytes(width)) value = value << 8 | static_cast<uint8_t>(digit);
    return value;
  }
  // Two's complement, least significant byte first.
  int64_t integer(size_t width) {
    const size_t spare_bits = 64 - width * 8;
    return static_cast<int64_t>(little_endian(width) << spare_bits) >> spare_bits;
  }

 private:
  std::string_view rest_;
  size_t size_;
  bool failed_ = false;
};

// The other way: appends a number of `width` bytes.
template <typename String>
void append_little_endian(String& to, uint64_t value, size_t width) {
  for (size_t i = 0; i < width; ++i, value >>= 8) to.push_back(static_cast<char>(value & 0xff));
}

template <typename String>
void append_big_endian(String& to, uint64_t value, size_t width) {
  for (size_t i = width; i-- > 0;) to.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

}  // namespace lockstep
