// The digest of a string by which DIGEST, SET and DELEX compare: XXH3 with 64 bits, as hexadecimal digits.
// Unseeded, since clients compute it too.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lockstep {

class ValueDigest {
 public:
  static constexpr size_t kDigits = 16;

  explicit ValueDigest(std::string_view value);

  std::string_view text() const { return {digits_.data(), digits_.size()}; }

 private:
  std::array<char, kDigits> digits_;
};

}  // namespace lockstep
