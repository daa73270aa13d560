#include "server/engine/dispatch.h"

#include <algorithm>

#include "protocol/error_texts.h"
#include "server/base/check.h"
#include "server/engine/arg_reader.h"
#include "server/engine/checked_reply.h"

namespace lockstep {
namespace {

// What a RESP2 connection that listens may still say.
bool allowed_while_subscribed(const CommandSpec& spec) {
  const std::string_view name = spec.name;
  return (spec.group == CommandGroup::kPubSub && name.ends_with("subscribe")) || name == "ping" ||
         name == "quit" || name == "reset";
}

bool runs_in_transaction_at_once(const CommandSpec& spec) {
  const std::string_view name = spec.name;
  return name == "exec" || name == "discard" || name == "multi" || name == "watch" || name == "quit" ||
         name == "reset";
}

void run_handler(Call& call) {
  if (call.attempt == Attempt::kUnblocked) return call.reply.error(errors::kUnblocked);
  call.spec.handler(call);
}

// Why a script may not call this command; empty when it may.
std::string_view fault_in_script(const CommandSpec* spec, Args args, Origin origin, bool may_grow) {
  if (spec == nullptr) return errors::kScriptUnknownCommand;
  if (!arity_fits(*spec, args.size())) return errors::kScriptWrongArity;
  if ((spec->flags & kNoScript) != 0) return errors::kScriptNotAllowed;
  if (origin == Origin::kReadOnlyScript && (spec->flags & (kWrite | kMayReplicate)) != 0)
    return errors::kScriptReadOnly;
  if (!may_grow && (spec->flags & kDenyOom) != 0) return errors::kOutOfMemory;
  return {};
}

}  // namespace

Dispatch::Gate Dispatch::admit(SessionState& session, Args args, ReplySink& reply, Beside beside) {
  session.last_command_at = server_.now();
  const CommandSpec* spec = server_.commands.resolve(args);
  if (spec == nullptr) {
    refuse_unknown(session, args, reply);
    return Gate::kShut;
  }
  session.last_command = spec;
  if (!arity_fits(*spec, args.size())) {
    refuse(session, spec, reply, errors::wrong_arity(spec->name));
    return Gate::kShut;
  }
  const bool gated = session.gates != 0 || server_.pause.active() ||
                     server_.settings.hot().max_memory_bytes != 0 || (spec->flags & kGuarded) != 0 ||
                     beside == Beside::kScript;
  return gated ? pass_gates(session, *spec, args, reply, beside) : Gate::kOpen;
}

// It may take memory, and there is none left. EXEC answers for what it would run.
bool Dispatch::lacks_memory(const SessionState& session, const CommandSpec& spec) const {
  const bool grows = (spec.flags & kDenyOom) != 0 ||
                     (spec.name == "exec" && session.in_transaction() && session.transaction->may_grow);
  return grows && server_.out_of_memory();
}

Dispatch::Gate Dispatch::pass_gates(SessionState& session, const CommandSpec& spec, Args args, ReplySink& reply,
                                    Beside beside) {
  const bool queues = session.in_transaction() && !runs_in_transaction_at_once(spec);
  std::string refusal;
  if ((spec.flags & kGuarded) != 0 && !session.endpoint.allowed_by(server_.settings.text("enable-debug-command"))) {
    refusal = errors::kDebugNotAllowed;
  } else if (needs_password(session) && (spec.flags & kNoAuth) == 0) {
    refusal = errors::kNoAuth;
  } else if (lacks_memory(session, spec)) {
    refusal = errors::kOutOfMemory;
  } else if ((session.gates & kGateSubscribedResp2) != 0 && !allowed_while_subscribed(spec)) {
    refusal = errors::not_in_subscriber_mode(spec.name);
  } else if (queues && (spec.flags & kNoMulti) != 0) {
    refusal = errors::kNotInTransaction;
  } else if (beside == Beside::kScript && (spec.flags & kAllowBusy) == 0) {
    refusal = errors::kBusyScript;
  }
  if (!refusal.empty()) {
    refuse(session, &spec, reply, refusal);
    return Gate::kShut;
  }
  if ((session.gates & kGateMonitors) != 0 && (spec.flags & (kReadonly | kWrite | kMayReplicate)) != 0) {
    refuse(session, &spec, reply, errors::kMonitorsCannot);
    return Gate::kShut;
  }
  if (server_.pause.active() && held_by_pause(session, spec, args)) return Gate::kHeld;
  if (!queues) return Gate::kOpen;
  queue(*session.transaction, spec, args);
  reply.status("QUEUED");
  return Gate::kShut;
}

void Dispatch::queue(Transaction& transaction, const CommandSpec& spec, Args args) {
  transaction.queue.emplace_back(&spec, StoredArgs(args));
  transaction.bytes += sizeof(transaction.queue.back()) + transaction.queue.back().second.memory_bytes();
  transaction.may_grow |= (spec.flags & kDenyOom) != 0;
  transaction.runs_scripts |= (spec.flags & kRunsScripts) != 0;
}

bool Dispatch::held_by_pause(const SessionState& session, const CommandSpec& spec, Args args) {
  if (server_.pause.holds(false)) return true;
  if (!server_.pause.holds(true)) return false;
  if (spec.name != "exec" || !session.in_transaction()) return may_write(spec, args);
  const auto& queue = session.transaction->queue;
  return std::any_of(queue.begin(), queue.end(),
                     [&](const auto& queued) { return may_write(*queued.first, queued.second.view()); });
}

// A script may unless its first line promises not to.
bool Dispatch::may_write(const CommandSpec& spec, Args args) {
  if ((spec.flags & (kWrite | kMayReplicate)) == 0) return false;
  if (spec.group != CommandGroup::kScripting) return true;
  std::string error;
  const Script* script =
      spec.name == "evalsha" ? server_.scripts.find(args[1]) : server_.scripts.load(args[1], error);
  return script == nullptr || !script->flags.no_writes;
}

void Dispatch::refuse(SessionState& session, const CommandSpec* spec, ReplySink& reply, std::string_view text) {
  if (spec != nullptr && spec->name == "exec") {
    session.transaction.reset();
    session.refresh_gates();
    server_.watches.unwatch_all(session);
    reply.error(errors::exec_aborted_by(text));
  } else {
    if (session.in_transaction()) session.transaction->refused = true;
    reply.error(text);
  }
  server_.recorder.rejected(spec);
}

void Dispatch::refuse_unknown(SessionState& session, Args args, ReplySink& reply) {
  // A browser that was made to send HTTP here shall not have its body run as commands.
  if (equals_ignoring_case(args[0], "post") || equals_ignoring_case(args[0], "host:")) {
    server_.log(LogLevel::kWarning, "Closed a client that speaks HTTP: possibly a cross-protocol attack");
    session.close_after_reply = true;
    return;
  }
  const CommandSpec* container = server_.commands.find(args[0]);
  const bool known = container != nullptr && server_.commands.is_container(*container);
  refuse(session, nullptr, reply,
         known ? errors::unknown_subcommand(args[0], args[1])
               : errors::unknown_command(args[0], args.data() + 1, args.size() - 1));
}

void Dispatch::run(SessionState& session, Args args, Origin origin, ReplySink& reply) {
  if (origin != Origin::kTransaction) return run_in_script(session, args, origin, reply);
  // Queued commands have passed their gates when they were queued.
  invoke(session, *server_.commands.resolve(args), args, reply, origin, Attempt::kFirst);
}

void Dispatch::run_in_script(SessionState& session, Args args, Origin origin, ReplySink& reply) {
  reply.tell_errors_to(&server_.recorder.errors);
  const CommandSpec* spec = server_.commands.resolve(args);
  const std::string_view fault = fault_in_script(spec, args, origin, server_.script_may_grow);
  if (!fault.empty()) {
    reply.error(fault);
    return server_.recorder.rejected(spec);
  }
  if ((spec->flags & kWrite) != 0) {
    // Half of its work would be worse than the memory that the other half takes.
    server_.script_may_grow = true;
    server_.script.note_write();
  }
  invoke(session, *spec, args, reply, origin, Attempt::kFirst);
}

bool Dispatch::retry(SessionState& session, ReplySink& reply, Attempt attempt) {
  const ParkedCall& parked = *server_.waiters.find(session);
  const bool blocked = invoke(session, *parked.spec, parked.args.view(), reply, Origin::kClient, attempt);
  LOCKSTEP_CHECK(!blocked || attempt != Attempt::kTimedOut);
  if (!blocked) server_.waiters.remove(session);
  return !blocked;
}

bool Dispatch::invoke(SessionState& session, const CommandSpec& spec, Args args, ReplySink& reply,
                      Origin origin, Attempt attempt) {
  LOCKSTEP_CHECK(spec.handler != nullptr);
  const bool can_block = origin == Origin::kClient;
#ifdef LOCKSTEP_CHECKED
  CheckedReply checked(reply);
  Call call{args, checked, server_.databases[session.database], session, server_, spec, can_block, attempt, origin};
  const int64_t begun_us = server_.recorder.begin(call);
  run_handler(call);
  // A message a channel, also when EXEC runs them; DEBUG PROTOCOL pushes.
  const bool any_number = spec.group == CommandGroup::kPubSub || spec.name == "exec" ||
                          spec.name == "shutdown" || spec.name == "debug" || spec.name == "monitor";
  LOCKSTEP_CHECK(any_number || checked.values() == (call.blocked ? 0 : 1));
  LOCKSTEP_CHECK(checked.complete());
#else
  Call call{args, reply, server_.databases[session.database], session, server_, spec, can_block, attempt, origin};
  const int64_t begun_us = server_.recorder.begin(call);
  run_handler(call);
#endif
  server_.recorder.end(call, begun_us);
  return call.blocked;
}

}  // namespace lockstep
