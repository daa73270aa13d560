// `struct`: values to packed bytes and back, by formats that name C's types. Sizes are those of x86-64.
#include <bit>
#include <climits>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "lauxlib.h"
#include "scripting/libraries/byte_buffer.h"
#include "scripting/libraries/libraries.h"
#include "scripting/libraries/stack_slots.h"
#include "scripting/lua/number_casts.h"
#include "scripting/lua/steps.h"

namespace lockstep {
namespace {

constexpr int kMaxIntegerSize = 32;
constexpr int kNativeAlignment = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter_or_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Reads a format option by option, and keeps the byte order and alignment that it has asked for.
class Format {
 public:
  explicit Format(lua_State* L) : lua_(L), at_(luaL_checkstring(L, 1)) {}

  // The next option with its size; false at the end.
  bool next() {
    if (*at_ == '\0') return false;
    count_steps(lua_, 1);
    option = *at_++;
    size = size_of_option();
    return true;
  }

  // What stands before this option when `offset` bytes are there already.
  size_t padding(size_t offset) const {
    if (size == 0 || option == 'c') return 0;
    const size_t boundary = size < alignment_ ? size : alignment_;
    return (boundary - (offset & (boundary - 1))) & (boundary - 1);
  }

  // Options that say how, and not what.
  void control() {
    switch (option) {
      case ' ':
        break;
      case '>':
        little = false;
        break;
      case '<':
        little = true;
        break;
      case '!':
        align();
        break;
      default:
        luaL_argerror(lua_, 1, lua_pushfstring(lua_, "invalid format option '%c'", option));
    }
  }

  char option = '\0';
  size_t size = 0;
  bool little = true;

 private:
  int number(int otherwise) {
    if (!is_digit(*at_)) return otherwise;
    int value = 0;
    for (; is_digit(*at_); at_++) {
      const int digit = *at_ - '0';
      if (value > INT_MAX / 10 || value * 10 > INT_MAX - digit) luaL_error(lua_, "integral size overflow");
      value = value * 10 + digit;
    }
    return value;
  }

  size_t size_of_option() {
    switch (option) {
      case 'b':
      case 'B':
      case 'x':
        return 1;
      case 'h':
      case 'H':
        return 2;
      case 'f':
        return 4;
      case 'l':
      case 'L':
      case 'T':
      case 'd':
        return 8;
      case 'c':
        return static_cast<size_t>(number(1));
      case 'i':
      case 'I': {
        const int bytes = number(4);
        if (bytes > kMaxIntegerSize) {
          luaL_error(lua_, "integral size %d is larger than limit of %d", bytes, kMaxIntegerSize);
        }
        return static_cast<size_t>(bytes);
      }
      default:
        return 0;
    }
  }

  void align() {
    const int boundary = number(kNativeAlignment);
    if (boundary == 0 || (boundary & (boundary - 1)) != 0) {
      luaL_error(lua_, "alignment %d is not a power of 2", boundary);
    }
    alignment_ = static_cast<size_t>(boundary);
  }

  lua_State* lua_;
  const char* at_;
  size_t alignment_ = 1;
};

// Integers of more than eight bytes are those of eight with zeros in front.
void add_integer(ByteBuffer& out, uint64_t value, const Format& format) {
  char* const to = out.room(format.size);
  for (size_t i = 0; i < format.size; i++, value = value >> 8) {
    to[format.little ? i : format.size - 1 - i] = static_cast<char>(value);
  }
  out.wrote(format.size);
}

uint64_t read_integer(const char* from, const Format& format) {
  uint64_t value = 0;
  for (size_t i = 0; i < format.size; i++) {
    value = value << 8 | static_cast<unsigned char>(from[format.little ? format.size - 1 - i : i]);
  }
  return value;
}

int64_t extend_sign(uint64_t value, size_t size) {
  if (size == 0 || size >= sizeof(value)) return static_cast<int64_t>(value);
  const size_t unused_bits = (sizeof(value) - size) * CHAR_BIT;
  return static_cast<int64_t>(value << unused_bits) >> unused_bits;
}

// Negative numbers as they are in two's complement; fractions are cut off.
uint64_t integer_argument(lua_State* L, int index) {
  const double number = luaL_checknumber(L, index);
  return number >= 0 ? truncate_to_uint64(number) : static_cast<uint64_t>(truncate_to_int64(number));
}

// Writes one option's value, if it takes one, and tells how many arguments that were.
int pack_option(lua_State* L, ByteBuffer& out, Format& format, int index) {
  switch (format.option) {
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'l':
    case 'L':
    case 'T':
    case 'i':
    case 'I':
      add_integer(out, integer_argument(L, index), format);
      return 1;
    case 'f':
      add_integer(out, std::bit_cast<uint32_t>(static_cast<float>(luaL_checknumber(L, index))), format);
      return 1;
    case 'd':
      add_integer(out, std::bit_cast<uint64_t>(luaL_checknumber(L, index)), format);
      return 1;
    case 'c':
    case 's': {
      size_t length = 0;
      const char* bytes = luaL_checklstring(L, index, &length);
      const size_t size = format.size == 0 ? length : format.size;  // c0 and s: all of it
      luaL_argcheck(L, length >= size, index + 1, "string too short");
      out.add(bytes, size);
      if (format.option == 's') out.add('\0');
      return 1;
    }
    case 'x':
      out.add('\0');
      return 0;
    default:
      format.control();
      return 0;
  }
}

int struct_pack(lua_State* L) {
  Format format(L);
  lua_pushnil(L);  // what a missing argument is
  ByteBuffer out(L);
  for (int index = 2; format.next();) {
    out.add_zeros(format.padding(out.size()));
    index += pack_option(L, out, format, index);
  }
  out.push();
  return 1;
}

// struct.unpack: the bytes, and how far they have been read.
struct Unpacking {
  lua_State* lua;
  std::string_view bytes;
  size_t at;
  int count = 0;  // values pushed

  void require(size_t size) const {
    luaL_argcheck(lua, size <= bytes.size() && at <= bytes.size() - size, 2, "data string too short");
  }
  void push(double number) {
    lua_pushnumber(lua, number);
    count++;
  }
  void push(std::string_view text) {
    lua_pushlstring(lua, text.data(), text.size());
    count++;
  }
  // The length that stands before a string.
  size_t take_length() {
    if (count == 0 || !lua_isnumber(lua, -1)) luaL_error(lua, "format 'c0' needs a previous size");
    const auto length = static_cast<size_t>(truncate_to_uint64(lua_tonumber(lua, -1)));
    lua_pop(lua, 1);
    count--;
    return length;
  }
};

// Pushes one option's value, if it has one, and tells how many bytes that were.
size_t unpack_option(Unpacking& from, Format& format) {
  const char* const bytes = from.bytes.data() + from.at;
  switch (format.option) {
    case 'b':
    case 'h':
    case 'l':
    case 'i':
      from.push(static_cast<double>(extend_sign(read_integer(bytes, format), format.size)));
      break;
    case 'B':
    case 'H':
    case 'L':
    case 'T':
    case 'I':
      from.push(static_cast<double>(read_integer(bytes, format)));
      break;
    case 'f':
      from.push(std::bit_cast<float>(static_cast<uint32_t>(read_integer(bytes, format))));
      break;
    case 'd':
      from.push(std::bit_cast<double>(read_integer(bytes, format)));
      break;
    case 'c': {
      const size_t length = format.size == 0 ? from.take_length() : format.size;
      from.require(length);
      from.push(from.bytes.substr(from.at, length));
      return length;
    }
    case 's': {
      const size_t end = from.bytes.find('\0', from.at);
      if (end == std::string_view::npos) luaL_error(from.lua, "unfinished string in data");
      from.push(from.bytes.substr(from.at, end - from.at));
      return end - from.at + 1;
    }
    case 'x':
      break;
    default:
      format.control();
  }
  return format.size;
}

int struct_unpack(lua_State* L) {
  Format format(L);
  size_t size = 0;
  const char* bytes = luaL_checklstring(L, 2, &size);
  const auto start = static_cast<size_t>(luaL_optinteger(L, 3, 1));
  luaL_argcheck(L, start > 0, 3, "offset must be 1 or greater");
  Unpacking from{L, {bytes, size}, start - 1};
  lua_settop(L, 2);
  while (format.next()) {
    from.at += format.padding(from.at);
    from.require(format.size);
    require_slots(L, 2, "too many results");
    from.at += unpack_option(from, format);
  }
  lua_pushnumber(L, static_cast<double>(static_cast<int64_t>(from.at + 1)));
  return from.count + 1;
}

int struct_size(lua_State* L) {
  Format format(L);
  size_t total = 0;
  while (format.next()) {
    total += format.padding(total);
    if (format.option == 's') luaL_argerror(L, 1, "option 's' has no fixed size");
    if (format.option == 'c' && format.size == 0) luaL_argerror(L, 1, "option 'c0' has no fixed size");
    if (!is_letter_or_digit(format.option)) format.control();
    total += format.size;
  }
  lua_pushnumber(L, static_cast<double>(total));
  return 1;
}

}  // namespace

void add_struct_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"pack", struct_pack}, {"size", struct_size}, {"unpack", struct_unpack}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace lockstep
