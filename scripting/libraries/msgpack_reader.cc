// A loop with its own stack of open arrays and maps, since input nests as deep as it likes. Nothing is taken at
// its word: an array that claims four billion elements is read as far as there are some.
#include "scripting/libraries/msgpack_reader.h"

#include <msgpuck.h>

#include <algorithm>
#include <vector>

#include "scripting/libraries/stack_slots.h"
#include "scripting/lua/steps.h"

namespace lockstep {
namespace {

class MsgpackReader {
 public:
  MsgpackReader(lua_State* L, std::string_view input)
      : lua_(L), at_(input.data()), end_(input.data() + input.size()) {}

  void read() {
    while (!read_head() || !store()) {
    }
  }
  const char* at() const { return at_; }

 private:
  // An array or map whose elements are still to come. On the Lua stack is its table, and above it the key under
  // which the next value goes: the index, or what the map has for a key.
  struct Open {
    bool is_map;
    bool has_key;
    uint32_t missing;
    uint32_t stored = 0;
  };

  // msgpuck says how many bytes a head lacks.
  template <typename Check>
  void require(Check check) {
    if (check(at_, end_) > 0) fail_short();
  }
  [[noreturn]] void fail_short() { fail("Missing bytes in input."); }
  [[noreturn]] void fail(const char* text) {
    luaL_error(lua_, "%s", text);
    __builtin_unreachable();
  }

  bool read_head();
  void push_string();
  bool open(bool is_map, uint32_t count);
  bool store();
  void push_index(Open& array);

  lua_State* lua_;
  const char* at_;
  const char* const end_;
  std::vector<Open> open_;
};

void MsgpackReader::push_string() {
  require(mp_check_strl);
  const uint32_t size = mp_decode_strl(&at_);
  if (size > static_cast<size_t>(end_ - at_)) fail_short();
  lua_pushlstring(lua_, at_, size);
  at_ += size;
}

void MsgpackReader::push_index(Open& array) {
  lua_pushnumber(lua_, ++array.stored);
  array.has_key = true;
}

// True when it is complete, since it is empty.
bool MsgpackReader::open(bool is_map, uint32_t count) {
  constexpr uint32_t kPreallocated = 64;
  const auto hint = static_cast<int>(std::min(count, kPreallocated));
  if (!is_map) require_slots(lua_, 2, "in function mp_decode_to_lua_array");
  lua_createtable(lua_, is_map ? 0 : hint, is_map ? hint : 0);
  if (count == 0) return true;
  open_.push_back({is_map, false, count});
  if (!is_map) push_index(open_.back());
  return false;
}

// Pushes the value that comes next. False when it is an array or map with elements, which follow.
bool MsgpackReader::read_head() {
  count_steps(lua_, 1);
  require_slots(lua_, 1, "too many return values at once; use unpack_one or unpack_limit instead.");
  if (at_ == end_) fail_short();
  switch (mp_typeof(*at_)) {
    case MP_NIL:
      mp_decode_nil(&at_);
      lua_pushnil(lua_);
      break;
    case MP_BOOL:
      lua_pushboolean(lua_, mp_decode_bool(&at_));
      break;
    case MP_UINT:  // beyond 63 bits: negative, as in Redis
      require(mp_check_uint);
      lua_pushnumber(lua_, static_cast<double>(static_cast<int64_t>(mp_decode_uint(&at_))));
      break;
    case MP_INT:
      require(mp_check_int);
      lua_pushnumber(lua_, static_cast<double>(mp_decode_int(&at_)));
      break;
    case MP_FLOAT:
      require(mp_check_float);
      lua_pushnumber(lua_, mp_decode_float(&at_));
      break;
    case MP_DOUBLE:
      require(mp_check_double);
      lua_pushnumber(lua_, mp_decode_double(&at_));
      break;
    case MP_STR:
      push_string();
      break;
    case MP_ARRAY:
      require(mp_check_array);
      return open(false, mp_decode_array(&at_));
    case MP_MAP:
      require(mp_check_map);
      return open(true, mp_decode_map(&at_));
    default:
      fail("Bad data format in input.");
  }
  return true;
}

// The value on top is complete: puts it where it belongs, and with it all that it completes. False while
// something is still to come.
bool MsgpackReader::store() {
  while (!open_.empty()) {
    Open& open = open_.back();
    if (!open.has_key) {
      open.has_key = true;
      return false;
    }
    lua_rawset(lua_, -3);
    open.has_key = false;
    if (--open.missing > 0) {
      if (!open.is_map) push_index(open);
      return false;
    }
    open_.pop_back();
  }
  return true;
}

}  // namespace

void read_msgpack(lua_State* L, std::string_view& input) {
  MsgpackReader reader(L, input);
  reader.read();
  input.remove_prefix(static_cast<size_t>(reader.at() - input.data()));
}

}  // namespace lockstep
