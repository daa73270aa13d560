// CLIENT: what one connection may do to the others, and how it wants to be treated itself.
#include <optional>
#include <string>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/client_types.h"
#include "server/commands/container_help.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

// CLIENT KILL ---------------------------------------------------------------------------------------

struct KillFilter {
  std::optional<uint64_t> id;
  std::optional<ClientType> type;
  std::optional<std::string_view> address;
  std::optional<std::string_view> local_address;
  std::optional<int64_t> max_age_s;
  bool skip_me = true;

  bool matches(const SessionState& session, Instant now) const {
    if (id && session.id != *id) return false;
    if (type && client_type_of(session) != *type) return false;
    if (address && session.endpoint.address != *address) return false;
    if (local_address && session.endpoint.local_address != *local_address) return false;
    return !max_age_s || (now.us - session.opened_at.us) / 1'000'000 >= *max_age_s;
  }
};

bool read_id(ArgReader& options, std::string_view text, KillFilter& filter) {
  const auto id = parse_integer(text);
  if (!id || *id < 1) options.fail(errors::kClientIdNotPositive);
  filter.id = static_cast<uint64_t>(id.value_or(0));
  return true;
}

bool read_max_age(ArgReader& options, std::string_view text, KillFilter& filter) {
  const auto seconds = parse_integer(text);
  if (!seconds) {
    options.fail(errors::kMaxAgeNotAnInteger);
  } else if (*seconds < 1) {
    options.fail(errors::kMaxAgeNotPositive);
  }
  filter.max_age_s = seconds;
  return true;
}

bool read_kill_option(ArgReader& options, KillFilter& filter) {
  std::string_view text;
  if (options.value("ID", text)) return read_id(options, text, filter);
  if (options.value("MAXAGE", text)) return read_max_age(options, text, filter);
  if (options.value("ADDR", text)) {
    filter.address = text;
  } else if (options.value("LADDR", text)) {
    filter.local_address = text;
  } else if (options.value("TYPE", text)) {
    filter.type = client_type_named(text);
    if (!filter.type) options.fail(errors::unknown_client_type(text));
  } else if (options.value("USER", text)) {
    if (text != "default") options.fail(errors::no_such_user(text));
  } else if (options.value("SKIPME", text)) {
    filter.skip_me = equals_ignoring_case(text, "yes");
    if (!filter.skip_me && !equals_ignoring_case(text, "no")) options.fail(errors::kSyntax);
  } else {
    return false;
  }
  return true;
}

int64_t kill_matching(Call& call, const KillFilter& filter) {
  int64_t killed = 0;
  call.server.sessions.for_each([&](SessionState& session, const SessionFigures&) {
    if (session.close_after_reply || !filter.matches(session, call.now())) return;
    if (&session == &call.session && filter.skip_me) return;
    call.server.sessions.kill(session, call.session);
    ++killed;
  });
  return killed;
}

// The old form names one address and may name one's own.
void client_kill(Call& call) {
  KillFilter filter;
  if (call.args.size() == 3) {
    filter.address = call.args[2];
    filter.skip_me = false;
    return kill_matching(call, filter) > 0 ? call.reply.ok() : call.reply.error(errors::kNoSuchClient);
  }
  ArgReader options(call, 2);
  while (options.more())
    if (!read_kill_option(options, filter)) options.fail(errors::kSyntax);
  if (options.finish()) call.reply.integer(kill_matching(call, filter));
}

// CLIENT PAUSE, CLIENT UNBLOCK ----------------------------------------------------------------------

void client_pause(Call& call) {
  if (call.args.size() > 4) return call.reply.error(errors::bad_subcommand_use("client", call.args[1]));
  auto scope = Pause::Scope::kAll;
  if (call.args.size() == 4) {
    const bool all = equals_ignoring_case(call.args[3], "all");
    if (!all && !equals_ignoring_case(call.args[3], "write")) return call.reply.error(errors::kPauseMode);
    if (!all) scope = Pause::Scope::kWrites;
  }
  const auto timeout_ms = parse_integer(call.args[2]);
  if (!timeout_ms) return call.reply.error(errors::kTimeoutNotAnInteger);
  if (*timeout_ms < 0) return call.reply.error(errors::kTimeoutNegative);
  if (*timeout_ms > INT64_MAX - call.server.wall.unix_ms()) return call.reply.error(errors::kTimeoutOutOfRange);
  Pause& pause = call.server.pause;
  if (*timeout_ms > 0 || pause.active()) pause.begin(scope, call.now().ms() + *timeout_ms);
  call.reply.ok();
}

void client_unpause(Call& call) {
  call.server.pause.end();
  call.reply.ok();
}

void client_unblock(Call& call) {
  if (call.args.size() > 4) return call.reply.error(errors::bad_subcommand_use("client", call.args[1]));
  auto how = Waiters::Release::kTimeout;
  if (call.args.size() == 4) {
    if (equals_ignoring_case(call.args[3], "error")) {
      how = Waiters::Release::kError;
    } else if (!equals_ignoring_case(call.args[3], "timeout")) {
      return call.reply.error(errors::kUnblockReason);
    }
  }
  const auto id = read_integer(call, call.args[2]);
  if (!id) return;
  bool released = false;
  call.server.sessions.for_each([&](const SessionState& session, const SessionFigures&) {
    if (session.id == static_cast<uint64_t>(*id)) released = call.server.waiters.release(session, how);
  });
  call.reply.integer(released ? 1 : 0);
}

// Of the connection itself --------------------------------------------------------------------------

void client_reply(Call& call) {
  ReplyMode& mode = call.session.reply_mode;
  const std::string_view word = call.args[2];
  if (equals_ignoring_case(word, "on")) {
    mode = ReplyMode::kOn;
  } else if (equals_ignoring_case(word, "off")) {
    mode = ReplyMode::kOff;
  } else if (equals_ignoring_case(word, "skip")) {
    if (mode != ReplyMode::kOff) mode = ReplyMode::kSkipNext;
  } else {
    return call.reply.error(errors::kSyntax);
  }
  call.reply.ok();  // seen after ON alone
}

void read_switch(Call& call, bool& into) {
  const bool on = equals_ignoring_case(call.args[2], "on");
  if (!on && !equals_ignoring_case(call.args[2], "off")) return call.reply.error(errors::kSyntax);
  into = on;
  call.reply.ok();
}

// Nothing is evicted and no use of keys is counted, so there is nothing to spare this client from.
void client_no_evict(Call& call) { read_switch(call, call.session.no_evict); }
void client_no_touch(Call& call) { read_switch(call, call.session.no_touch); }

// There is no tracking: what Redis answers to those who do not use it.
void client_getredir(Call& call) { call.reply.integer(-1); }

void client_trackinginfo(Call& call) {
  call.reply.map(3);
  call.reply.bulk("flags");
  call.reply.set(1);
  call.reply.bulk("off");
  call.reply.bulk("redirect");
  call.reply.integer(-1);
  call.reply.bulk("prefixes");
  call.reply.array(0);
}

void client_help(Call& call) { container_help(call); }

constexpr uint32_t kAboutOneself = kNoScript | kLoading | kStale;
constexpr uint32_t kAboutOthers = kAdmin | kNoScript | kLoading | kStale;

constexpr CommandSpec kClientControl[] = {
    {.name = "client|getredir", .arity = 2, .flags = kAboutOneself,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "6.0.0",
     .complexity = "O(1)",
     .summary = "Where tracking messages of this connection go: nowhere, there is no tracking.",
     .syntax = "",
     .example = "CLIENT GETREDIR", .handler = client_getredir},
    {.name = "client|help", .arity = 2, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "5.0.0",
     .complexity = "O(1)",
     .summary = "Print this help.",
     .syntax = "",
     .example = "CLIENT HELP", .handler = client_help},
    {.name = "client|kill", .arity = -3, .flags = kAboutOthers,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "2.4.0",
     .complexity = "O(N) in the number of connections",
     .summary = "Closes connections.",
     .syntax = "<ip:port | <ID client-id | TYPE <NORMAL | MASTER | REPLICA | PUBSUB> | USER username | ADDR ip:port | "
               "LADDR ip:port | SKIPME <YES | NO> | MAXAGE maxage> [ID client-id | TYPE <NORMAL | MASTER | REPLICA | "
               "PUBSUB> | USER username | ADDR ip:port | LADDR ip:port | SKIPME <YES | NO> | MAXAGE maxage ...]>",
     .example = "CLIENT KILL ID 7", .handler = client_kill},
    {.name = "client|no-evict", .arity = 3, .flags = kAboutOthers,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "7.0.0",
     .complexity = "O(1)",
     .summary = "Spares this connection when memory is short; none is evicted anyway.",
     .syntax = "<ON | OFF>",
     .example = "CLIENT NO-EVICT ON", .handler = client_no_evict},
    {.name = "client|no-touch", .arity = 3, .flags = kAboutOneself,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "7.2.0",
     .complexity = "O(1)",
     .summary = "Leaves the times of last use of keys as they are.",
     .syntax = "<ON | OFF>",
     .example = "CLIENT NO-TOUCH ON", .handler = client_no_touch},
    {.name = "client|pause", .arity = -3, .flags = kAboutOthers,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "3.0.0",
     .complexity = "O(1)",
     .summary = "Holds back the requests of all connections, or those that write, for a time in milliseconds.",
     .syntax = "timeout [WRITE | ALL]",
     .example = "CLIENT PAUSE 100 WRITE", .handler = client_pause},
    {.name = "client|reply", .arity = 3, .flags = kAboutOneself,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "3.2.0",
     .complexity = "O(1)",
     .summary = "Whether this connection gets replies; SKIP: all but the next.",
     .syntax = "<ON | OFF | SKIP>",
     .example = "CLIENT REPLY ON", .handler = client_reply},
    {.name = "client|trackinginfo", .arity = 2, .flags = kAboutOneself,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "How this connection is tracked: it is not.",
     .syntax = "",
     .example = "CLIENT TRACKINGINFO", .handler = client_trackinginfo},
    {.name = "client|unblock", .arity = -3, .flags = kAboutOthers,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "5.0.0",
     .complexity = "O(N) in the number of connections",
     .summary = "Ends the waiting of another connection, by its time-out reply or an error.",
     .syntax = "client-id [TIMEOUT | ERROR]",
     .example = "CLIENT UNBLOCK 7 ERROR", .handler = client_unblock},
    {.name = "client|unpause", .arity = 2, .flags = kAboutOthers,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "6.2.0",
     .complexity = "O(N) in the number of connections held back",
     .summary = "Ends a pause.",
     .syntax = "",
     .example = "CLIENT UNPAUSE", .handler = client_unpause},
};
static_assert(well_formed(kClientControl));

}  // namespace

std::span<const CommandSpec> client_control_commands() { return kClientControl; }

}  // namespace lockstep
