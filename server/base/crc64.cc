#include "server/base/crc64.h"

#include <array>

namespace lockstep {
namespace {

constexpr uint64_t kReflectedPolynomial = 0x95ac'9329'ac4b'c9b5;

constexpr std::array<uint64_t, 256> make_table() {
  std::array<uint64_t, 256> table{};
  for (uint64_t byte = 0; byte < table.size(); ++byte) {
    uint64_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ kReflectedPolynomial : crc >> 1;
    table[byte] = crc;
  }
  return table;
}

constexpr std::array<uint64_t, 256> kTable = make_table();

}  // namespace

uint64_t crc64(std::string_view bytes) {
  uint64_t crc = 0;
  for (const char c : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ crc >> 8;
  return crc;
}

}  // namespace lockstep
