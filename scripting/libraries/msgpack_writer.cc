// The shortest form of each value is msgpuck's work; which form a Lua value has is decided here, as in Redis.
#include "scripting/libraries/msgpack_writer.h"

#include <msgpuck.h>

#include <cstdint>

#include "lauxlib.h"
#include "scripting/lua/steps.h"

namespace lockstep {
namespace {

constexpr int kDeepest = 16;
constexpr size_t kLongestHead = 9;  // of any value, without a string's bytes

class MsgpackWriter {
 public:
  MsgpackWriter(lua_State* L, ByteBuffer& out) : lua_(L), out_(out) {}

  void write_top(int depth);

 private:
  // `encode` writes where it is told and answers where it has stopped.
  template <typename Encode>
  void head(Encode encode) {
    char* const start = out_.room(kLongestHead);
    out_.wrote(static_cast<size_t>(encode(start) - start));
  }

  void write_number(double number);
  void write_string();
  void write_table(int depth);
  bool top_is_array(uint32_t& count);

  lua_State* lua_;
  ByteBuffer& out_;
};

// Whole numbers as integers while they fit in 64 bits with a sign, others in the 32 bits of a float if that
// loses nothing.
void MsgpackWriter::write_number(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (number >= -kLimit && number < kLimit && static_cast<double>(static_cast<int64_t>(number)) == number) {
    const auto integer = static_cast<int64_t>(number);
    if (integer < 0) return head([&](char* to) { return mp_encode_int(to, integer); });
    return head([&](char* to) { return mp_encode_uint(to, static_cast<uint64_t>(integer)); });
  }
  const auto single = static_cast<float>(number);
  if (static_cast<double>(single) == number) return head([&](char* to) { return mp_encode_float(to, single); });
  head([&](char* to) { return mp_encode_double(to, number); });
}

void MsgpackWriter::write_string() {
  size_t size = 0;
  const char* bytes = lua_tolstring(lua_, -1, &size);
  head([&](char* to) { return mp_encode_strl(to, static_cast<uint32_t>(size)); });
  out_.add(bytes, size);
}

// Whether the keys of the table on top are 1 to `count`. Otherwise `count` is the number of its keys.
bool MsgpackWriter::top_is_array(uint32_t& count) {
  bool is_array = true;
  double largest = 0;
  count = 0;
  for (lua_pushnil(lua_); lua_next(lua_, -2); lua_pop(lua_, 1)) {
    count++;
    count_steps(lua_, 1);
    if (!is_array) continue;
    const double key = lua_type(lua_, -2) == LUA_TNUMBER ? lua_tonumber(lua_, -2) : 0;
    is_array = key >= 1 && key <= UINT32_MAX && static_cast<double>(static_cast<uint32_t>(key)) == key;
    if (key > largest) largest = key;
  }
  return is_array && largest == count;
}

void MsgpackWriter::write_table(int depth) {
  uint32_t count = 0;
  if (top_is_array(count)) {
    head([&](char* to) { return mp_encode_array(to, count); });
    for (lua_Integer i = 1; i <= count; i++) {
      lua_rawgeti(lua_, -1, i);
      write_top(depth + 1);
    }
    return;
  }
  head([&](char* to) { return mp_encode_map(to, count); });
  for (lua_pushnil(lua_); lua_next(lua_, -2);) {
    lua_pushvalue(lua_, -2);
    write_top(depth + 1);
    write_top(depth + 1);
  }
}

// Writes the value on top of the stack and removes it.
void MsgpackWriter::write_top(int depth) {
  count_steps(lua_, 1);
  luaL_checkstack(lua_, 4, nullptr);
  switch (lua_type(lua_, -1)) {
    case LUA_TSTRING:
      write_string();
      break;
    case LUA_TNUMBER:
      write_number(lua_tonumber(lua_, -1));
      break;
    case LUA_TBOOLEAN:
      head([&](char* to) { return mp_encode_bool(to, lua_toboolean(lua_, -1) != 0); });
      break;
    case LUA_TTABLE:
      if (depth < kDeepest) {
        write_table(depth);
        break;
      }
      [[fallthrough]];
    default:
      head([](char* to) { return mp_encode_nil(to); });
  }
  lua_pop(lua_, 1);
}

}  // namespace

void write_msgpack(lua_State* L, int index, ByteBuffer& out) {
  lua_pushvalue(L, index);
  MsgpackWriter(L, out).write_top(0);
}

}  // namespace lockstep
