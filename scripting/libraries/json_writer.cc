// A loop with its own stack of open tables: scripts may set the depth to what they like. By hand and not by a
// JSON library, since what is written must be what Redis writes: 14 digits, `\/` and `\u007f` escaped, bytes that
// are no UTF-8 as they are.
#include "scripting/libraries/json_writer.h"

#include <array>
#include <climits>
#include <cmath>
#include <cstdio>
#include <vector>

#include "scripting/libraries/byte_buffer.h"
#include "scripting/libraries/stack_slots.h"
#include "scripting/lua/steps.h"

namespace lockstep {
namespace {

constexpr size_t kBytesPerStep = 16;

// What stands behind the backslash; 'u' for a code of four digits, 0 for what is written as it is.
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> escapes{};
  for (int c = 0; c < 32; c++) escapes[c] = 'u';
  escapes[127] = 'u';
  escapes['\b'] = 'b';
  escapes['\f'] = 'f';
  escapes['\n'] = 'n';
  escapes['\r'] = 'r';
  escapes['\t'] = 't';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  escapes['/'] = '/';
  return escapes;
}();

class JsonWriter {
 public:
  JsonWriter(lua_State* L, const JsonOptions& options) : lua_(L), options_(options), out_(L) {}

  void write() {
    write_top();
    while (!open_.empty()) step();
    out_.push();
  }

 private:
  // A table that is being written. It is on the Lua stack; a map's key before lies above it.
  struct Open {
    int count;  // of elements; 0: a map
    int next = 1;
  };

  void write_top();
  void write_number(double number);
  void write_string(std::string_view text);
  void write_key();
  void open_table();
  int array_length();
  void step();
  void next_pair(Open& map);
  [[noreturn]] void refuse(int index, const char* why) {
    luaL_error(lua_, "Cannot serialise %s: %s", luaL_typename(lua_, index), why);
    __builtin_unreachable();
  }

  std::string_view text(int index) {
    size_t size = 0;
    const char* bytes = lua_tolstring(lua_, index, &size);
    return {bytes, size};
  }

  lua_State* lua_;
  const JsonOptions& options_;
  ByteBuffer out_;
  std::vector<Open> open_;
};

// Writes the value on top and removes it, or opens it and leaves it there.
void JsonWriter::write_top() {
  count_steps(lua_, 1);
  switch (lua_type(lua_, -1)) {
    case LUA_TSTRING:
      write_string(text(-1));
      break;
    case LUA_TNUMBER:
      write_number(lua_tonumber(lua_, -1));
      break;
    case LUA_TBOOLEAN:
      out_.add(std::string_view(lua_toboolean(lua_, -1) ? "true" : "false"));
      break;
    case LUA_TTABLE:
      return open_table();
    case LUA_TNIL:
    case LUA_TLIGHTUSERDATA:  // cjson.null; scripts have no other
      out_.add(std::string_view("null"));
      break;
    default:
      refuse(-1, "type not supported");
  }
  lua_pop(lua_, 1);
}

void JsonWriter::write_number(double number) {
  if (!std::isfinite(number)) {
    const auto invalid = static_cast<InvalidNumbers>(options_.encode_invalid_numbers);
    if (invalid == InvalidNumbers::kRefuse) refuse(-1, "must not be NaN or Inf");
    if (invalid == InvalidNumbers::kNull) return out_.add(std::string_view("null"));
    if (std::isnan(number)) return out_.add(std::string_view("nan"));
  }
  constexpr size_t kLongest = 32;
  char* const to = out_.room(kLongest);
  out_.wrote(static_cast<size_t>(std::snprintf(to, kLongest, "%.*g", options_.number_precision, number)));
}

void JsonWriter::write_string(std::string_view text) {
  count_steps(lua_, text.size() / kBytesPerStep);
  out_.add('"');
  size_t plain = 0;  // what precedes is written
  for (size_t i = 0; i < text.size(); i++) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const char escape = kEscapes[byte];
    if (escape == 0) continue;
    out_.add(text.substr(plain, i - plain));
    plain = i + 1;
    if (escape == 'u') {
      constexpr char kDigits[] = "0123456789abcdef";
      const char code[] = {'\\', 'u', '0', '0', kDigits[byte >> 4], kDigits[byte & 15]};
      out_.add(std::string_view(code, sizeof(code)));
    } else {
      out_.add('\\');
      out_.add(escape);
    }
  }
  out_.add(text.substr(plain));
  out_.add('"');
}

void JsonWriter::open_table() {
  const auto depth = static_cast<int>(open_.size()) + 1;
  if (depth > options_.encode_max_depth || !has_slots(lua_, 3)) {
    luaL_error(lua_, "Cannot serialise, excessive nesting (%d)", depth);
  }
  const int count = array_length();
  out_.add(count > 0 ? '[' : '{');
  open_.push_back({count});
  if (count == 0) lua_pushnil(lua_);
}

// The largest index of the table on top when its keys are all indices; 0 when it is to be a map.
int JsonWriter::array_length() {
  double largest = 0;
  double count = 0;
  for (lua_pushnil(lua_); lua_next(lua_, -2); lua_pop(lua_, 1), count++) {
    count_steps(lua_, 1);
    const double key = lua_type(lua_, -2) == LUA_TNUMBER ? lua_tonumber(lua_, -2) : 0;
    if (!(key >= 1 && key <= INT_MAX) || std::floor(key) != key) {
      lua_pop(lua_, 2);
      return 0;
    }
    if (key > largest) largest = key;
  }
  const bool is_sparse = options_.sparse_ratio > 0 && largest > count * options_.sparse_ratio &&
                         largest > options_.sparse_safe;
  if (is_sparse && options_.sparse_as_map == 0) refuse(-1, "excessively sparse array");
  return is_sparse ? 0 : static_cast<int>(largest);
}

// Writes the next element of the innermost table, or closes it.
void JsonWriter::step() {
  Open& open = open_.back();
  if (open.count == 0) return next_pair(open);
  if (open.next > open.count) {
    out_.add(']');
    lua_pop(lua_, 1);
    open_.pop_back();
    return;
  }
  if (open.next > 1) out_.add(',');
  lua_rawgeti(lua_, -1, open.next++);
  write_top();
}

void JsonWriter::next_pair(Open& map) {
  if (!lua_next(lua_, -2)) {
    out_.add('}');
    lua_pop(lua_, 1);
    open_.pop_back();
    return;
  }
  if (map.next > 1) out_.add(',');
  map.next = 2;
  write_key();
  write_top();
}

// Stack: key, value.
void JsonWriter::write_key() {
  switch (lua_type(lua_, -2)) {
    case LUA_TSTRING:
      write_string(text(-2));
      break;
    case LUA_TNUMBER:
      out_.add('"');
      write_number(lua_tonumber(lua_, -2));
      out_.add('"');
      break;
    default:
      refuse(-2, "table key must be a number or string");
  }
  out_.add(':');
}

}  // namespace

void write_json(lua_State* L, const JsonOptions& options) { JsonWriter(L, options).write(); }

}  // namespace lockstep
