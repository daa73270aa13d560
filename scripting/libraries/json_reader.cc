// A loop with its own stack of open arrays and objects: scripts may set the depth to what they like.
#include "scripting/libraries/json_reader.h"

#include <vector>

#include "scripting/libraries/json_lexer.h"
#include "scripting/libraries/stack_slots.h"
#include "scripting/lua/steps.h"

namespace lockstep {
namespace {

using Kind = JsonToken::Kind;

class JsonReader {
 public:
  JsonReader(lua_State* L, std::string_view text, const JsonOptions& options)
      : lua_(L), options_(options), lexer_(text, options.decode_invalid_numbers != 0) {}

  void read() {
    next();
    while (!push_value() || !store()) {
    }
    next();
    if (token_.kind != Kind::kEnd) fail("the end");
  }

 private:
  // Its table is on the Lua stack, and above it an object's key.
  struct Open {
    bool is_object;
    lua_Integer stored = 0;
  };

  void next() {
    constexpr size_t kBytesPerStep = 16;
    token_ = lexer_.next();
    count_steps(lua_, 1 + token_.text.size() / kBytesPerStep);
  }
  [[noreturn]] void fail(const char* expected) {
    luaL_error(lua_, "Expected %s but found %s at character %d", expected, token_.name(),
               static_cast<int>(token_.at) + 1);
    __builtin_unreachable();
  }
  bool push_value();
  bool open_array();
  bool open_object();
  void descend(int slots);
  void push_text() { lua_pushlstring(lua_, token_.text.data(), token_.text.size()); }
  void read_key();
  bool store();

  lua_State* lua_;
  const JsonOptions& options_;
  JsonLexer lexer_;
  JsonToken token_{};
  std::vector<Open> open_;
};

// Pushes the value that the token begins. False when it is an array or object with elements: the token begins
// the first of their values then.
bool JsonReader::push_value() {
  switch (token_.kind) {
    case Kind::kString:
      push_text();
      return true;
    case Kind::kNumber:
      lua_pushnumber(lua_, token_.number);
      return true;
    case Kind::kTrue:
    case Kind::kFalse:
      lua_pushboolean(lua_, token_.kind == Kind::kTrue);
      return true;
    case Kind::kNull:
      lua_pushlightuserdata(lua_, nullptr);
      return true;
    case Kind::kArrayBegin:
      return open_array();
    case Kind::kObjectBegin:
      return open_object();
    default:
      fail("value");
  }
}

void JsonReader::descend(int slots) {
  const auto depth = static_cast<int>(open_.size()) + 1;
  if (depth > options_.decode_max_depth || !has_slots(lua_, slots)) {
    luaL_error(lua_, "Found too many nested data structures (%d) at character %d", depth,
               static_cast<int>(token_.at) + 1);
  }
  lua_newtable(lua_);
}

bool JsonReader::open_array() {
  descend(2);
  next();
  if (token_.kind == Kind::kArrayEnd) return true;
  open_.push_back({false});
  return false;
}

bool JsonReader::open_object() {
  descend(3);
  next();
  if (token_.kind == Kind::kObjectEnd) return true;
  open_.push_back({true});
  read_key();
  return false;
}

// Pushes the key that the token is, and goes on to its value.
void JsonReader::read_key() {
  if (token_.kind != Kind::kString) fail("object key string");
  push_text();
  next();
  if (token_.kind != Kind::kColon) fail("colon");
  next();
}

// The value on top is complete: puts it where it belongs, and with it all that it completes. False when another
// follows, which the token begins.
bool JsonReader::store() {
  while (!open_.empty()) {
    Open& open = open_.back();
    if (open.is_object) {
      lua_rawset(lua_, -3);
    } else {
      lua_rawseti(lua_, -2, ++open.stored);
    }
    next();
    if (token_.kind == Kind::kComma) {
      next();
      if (open.is_object) read_key();
      return false;
    }
    if (token_.kind != (open.is_object ? Kind::kObjectEnd : Kind::kArrayEnd)) {
      fail(open.is_object ? "comma or object end" : "comma or array end");
    }
    open_.pop_back();
  }
  return true;
}

}  // namespace

void read_json(lua_State* L, std::string_view text, const JsonOptions& options) {
  // In UTF-16 and UTF-32 one of the first two bytes of a JSON text is 0.
  if (text.size() >= 2 && (text[0] == '\0' || text[1] == '\0')) {
    luaL_error(L, "JSON parser does not support UTF-16 or UTF-32");
  }
  JsonReader(L, text, options).read();
}

}  // namespace lockstep
