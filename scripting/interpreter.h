// One Lua state with its heap, sandbox and compiled functions. The script engine makes it when first needed
// and drops it, functions and all, when it cannot be trusted any more.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "lua.h"
#include "scripting/lua_context.h"
#include "scripting/lua_heap.h"
#include "scripting/script_engine.h"
#include "server/engine/script_host.h"

namespace lockstep {

// Lua raised an error where nothing was there to catch it: memory ran out while a script was being prepared.
// The interpreter must be dropped.
struct InterpreterBroken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Interpreter {
 public:
  // Both outlive the interpreter.
  Interpreter(const LuaConfig& config, Lrand48& random);

  // Compiles `code` and keeps it; the result is for run(). 0 when it does not compile, with Lua's message in
  // `error`. May throw InterpreterBroken.
  int compile(std::string_view code, std::string& error);

  // Gives back what compile() gave.
  void forget(int function);

  // Runs a function that compile() gave, and answers once. False when the interpreter must be dropped
  // afterwards. An exception from `calls` or `reply` passes through; then it must be dropped too, and nothing
  // was answered. May throw InterpreterBroken before anything is answered.
  bool run(int function, std::string_view sha, const ScriptRequest& request, ScriptCalls& calls,
           ReplySink& reply);

  // After a script that used much memory once: most of what the heap holds is unused, and it is more than
  // is worth keeping.
  bool is_bloated() const;
  size_t memory_bytes() const { return heap_.reserved_bytes(); }

 private:
  void begin_run(const ScriptRequest& request, ScriptCalls& calls);
  void push_strings(std::span<const std::string_view> strings);

  LuaHeap heap_;
  LuaContext context_;
  lua_State* lua_;
};

}  // namespace lockstep
