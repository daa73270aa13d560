// `bit`: operations on 32 bits, which are what is left of a number's low bits. Results are signed.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

#include "lauxlib.h"
#include "scripting/libraries/libraries.h"

namespace lockstep {
namespace {

// Rounds to the even neighbour and wraps around: added to this, a double of up to 51 bits has them in its low
// end, negative ones in two's complement. What is no number in that range becomes what the sum holds there.
uint32_t bits_argument(lua_State* L, int index) {
  constexpr double kAligning = 6755399441055744.0;  // 2^52 + 2^51
  return static_cast<uint32_t>(std::bit_cast<uint64_t>(luaL_checknumber(L, index) + kAligning));
}

int push_bits(lua_State* L, uint32_t bits) {
  lua_pushnumber(L, static_cast<int32_t>(bits));
  return 1;
}

int bit_tobit(lua_State* L) { return push_bits(L, bits_argument(L, 1)); }
int bit_bnot(lua_State* L) { return push_bits(L, ~bits_argument(L, 1)); }

int bit_bswap(lua_State* L) {
  const uint32_t bits = bits_argument(L, 1);
  return push_bits(L, bits >> 24 | (bits >> 8 & 0xff00) | (bits << 8 & 0xff0000) | bits << 24);
}

uint32_t both(uint32_t a, uint32_t b) { return a & b; }
uint32_t either(uint32_t a, uint32_t b) { return a | b; }
uint32_t one_of(uint32_t a, uint32_t b) { return a ^ b; }

template <uint32_t (*kJoin)(uint32_t, uint32_t)>
int join_all(lua_State* L) {
  uint32_t bits = bits_argument(L, 1);
  for (int i = lua_gettop(L); i > 1; i--) bits = kJoin(bits, bits_argument(L, i));
  return push_bits(L, bits);
}

uint32_t shift_left(uint32_t bits, int count) { return bits << count; }
uint32_t shift_right(uint32_t bits, int count) { return bits >> count; }
uint32_t shift_signed(uint32_t bits, int count) { return static_cast<uint32_t>(static_cast<int32_t>(bits) >> count); }
uint32_t roll_left(uint32_t bits, int count) { return std::rotl(bits, count); }
uint32_t roll_right(uint32_t bits, int count) { return std::rotr(bits, count); }

// Only the low five bits of the count matter.
template <uint32_t (*kMove)(uint32_t, int)>
int move(lua_State* L) {
  const uint32_t bits = bits_argument(L, 1);
  return push_bits(L, kMove(bits, static_cast<int>(bits_argument(L, 2) & 31)));
}

// The last so many of eight digits; a negative count asks for capitals.
int bit_tohex(lua_State* L) {
  constexpr int64_t kDigits = 8;
  uint32_t bits = bits_argument(L, 1);
  const int64_t asked = lua_isnone(L, 2) ? kDigits : static_cast<int32_t>(bits_argument(L, 2));
  const char* const alphabet = asked < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  const auto count = static_cast<size_t>(std::min(asked < 0 ? -asked : asked, kDigits));
  char text[kDigits];
  for (size_t i = count; i-- > 0; bits >>= 4) text[i] = alphabet[bits & 15];
  lua_pushlstring(L, text, count);
  return 1;
}

}  // namespace

void add_bit_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"arshift", move<shift_signed>}, {"band", join_all<both>},   {"bnot", bit_bnot},
      {"bor", join_all<either>},       {"bswap", bit_bswap},       {"bxor", join_all<one_of>},
      {"lshift", move<shift_left>},    {"rol", move<roll_left>},   {"ror", move<roll_right>},
      {"rshift", move<shift_right>},   {"tobit", bit_tobit},       {"tohex", bit_tohex},
      {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace lockstep
