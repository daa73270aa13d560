// SHA-1 by OpenSSL's low-level calls: EVP would load providers and cost milliseconds at
// start, before anybody asked for TLS.
#pragma once

#include <array>
#include <string_view>

namespace lockstep {

// 40 lower-case hexadecimal digits.
struct Sha1Hex : std::array<char, 40> {
  std::string_view view() const { return {data(), size()}; }
};

Sha1Hex sha1_hex(std::string_view bytes);

// In a time that does not tell where they differ.
bool equal_secrets(std::string_view a, std::string_view b);

}  // namespace lockstep
