// string.format as in 5.1: it cuts fractions off for %d, knows %u, takes strings and numbers only for %s, and
// quotes strings only with %q.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "lauxlib.h"
#include "lua.h"
#include "scripting/lua/number_casts.h"
#include "scripting/lua51/libraries.h"

namespace lockstep {
namespace {

// One conversion, without its letter: "%", flags, width, precision, room for "ll" and the letter.
constexpr size_t kMaxFlags = 5;
struct Conversion {
  char text[kMaxFlags + 16] = "%";
  size_t length = 1;
  bool has_precision = false;

  void add(char c) {
    text[length++] = c;
    text[length] = '\0';
  }
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// `at` is behind the '%'; returns where the conversion's letter is.
const char* read_conversion(lua_State* L, const char* at, Conversion& conversion) {
  size_t flags = 0;
  for (; *at != '\0' && std::strchr("-+ #0", *at) != nullptr; at++) {
    if (++flags > kMaxFlags) luaL_error(L, "invalid format (repeated flags)");
    conversion.add(*at);
  }
  const auto read_two_digits = [&] {
    for (int i = 0; i < 2 && is_digit(*at); i++) conversion.add(*at++);
  };
  read_two_digits();
  if (*at == '.') {
    conversion.has_precision = true;
    conversion.add(*at++);
    read_two_digits();
  }
  if (is_digit(*at)) luaL_error(L, "invalid format (width or precision too long)");
  return at;
}

// Longest result: "%99.99f" of the largest double.
constexpr size_t kMaxItem = 512;

template <class Value>
void add_printed(luaL_Buffer* buffer, Conversion conversion, const char* suffix, Value value) {
  for (; *suffix != '\0'; suffix++) conversion.add(*suffix);
  char* to = luaL_prepbuffsize(buffer, kMaxItem);
  std::snprintf(to, kMaxItem, conversion.text, value);
  luaL_addsize(buffer, std::strlen(to));  // "%c" of 0 ends it early
}

void add_quoted(lua_State* L, luaL_Buffer* buffer, int argument) {
  size_t size = 0;
  const char* text = luaL_checklstring(L, argument, &size);
  luaL_addchar(buffer, '"');
  for (; size > 0; size--, text++) {
    switch (*text) {
      case '"':
      case '\\':
      case '\n':
        luaL_addchar(buffer, '\\');
        luaL_addchar(buffer, *text);
        break;
      case '\r':
        luaL_addstring(buffer, "\\r");
        break;
      case '\0':
        luaL_addstring(buffer, "\\000");
        break;
      default:
        luaL_addchar(buffer, *text);
    }
  }
  luaL_addchar(buffer, '"');
}

void add_string(lua_State* L, luaL_Buffer* buffer, const Conversion& conversion, int argument) {
  constexpr size_t kAlwaysWhole = 100;  // widths have two digits: no padding can be due
  size_t size = 0;
  const char* text = luaL_checklstring(L, argument, &size);
  if (!conversion.has_precision && size >= kAlwaysWhole) {
    lua_pushvalue(L, argument);
    luaL_addvalue(buffer);
  } else {
    add_printed(buffer, conversion, "s", text);
  }
}

void add_item(lua_State* L, luaL_Buffer* buffer, const Conversion& conversion, char letter, int argument) {
  switch (letter) {
    case 'c':
      add_printed(buffer, conversion, "c",
                  static_cast<int>(truncate_to_int64(luaL_checknumber(L, argument))));
      break;
    case 'd':
    case 'i':
      add_printed(buffer, conversion, "lld",
                  static_cast<long long>(truncate_to_int64(luaL_checknumber(L, argument))));
      break;
    case 'o':
    case 'u':
    case 'x':
    case 'X': {
      const char suffix[] = {'l', 'l', letter, '\0'};
      add_printed(buffer, conversion, suffix,
                  static_cast<unsigned long long>(truncate_to_uint64(luaL_checknumber(L, argument))));
      break;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G': {
      const char suffix[] = {letter, '\0'};
      add_printed(buffer, conversion, suffix, luaL_checknumber(L, argument));
      break;
    }
    case 'q':
      add_quoted(L, buffer, argument);
      break;
    case 's':
      add_string(L, buffer, conversion, argument);
      break;
    case '\0':
      luaL_error(L, "invalid option '%%' to 'format'");
      break;
    default:
      luaL_error(L, "invalid option '%%%c' to 'format'", letter);
  }
}

}  // namespace

int format_string(lua_State* L) {
  int argument = 1;
  const int count = lua_gettop(L);
  size_t size = 0;
  const char* at = luaL_checklstring(L, 1, &size);
  const char* end = at + size;
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  while (at < end) {
    if (*at != '%') {
      luaL_addchar(&buffer, *at++);
      continue;
    }
    at++;
    if (*at == '%') {
      luaL_addchar(&buffer, *at++);
      continue;
    }
    if (++argument > count) luaL_argerror(L, argument, "no value");
    Conversion conversion;
    at = read_conversion(L, at, conversion);
    add_item(L, &buffer, conversion, *at++, argument);
  }
  luaL_pushresult(&buffer);
  return 1;
}

}  // namespace lockstep
