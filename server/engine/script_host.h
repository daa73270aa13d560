// What the engine asks of a scripting language, and what a running script may ask back. Implemented by
// scripting/ (Lua) and handed to the engine by whoever composes it; the engine itself names no Lua.
// One thread: the engine's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "protocol/reply.h"
#include "server/engine/digest.h"

namespace lockstep {

enum class LogLevel : uint8_t { kDebug, kVerbose, kNotice, kWarning };

// A step is a jump or a call of the script, or so much work elsewhere: some nanoseconds.
inline constexpr int kStepsPerCheck = 1000;

// A running script's way back into the engine. Valid only while ScriptHost::run executes.
class ScriptCalls {
 public:
  // Runs one command inside the script's unit, with the checks that hold in scripts; every outcome,
  // refusals included, is exactly one value in `reply`. Errors come without the script's name and line.
  // `args` holds at least the command's name.
  virtual void call(std::span<const std::string_view> args, ReplySink& reply) = 0;
  // Whether these arguments begin with the name of a command that the session may call.
  virtual bool may_call(std::span<const std::string_view> args) const = 0;
  virtual void log(LogLevel level, std::string_view text) = 0;
  // To be called every kStepsPerCheck steps, wherever the script is. It may return much later, others having
  // been served meanwhile. False: the script must end now, with nothing of it run any more. May throw; what it
  // throws must leave run().
  virtual bool proceed() = 0;

 protected:
  ~ScriptCalls() = default;
};

struct ScriptRequest {
  std::span<const std::string_view> keys;
  std::span<const std::string_view> argv;
};

// What can be said of a script before it runs: from its shebang line, or the defaults without one.
struct ScriptFlags {
  bool declared = false;    // there is a shebang line: what it does not promise, the script may do
  bool no_writes = false;   // `#!lua flags=no-writes`: writing commands are refused inside
  bool allow_oom = false;   // `flags=allow-oom`: it may take memory when there is none left
  bool allow_key_locking = false;  // Upstash's: commands may only use the keys that the script is given
};

// A compiled script, owned by its host until flush().
struct Script {
  Sha1Hex sha;
  ScriptFlags flags;
};

class ScriptHost {
 public:
  virtual ~ScriptHost() = default;

  // The script with exactly this text, compiled and kept on first sight; good until the next load, which
  // may make the host forget one that has not run for long. nullptr when it does not compile; then `error`
  // is the complete error reply.
  virtual const Script* load(std::string_view body, std::string& error) = 0;
  // This one is not to be forgotten before flush().
  virtual void keep(const Script&) {}
  // `sha`: 40 hexadecimal digits in either case; nullptr when unknown.
  virtual const Script* find(std::string_view sha) const = 0;
  // Forgets every script, and the interpreter with them. Never called while one runs.
  virtual void flush() = 0;
  virtual size_t count() const = 0;
  // What the interpreter holds, and the kept texts.
  virtual size_t interpreter_bytes() const { return 0; }
  virtual size_t text_bytes() const { return 0; }

  // Runs a script to its end and answers exactly one value: its result, or an error that carries
  // ` script: <sha>, on @user_script:<line>.` One that proceed() ends answers "ERR Script killed by user with
  // SCRIPT KILL..." in this form.
  virtual void run(const Script& script, const ScriptRequest& request, ScriptCalls& calls,
                   ReplySink& reply) = 0;
};

}  // namespace lockstep
