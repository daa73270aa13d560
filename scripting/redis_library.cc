// redis.call is the hot path of every lock script: no allocation but those of the reply itself. Names,
// argument rules and texts are Redis'.
#include "scripting/redis_library.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lauxlib.h"
#include "scripting/lua/number_casts.h"
#include "scripting/lua/steps.h"
#include "scripting/lua_context.h"
#include "scripting/lua_sink.h"
#include "server/base/numbers.h"
#include "server/engine/digest.h"

namespace lockstep {
namespace {

enum class OnError { kRaise, kReturn };

void push_error_table(lua_State* L, const char* text) {
  lua_createtable(L, 0, 1);
  lua_pushstring(L, text);
  lua_setfield(L, -2, "err");
}

// Raises the table on top, or returns it.
int fail(lua_State* L, OnError on_error) { return on_error == OnError::kRaise ? lua_error(L) : 1; }

int fail(lua_State* L, OnError on_error, const char* text) {
  push_error_table(L, text);
  return fail(L, on_error);
}

// Not how Lua prints a number (that keeps 14 digits): none may be lost, since scripts store timestamps and
// rates this way.
size_t write_argument(char* to, double value) {
  if (std::isnan(value) && std::signbit(value)) return static_cast<size_t>(std::copy_n("-nan", 4, to) - to);
  return static_cast<size_t>(write_double(to, value + 0.0) - to);  // -0 becomes 0
}

// Turns the arguments into views of strings on the Lua stack; false when one is no string or number.
bool read_arguments(lua_State* L, std::span<std::string_view> args) {
  for (size_t i = 0; i < args.size(); i++) {
    const int index = static_cast<int>(i) + 1;
    const int type = lua_type(L, index);
    if (type == LUA_TNUMBER) {
      char text[kMaxDoubleText];
      lua_pushlstring(L, text, write_argument(text, lua_tonumber(L, index)));
      lua_replace(L, index);
    } else if (type != LUA_TSTRING) {
      return false;
    }
    size_t size = 0;
    const char* bytes = lua_tolstring(L, index, &size);
    args[i] = {bytes, size};
  }
  return true;
}

int call_with(lua_State* L, std::span<std::string_view> args, OnError on_error) {
  LuaContext& context = context_of(L);
  bool failed = false;
  {
    LuaSink reply(L, context.resp);
    context.calls->call(args, reply);
    reply.finish();
    failed = reply.is_error();
  }
  return failed ? fail(L, on_error) : 1;
}

int check_with(lua_State* L, std::span<std::string_view> args, OnError on_error) {
  if (!context_of(L).calls->may_call(args)) {
    return fail(L, on_error, "ERR Invalid command passed to redis.acl_check_cmd()");
  }
  lua_pushboolean(L, 1);
  return 1;
}

using UseArguments = int (*)(lua_State* L, std::span<std::string_view> args, OnError on_error);

// A command costs about as much.
constexpr size_t kStepsPerCall = 50;

// Hands the arguments of a request on to `use`.
int with_arguments(lua_State* L, UseArguments use, OnError on_error) {
  count_steps(L, kStepsPerCall);
  const auto count = static_cast<size_t>(lua_gettop(L));
  if (count == 0) {
    return fail(L, on_error, "ERR Please specify at least one argument for this redis lib call");
  }
  luaL_checkstack(L, 8, nullptr);
  std::array<std::string_view, 16> few;
  std::vector<std::string_view> many;
  if (count > few.size()) many.resize(count);
  const std::span args = count <= few.size() ? std::span(few).first(count) : std::span(many);
  if (!read_arguments(L, args)) {
    return fail(L, on_error, "ERR Lua redis lib command arguments must be strings or integers");
  }
  return use(L, args, on_error);
}

int redis_call(lua_State* L) { return with_arguments(L, call_with, OnError::kRaise); }
int redis_pcall(lua_State* L) { return with_arguments(L, call_with, OnError::kReturn); }
int redis_acl_check_cmd(lua_State* L) { return with_arguments(L, check_with, OnError::kRaise); }

// redis.error_reply and redis.status_reply do not raise when misused: they return the error.
bool is_one_string(lua_State* L) { return lua_gettop(L) == 1 && lua_type(L, 1) == LUA_TSTRING; }
constexpr char kMisused[] = "ERR wrong number or type of arguments";

// A text without a code gets "ERR"; a leading '-' and line breaks at the end are dropped.
int redis_error_reply(lua_State* L) {
  if (!is_one_string(L)) return fail(L, OnError::kReturn, kMisused);
  size_t size = 0;
  const char* bytes = lua_tolstring(L, 1, &size);
  std::string_view text(bytes, size);
  if (text.starts_with('-')) text.remove_prefix(1);
  while (text.ends_with('\r') || text.ends_with('\n')) text.remove_suffix(1);
  lua_createtable(L, 0, 1);
  const bool has_code = text.find(' ') != std::string_view::npos;
  lua_pushstring(L, has_code ? "" : "ERR ");
  lua_pushlstring(L, text.data(), text.size());
  lua_concat(L, 2);
  lua_setfield(L, -2, "err");
  return 1;
}

int redis_status_reply(lua_State* L) {
  if (!is_one_string(L)) return fail(L, OnError::kReturn, kMisused);
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "ok");
  return 1;
}

int redis_sha1hex(lua_State* L) {
  if (lua_gettop(L) != 1) return fail(L, OnError::kRaise, "ERR wrong number of arguments");
  size_t size = 0;
  const char* bytes = lua_tolstring(L, 1, &size);
  constexpr size_t kBytesPerStep = 8;
  count_steps(L, size / kBytesPerStep);
  const Sha1Hex digest = sha1_hex(bytes != nullptr ? std::string_view(bytes, size) : std::string_view());
  lua_pushlstring(L, digest.data(), digest.size());
  return 1;
}

// The arguments behind the level, joined by blanks; those that are no text are left out.
void push_log_line(lua_State* L, int count) {
  luaL_Buffer line;
  luaL_buffinit(L, &line);
  for (int i = 2; i <= count; i++) {
    size_t size = 0;
    const char* text = lua_tolstring(L, i, &size);
    if (text == nullptr) continue;
    if (i > 2) luaL_addchar(&line, ' ');
    luaL_addlstring(&line, text, size);
  }
  luaL_pushresult(&line);
}

int redis_log(lua_State* L) {
  const int count = lua_gettop(L);
  if (count < 2) return fail(L, OnError::kRaise, "ERR redis.log() requires two arguments or more.");
  if (!lua_isnumber(L, 1)) {
    return fail(L, OnError::kRaise, "ERR First argument must be a number (log level).");
  }
  const int64_t level = truncate_to_int64(lua_tonumber(L, 1));
  if (level < static_cast<int>(LogLevel::kDebug) || level > static_cast<int>(LogLevel::kWarning)) {
    return fail(L, OnError::kRaise, "ERR Invalid log level.");
  }
  push_log_line(L, count);
  size_t size = 0;
  const char* text = lua_tolstring(L, -1, &size);
  context_of(L).calls->log(static_cast<LogLevel>(level), {text, size});
  return 0;
}

int redis_setresp(lua_State* L) {
  if (lua_gettop(L) != 1) return fail(L, OnError::kRaise, "ERR redis.setresp() requires one argument.");
  const int64_t version = truncate_to_int64(lua_tonumber(L, 1));
  if (version != 2 && version != 3) return fail(L, OnError::kRaise, "ERR RESP version must be 2 or 3.");
  context_of(L).resp = static_cast<int>(version);
  return 0;
}

// There is one way of replicating a script, by its effects; asking for it succeeds.
int redis_replicate_commands(lua_State* L) {
  lua_pushboolean(L, 1);
  return 1;
}

constexpr int kReplNone = 0;
constexpr int kReplAof = 1;
constexpr int kReplReplica = 2;
constexpr int kReplAll = kReplAof | kReplReplica;

// There are no replicas: checked and otherwise without effect.
int redis_set_repl(lua_State* L) {
  if (lua_gettop(L) != 1) return fail(L, OnError::kRaise, "ERR redis.set_repl() requires one argument.");
  if ((truncate_to_int64(lua_tonumber(L, 1)) & ~int64_t{kReplAll}) != 0) {
    return fail(L, OnError::kRaise,
                "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  return 0;
}

// Without a debugger attached these do nothing, as in Redis.
int redis_breakpoint(lua_State* L) {
  lua_pushboolean(L, 0);
  return 1;
}
int redis_debug(lua_State*) { return 0; }

// "7.4.0" and 0x070400.
void add_version(lua_State* L, std::string_view version) {
  lua_pushlstring(L, version.data(), version.size());
  lua_setfield(L, -2, "REDIS_VERSION");
  int number = 0;
  const char* at = version.data();
  const char* const end = at + version.size();
  for (int shift = 16; shift >= 0; shift -= 8) {
    int part = 0;
    at = std::from_chars(at, end, part).ptr;
    number |= part << shift;
    if (at != end) ++at;
  }
  lua_pushinteger(L, number);
  lua_setfield(L, -2, "REDIS_VERSION_NUM");
}

}  // namespace

void add_redis_functions(lua_State* L) {
  static const luaL_Reg kFunctions[] = {
      {"acl_check_cmd", redis_acl_check_cmd},
      {"breakpoint", redis_breakpoint},
      {"call", redis_call},
      {"debug", redis_debug},
      {"error_reply", redis_error_reply},
      {"log", redis_log},
      {"pcall", redis_pcall},
      {"replicate_commands", redis_replicate_commands},
      {"set_repl", redis_set_repl},
      {"setresp", redis_setresp},
      {"sha1hex", redis_sha1hex},
      {"status_reply", redis_status_reply},
      {nullptr, nullptr},
  };
  luaL_setfuncs(L, kFunctions, 0);

  struct Constant {
    const char* name;
    int value;
  };
  static constexpr Constant kConstants[] = {
      {"LOG_DEBUG", static_cast<int>(LogLevel::kDebug)},
      {"LOG_VERBOSE", static_cast<int>(LogLevel::kVerbose)},
      {"LOG_NOTICE", static_cast<int>(LogLevel::kNotice)},
      {"LOG_WARNING", static_cast<int>(LogLevel::kWarning)},
      {"REPL_NONE", kReplNone},
      {"REPL_AOF", kReplAof},
      {"REPL_SLAVE", kReplReplica},
      {"REPL_REPLICA", kReplReplica},
      {"REPL_ALL", kReplAll},
  };
  for (const Constant& constant : kConstants) {
    lua_pushinteger(L, constant.value);
    lua_setfield(L, -2, constant.name);
  }
  add_version(L, context_of(L).redis_version);
}

}  // namespace lockstep
