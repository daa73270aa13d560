// Scalars are pushed and at once stored into the innermost open table. The tables lie on the Lua stack, so
// that nothing here has to keep references.
#include "scripting/lua_sink.h"

#include <charconv>
#include <climits>

#include "lauxlib.h"
#include "server/base/numbers.h"

namespace lockstep {
namespace {

void push_text(lua_State* L, std::string_view text) { lua_pushlstring(L, text.data(), text.size()); }

// The table on top gets `field` = the text.
void set_text(lua_State* L, const char* field, std::string_view text) {
  push_text(L, text);
  lua_setfield(L, -2, field);
}

int size_hint(size_t count) { return count < INT_MAX / 2 ? static_cast<int>(count) : 0; }

}  // namespace

// Lua raises when memory runs out. That error belongs to the script, not to the command that answers: it
// waits for finish(), and what the command still says is ignored.
template <class Push>
void LuaSink::guarded(Push&& push) {
  if (failure_) return;
  try {
    push();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

template <class Push>
void LuaSink::value(Push&& push) {
  guarded([&] {
    push();
    complete();
  });
}

void LuaSink::finish() {
  if (failure_) std::rethrow_exception(failure_);
}

// The value on top of the stack is complete, and with it perhaps the aggregates around it.
void LuaSink::complete() {
  while (!open_.empty()) {
    Frame& frame = open_.back();
    store_in(frame);
    if (--frame.missing > 0) return;
    const Kind kind = frame.kind;
    open_.pop_back();
    wrap(kind);
  }
}

// The complete aggregate on top becomes {map = it} or {set = it}; an array stays as it is.
void LuaSink::wrap(Kind kind) {
  if (kind == Kind::kArray) return;
  lua_createtable(lua_, 0, 1);
  lua_insert(lua_, -2);
  lua_setfield(lua_, -2, kind == Kind::kMap ? "map" : "set");
}

void LuaSink::store_in(Frame& frame) {
  switch (frame.kind) {
    case Kind::kArray:
      lua_rawseti(lua_, -2, ++frame.stored);
      return;
    case Kind::kMap:
      frame.has_key = !frame.has_key;
      if (frame.has_key) return;
      break;
    case Kind::kSet:
      lua_pushboolean(lua_, 1);
      break;
  }
  if (lua_isnil(lua_, -2)) {  // null is no key
    lua_pop(lua_, 2);
  } else {
    lua_rawset(lua_, -3);
  }
}

void LuaSink::begin(Kind kind, size_t count) {
  if (!resp3_ && kind != Kind::kArray) {
    if (kind == Kind::kMap) count *= 2;
    kind = Kind::kArray;
  }
  guarded([&] {
    luaL_checkstack(lua_, 4, "nested reply");
    const int hint = size_hint(count);
    lua_createtable(lua_, kind == Kind::kArray ? hint : 0, kind == Kind::kArray ? 0 : hint);
    if (count > 0) {
      open_.push_back(Frame{kind, false, 0, kind == Kind::kMap ? count * 2 : count});
    } else {
      wrap(kind);
      complete();
    }
  });
}

void LuaSink::ok() { status("OK"); }

void LuaSink::status(std::string_view text) {
  value([&] { push_wrapped("ok", text); });
}

void LuaSink::write_error(std::string_view text) {
  is_error_ = open_.empty();
  value([&] {
    push_wrapped("err", text);
    if (!is_error_) return;
    lua_pushboolean(lua_, 1);
    lua_setfield(lua_, -2, kErrorTold);
  });
}

void LuaSink::push_wrapped(const char* field, std::string_view text) {
  lua_createtable(lua_, 0, 1);
  set_text(lua_, field, text);
}

void LuaSink::integer(int64_t integer) {
  value([&] { lua_pushinteger(lua_, integer); });
}

void LuaSink::boolean(bool boolean) {
  value([&] {
    if (resp3_) {
      lua_pushboolean(lua_, boolean);
    } else {
      lua_pushinteger(lua_, boolean ? 1 : 0);
    }
  });
}

void LuaSink::number(double number) {
  value([&] {
    if (resp3_) {
      lua_createtable(lua_, 0, 1);
      lua_pushnumber(lua_, number);
      lua_setfield(lua_, -2, "double");
    } else {
      char text[kMaxDoubleText];
      lua_pushlstring(lua_, text, static_cast<size_t>(write_double(text, number) - text));
    }
  });
}

void LuaSink::big_number(std::string_view digits) {
  value([&] {
    if (resp3_) {
      push_wrapped("big_number", digits);
    } else {
      push_text(lua_, digits);
    }
  });
}

void LuaSink::bulk(std::string_view bytes) {
  value([&] { push_text(lua_, bytes); });
}

void LuaSink::verbatim(std::string_view format, std::string_view text) {
  value([&] {
    if (!resp3_) return push_text(lua_, text);
    lua_createtable(lua_, 0, 1);
    lua_createtable(lua_, 0, 2);
    set_text(lua_, "format", format);
    set_text(lua_, "string", text);
    lua_setfield(lua_, -2, "verbatim_string");
  });
}

void LuaSink::null() {
  value([&] {
    if (resp3_) {
      lua_pushnil(lua_);
    } else {
      lua_pushboolean(lua_, 0);
    }
  });
}

void LuaSink::null_array() { null(); }
void LuaSink::array(size_t count) { begin(Kind::kArray, count); }
void LuaSink::map(size_t pairs) { begin(Kind::kMap, pairs); }
void LuaSink::set(size_t count) { begin(Kind::kSet, count); }
void LuaSink::push(size_t count) { begin(Kind::kArray, count); }

}  // namespace lockstep
