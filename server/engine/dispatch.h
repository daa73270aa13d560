// From a request to its handler: finds the command, passes the gates that hold for the session, calls.
// The only place where handlers are called, for clients, transactions, scripts and woken waiters alike.
#pragma once

#include <string>

#include "protocol/resp_reader.h"
#include "server/engine/command.h"

namespace lockstep {

class Dispatch final : public Executor {
 public:
  explicit Dispatch(Server& server) : server_(server) {}

  // Whether a script is suspended; then only what is flagged kAllowBusy may run beside it.
  enum class Beside : bool { kNothing, kScript };
  enum class Gate : uint8_t {
    kOpen,
    kShut,  // answered: the command may not run now, or was queued
    kHeld,  // not answered: CLIENT PAUSE
  };
  // Whether a client's request may run now. Its command is the session's last one then.
  Gate admit(SessionState& session, Args args, ReplySink& reply, Beside beside);
  // It may run a script, which takes as long as it likes. EXEC may if its queue does.
  static bool runs_scripts(const SessionState& session) {
    return (session.last_command->flags & kRunsScripts) != 0 &&
           (!session.in_transaction() || session.transaction->runs_scripts);
  }
  // An admitted request. True when it blocked and will answer later.
  bool run_admitted(SessionState& session, Args args, ReplySink& reply) {
    return invoke(session, *session.last_command, args, reply, Origin::kClient, Attempt::kFirst);
  }
  // The command with which the session waits, once more. True when it has answered; it waits no longer.
  bool retry(SessionState& session, ReplySink& reply, Attempt attempt);
  // Executor.
  void run(SessionState& session, Args args, Origin origin, ReplySink& reply) override;

  const RequestLimits& limits(const SessionState& session) const {
    const HotSettings& hot = server_.settings.hot();
    return needs_password(session) ? hot.stranger_limits : hot.request_limits;
  }

 private:
  // Who was connected before there was a password may be asked for it; who did not give it is free when there
  // is none any more.
  bool needs_password(const SessionState& session) const {
    return !session.authenticated() && server_.settings.hot().password_required;
  }
  bool lacks_memory(const SessionState& session, const CommandSpec& spec) const;
  static void queue(Transaction& transaction, const CommandSpec& spec, Args args);
  bool held_by_pause(const SessionState& session, const CommandSpec& spec, Args args);
  bool may_write(const CommandSpec& spec, Args args);
  Gate pass_gates(SessionState& session, const CommandSpec& spec, Args args, ReplySink& reply, Beside beside);
  // The command (nullptr: unknown) does not run. A transaction remembers; EXEC itself ends it.
  void refuse(SessionState& session, const CommandSpec* spec, ReplySink& reply, std::string_view text);
  void refuse_unknown(SessionState& session, Args args, ReplySink& reply);
  void run_in_script(SessionState& session, Args args, Origin origin, ReplySink& reply);
  bool invoke(SessionState& session, const CommandSpec& spec, Args args, ReplySink& reply, Origin origin,
              Attempt attempt);

  Server& server_;
};

}  // namespace lockstep
