// EVAL and SCRIPT: from a request to the script host and back.
#include <algorithm>
#include <string>
#include <vector>

#include "protocol/error_texts.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"
#include "server/engine/command_keys.h"

namespace lockstep {
namespace {

// What the running script calls goes through the session's dispatcher.
class SessionCalls final : public ScriptCalls {
 public:
  // `keys`: what the script was given.
  SessionCalls(Call& call, const ScriptFlags& flags, Args keys, bool read_only)
      : call_(call), flags_(flags), keys_(keys), origin_(read_only ? Origin::kReadOnlyScript : Origin::kScript) {}

  void call(Args args, ReplySink& reply) override {
    if (flags_.allow_key_locking && !keeps_to_keys(args, reply)) return;
    call_.server.executor.run(call_.session, args, origin_, reply);
  }
  bool may_call(Args args) const override { return call_.server.commands.resolve(args) != nullptr; }
  void log(LogLevel level, std::string_view text) override { call_.server.log(level, text); }
  bool proceed() override { return call_.server.script.proceed(); }

 private:
  bool keeps_to_keys(Args args, ReplySink& reply) const;

  Call& call_;
  const ScriptFlags flags_;
  const Args keys_;
  const Origin origin_;
};

// False after having answered that the command uses other keys than the script's, or all there are. Requests
// that are none of a command are refused where all of them are.
bool SessionCalls::keeps_to_keys(Args args, ReplySink& reply) const {
  const CommandSpec* spec = call_.server.commands.resolve(args);
  if (spec == nullptr || !arity_fits(*spec, args.size())) return true;
  if ((spec->flags & kWrite) != 0 && spec->keys[0].flags == 0) {
    reply.error(errors::kScriptWholeDatabase);
    return false;
  }
  std::vector<FoundKey> used;
  find_keys(*spec, args, used);
  for (const FoundKey& key : used) {
    if (std::find(keys_.begin(), keys_.end(), key.name) != keys_.end()) continue;
    reply.error(errors::undeclared_script_key(key.name));
    return false;
  }
  return true;
}

enum class Access : bool { kReadWrite, kReadOnly };

void run(Call& call, const Script& script, size_t key_count, Access access) {
  const bool promises_nothing = script.flags.declared && !script.flags.no_writes && !script.flags.allow_oom;
  if (promises_nothing && call.server.out_of_memory()) return call.reply.error(errors::kOutOfMemory);
  if (access == Access::kReadOnly && script.flags.declared && !script.flags.no_writes)
    return call.reply.error(errors::kScriptMayWrite);
  call.server.script_may_grow = script.flags.allow_oom || !call.server.out_of_memory();
  const Args rest = call.args.subspan(3);
  const bool read_only = access == Access::kReadOnly || script.flags.no_writes;
  const Args keys = rest.first(key_count);
  SessionCalls calls(call, script.flags, keys, read_only);
  const int database = call.session.database;
  call.server.script.begin();
  call.server.scripts.run(script, {keys, rest.subspan(key_count)}, calls, call.reply);
  call.session.database = database;  // a SELECT in a script ends with it
}

// numkeys, or nothing after having answered the error.
std::optional<size_t> read_key_count(Call& call) {
  const auto count = read_integer(call, call.args[2]);
  if (!count) return std::nullopt;
  if (*count > static_cast<int64_t>(call.args.size() - 3)) {
    call.reply.error(errors::kTooManyKeys);
    return std::nullopt;
  }
  if (*count < 0) {
    call.reply.error(errors::kNegativeKeyCount);
    return std::nullopt;
  }
  return static_cast<size_t>(*count);
}

void eval_text(Call& call, Access access) {
  const auto key_count = read_key_count(call);
  if (!key_count) return;
  std::string error;
  const Script* script = call.server.scripts.load(call.args[1], error);
  if (script == nullptr) return call.reply.error(error);
  run(call, *script, *key_count, access);
}

void eval_kept(Call& call, Access access) {
  // What cannot be a digest is not even looked at further.
  if (call.args[1].size() != Sha1Hex().size()) return call.reply.error(errors::kNoScript);
  const auto key_count = read_key_count(call);
  if (!key_count) return;
  const Script* script = call.server.scripts.find(call.args[1]);
  if (script == nullptr) return call.reply.error(errors::kNoScript);
  run(call, *script, *key_count, access);
}

void eval(Call& call) { eval_text(call, Access::kReadWrite); }
void eval_ro(Call& call) { eval_text(call, Access::kReadOnly); }
void evalsha(Call& call) { eval_kept(call, Access::kReadWrite); }
void evalsha_ro(Call& call) { eval_kept(call, Access::kReadOnly); }

void script_load(Call& call) {
  std::string error;
  const Script* script = call.server.scripts.load(call.args[2], error);
  if (script == nullptr) return call.reply.error(error);
  call.server.scripts.keep(*script);
  call.reply.bulk(script->sha.view());
}

void script_exists(Call& call) {
  const Args digests = call.args.subspan(2);
  call.reply.array(digests.size());
  for (const std::string_view sha : digests)
    call.reply.integer(call.server.scripts.find(sha) != nullptr ? 1 : 0);
}

void script_flush(Call& call) {
  const bool known = call.args.size() == 2 || (call.args.size() == 3 &&
                                               (equals_ignoring_case(call.args[2], "sync") ||
                                                equals_ignoring_case(call.args[2], "async")));
  if (!known) return call.reply.error(errors::kBadFlushMode);
  call.server.scripts.flush();
  call.reply.ok();
}

void script_kill(Call& call) {
  switch (call.server.script.kill()) {
    case RunningScript::Kill::kNoneRuns: return call.reply.error(errors::kNoScriptRuns);
    case RunningScript::Kill::kHasWritten: return call.reply.error(errors::kScriptHasWritten);
    case RunningScript::Kill::kKilled: return call.reply.ok();
  }
}

constexpr CommandSpec kScripting[] = {
    {.name = "eval", .arity = -3, .flags = kMayReplicate | kNoScript | kStale | kSkipMonitor | kNoMandatoryKeys | kMovableKeys |
              kRunsScripts,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 2, -1, 1, true}}},
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "2.6.0",
     .complexity = "That of the script",
     .summary = "Runs a Lua script as one.",
     .syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
     .example = "EVAL \"return redis.call('GET',KEYS[1])\" 1 lock:a", .handler = eval},
    {.name = "eval_ro", .arity = -3, .flags = kReadonly | kNoScript | kStale | kSkipMonitor | kNoMandatoryKeys | kMovableKeys |
              kRunsScripts,
     .keys = {{{kKeyRO | kKeyAccess, 2, -1, 1, true}}},
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "7.0.0",
     .complexity = "That of the script",
     .summary = "Runs a Lua script that may not write.",
     .syntax = "script numkeys [key [key ...]] [arg [arg ...]]",
     .example = "EVAL_RO \"return redis.call('GET',KEYS[1])\" 1 lock:a", .handler = eval_ro},
    {.name = "evalsha", .arity = -3, .flags = kMayReplicate | kNoScript | kStale | kSkipMonitor | kNoMandatoryKeys | kMovableKeys |
              kRunsScripts,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 2, -1, 1, true}}},
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "2.6.0",
     .complexity = "That of the script",
     .summary = "Runs a kept Lua script, named by the SHA-1 of its text.",
     .syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
     .example = "EVALSHA a42059b356c875f0717db19a51f6aaca9ae659ea 0", .handler = evalsha},
    {.name = "evalsha_ro", .arity = -3, .flags = kReadonly | kNoScript | kStale | kSkipMonitor | kNoMandatoryKeys | kMovableKeys |
              kRunsScripts,
     .keys = {{{kKeyRO | kKeyAccess, 2, -1, 1, true}}},
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "7.0.0",
     .complexity = "That of the script",
     .summary = "Runs a kept Lua script that may not write.",
     .syntax = "sha1 numkeys [key [key ...]] [arg [arg ...]]",
     .example = "EVALSHA_RO a42059b356c875f0717db19a51f6aaca9ae659ea 0", .handler = evalsha_ro},
    {.name = "script", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kScripting, .since = "2.6.0",
     .complexity = "Depends on the subcommand",
     .summary = "The kept Lua scripts.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "script|exists", .arity = -3, .flags = kNoScript,
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "2.6.0",
     .complexity = "O(N) in the number of scripts named",
     .summary = "Which scripts are kept.",
     .syntax = "sha1 [sha1 ...]",
     .example = "SCRIPT EXISTS a42059b356c875f0717db19a51f6aaca9ae659ea", .handler = script_exists},
    {.name = "script|flush", .arity = -2, .flags = kNoScript,
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "2.6.0",
     .complexity = "O(N) in the number of scripts kept",
     .summary = "Forgets all scripts.",
     .syntax = "[ASYNC | SYNC]",
     .example = "SCRIPT FLUSH", .handler = script_flush},
    {.name = "script|kill", .arity = 2, .flags = kNoScript | kAllowBusy,
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "Ends the script that runs, if it has not written yet.",
     .syntax = "",
     .example = "SCRIPT KILL", .handler = script_kill},
    {.name = "script|load", .arity = 3, .flags = kNoScript | kStale,
     .categories = kAclScripting, .group = CommandGroup::kScripting, .since = "2.6.0",
     .complexity = "O(N) in the length of the script",
     .summary = "Keeps a Lua script and answers the SHA-1 of its text.",
     .syntax = "script",
     .example = "SCRIPT LOAD \"return 1\"", .handler = script_load},
};
static_assert(well_formed(kScripting));

}  // namespace

std::span<const CommandSpec> script_commands() { return kScripting; }

}  // namespace lockstep
