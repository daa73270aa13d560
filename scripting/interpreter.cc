// Lua errors end in lua_pcall; those that come where nothing protects (panic) leave as C++ exceptions, and so
// does a killed script.
#include "scripting/interpreter.h"

#include "lauxlib.h"
#include "scripting/lua/steps.h"
#include "scripting/lua/tables.h"
#include "scripting/lua51/libraries.h"
#include "scripting/result_writer.h"
#include "scripting/sandbox.h"
#include "scripting/script_error.h"

namespace lockstep {
namespace {

constexpr int kMessageHandler = 1;  // lies at the bottom of the stack for good

[[noreturn]] int panic(lua_State* L) {
  const char* text = lua_tostring(L, -1);
  throw InterpreterBroken(text != nullptr ? text : "Lua failed");
}

// Through every pcall of the script, and past all that it would still run.
struct ScriptKilled {};

void check_on_script(lua_State* L, lua_Debug*) {
  LuaContext& context = context_of(L);
  context.left = kStepsPerCheck;
  if (context.calls->proceed()) return;
  note_kill(L);
  throw ScriptKilled();
}

}  // namespace

Interpreter::Interpreter(const LuaConfig& config, Lrand48& random)
    : heap_(config.memory_limit_bytes, static_cast<uint32_t>(config.seed ^ (config.seed >> 32))),
      context_{{}, heap_, random, config.redis_version},
      lua_(lua_newstate(LuaHeap::allocate, &heap_)) {
  if (lua_ == nullptr) throw InterpreterBroken("not enough memory");
  lua_atpanic(lua_, panic);
  *static_cast<Steps**>(lua_getextraspace(lua_)) = &context_;
  lua_sethook(lua_, check_on_script, LUA_MASKCOUNT, 1);
  heap_.charge(context_.left);
  open_sandbox(lua_);
  lua_pushcfunction(lua_, note_failure);
}

// The destructor is the heap's: closing the state would run what a broken script left pending.

int Interpreter::compile(std::string_view code, std::string& error) {
  if (load_text(lua_, code, "@user_script") == LUA_OK) {
    return luaL_ref(lua_, LUA_REGISTRYINDEX);
  }
  size_t size = 0;
  const char* text = lua_tolstring(lua_, -1, &size);
  error.assign(text, size);
  lua_pop(lua_, 1);
  return 0;
}

void Interpreter::forget(int function) { luaL_unref(lua_, LUA_REGISTRYINDEX, function); }

void Interpreter::push_strings(std::span<const std::string_view> strings) {
  lua_createtable(lua_, static_cast<int>(strings.size()), 0);
  lua_Integer index = 0;
  for (const std::string_view string : strings) {
    lua_pushlstring(lua_, string.data(), string.size());
    lua_rawseti(lua_, -2, ++index);
  }
}

void Interpreter::begin_run(const ScriptRequest& request, ScriptCalls& calls) {
  context_.calls = &calls;
  context_.resp = 2;
  context_.names_objects = false;
  context_.left = kStepsPerCheck;
  lua_pushglobaltable(lua_);
  set_readonly(lua_, -1, false);
  push_strings(request.keys);
  lua_setfield(lua_, -2, "KEYS");
  push_strings(request.argv);
  lua_setfield(lua_, -2, "ARGV");
  set_readonly(lua_, -1, true);
  lua_pop(lua_, 1);
}

bool Interpreter::run(int function, std::string_view sha, const ScriptRequest& request, ScriptCalls& calls,
                      ReplySink& reply) {
  begin_run(request, calls);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, function);
  int status = LUA_OK;
  try {
    status = lua_pcall(lua_, 0, 1, kMessageHandler);
  } catch (const ScriptKilled&) {
    reply.error(failure_text(context_.failure, sha));
    return false;
  }
  switch (status) {
    case LUA_OK:
      write_result(lua_, context_.resp, reply);
      break;
    case LUA_ERRRUN:
      if (context_.failure.told) {
        reply.error_again(failure_text(context_.failure, sha));
      } else {
        reply.error(failure_text(context_.failure, sha));
      }
      break;
    default: {  // out of memory, or an error in the message handler: it has noted nothing
      const char* text = lua_tostring(lua_, -1);
      reply.error(std::string("ERR ") + (text != nullptr ? text : "error in error handling"));
    }
  }
  lua_settop(lua_, kMessageHandler);
  return status != LUA_ERRMEM;
}

bool Interpreter::is_bloated() const {
  constexpr size_t kKeptBytes = 32 * 1024 * 1024;
  return heap_.reserved_bytes() > kKeptBytes && heap_.used_bytes() < heap_.reserved_bytes() / 4;
}

}  // namespace lockstep
