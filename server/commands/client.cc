// CLIENT: what connections there are and what they are called.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/client_types.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void client_id(Call& call) { call.reply.integer(static_cast<int64_t>(call.session.id)); }

void client_getname(Call& call) {
  call.session.name.empty() ? call.reply.null() : call.reply.bulk(call.session.name);
}

void client_setname(Call& call) {
  if (!valid_client_text(call.args[2])) return call.reply.error(errors::kBadClientName);
  call.session.name = call.args[2];
  call.reply.ok();
}

// Redis 7.2 and newer (https://redis.io/docs/latest/commands/client-setinfo/).
void client_setinfo(Call& call) {
  const std::string attribute = errors::as_c_string(call.args[2]);
  const bool is_name = equals_ignoring_case(attribute, "lib-name");
  if (!is_name && !equals_ignoring_case(attribute, "lib-ver"))
    return call.reply.error("ERR Unrecognized option '" + attribute + "'");
  if (!valid_client_text(call.args[3]))
    return call.reply.error("ERR " + attribute + " cannot contain spaces, newlines or special characters.");
  (is_name ? call.session.library_name : call.session.library_version) = call.args[3];
  call.reply.ok();
}

std::string flags_of(const SessionState& session, const SessionFigures& figures) {
  std::string flags;
  if (session.monitors) flags += 'O';
  if (session.subscription_count() > 0) flags += 'P';
  if (session.in_transaction()) flags += 'x';
  if (figures.blocked) flags += 'b';
  if (session.watch_broken) flags += 'd';
  if (session.close_after_reply) flags += 'c';
  if (session.endpoint.unix_socket) flags += 'U';
  if (session.no_evict) flags += 'e';
  if (session.no_touch) flags += 'T';
  return flags.empty() ? "N" : flags;
}

class Line {
 public:
  void add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_ += ' ';
    text_.append(name).append("=").append(value);
  }
  void add(std::string_view name, int64_t value) { add(name, integer_text(value)); }
  void add(std::string_view name, size_t value) { add(name, static_cast<int64_t>(value)); }
  std::string take() { return std::move(text_) + "\n"; }

 private:
  std::string text_;
};

// The fields of Redis 7.4, in its order; those of buffers that Lockstep does not have are zero.
std::string describe(const Server& server, const SessionState& session, const SessionFigures& figures) {
  Line line;
  line.add("id", static_cast<int64_t>(session.id));
  line.add("addr", session.endpoint.address);
  line.add("laddr", session.endpoint.local_address);
  line.add("fd", static_cast<int64_t>(session.endpoint.descriptor));
  line.add("name", session.name);
  line.add("age", (server.now().us - session.opened_at.us) / 1'000'000);
  line.add("idle", (server.now().us - session.last_command_at.us) / 1'000'000);
  line.add("flags", flags_of(session, figures));
  line.add("db", static_cast<int64_t>(session.database));
  line.add("sub", session.subscriptions ? session.subscriptions->channels.size() : 0);
  line.add("psub", session.subscriptions ? session.subscriptions->patterns.size() : 0);
  line.add("ssub", size_t{0});
  line.add("multi", session.transaction ? static_cast<int64_t>(session.transaction->queue.size()) : -1);
  line.add("watch", session.watched.size());
  line.add("qbuf", figures.input_bytes);
  line.add("qbuf-free", size_t{0});
  line.add("argv-mem", size_t{0});
  line.add("multi-mem", size_t{0});
  line.add("rbs", size_t{0});
  line.add("rbp", size_t{0});
  line.add("obl", size_t{0});
  line.add("oll", size_t{0});
  line.add("omem", figures.output_bytes);
  line.add("tot-mem", figures.memory_bytes);
  line.add("events", "r");
  line.add("cmd", session.last_command != nullptr ? session.last_command->name : "NULL");
  line.add("user", session.authenticated() ? "default" : "(superuser)");
  line.add("redir", int64_t{-1});
  line.add("resp", static_cast<int64_t>(session.protocol));
  line.add("lib-name", session.library_name);
  line.add("lib-ver", session.library_version);
  return line.take();
}

void client_info(Call& call) {
  call.reply.verbatim("txt", describe(call.server, call.session, call.server.sessions.figures(call.session)));
}

void reply_list(Call& call, const std::function<bool(const SessionState&)>& wanted) {
  std::string lines;
  call.server.sessions.for_each([&](const SessionState& session, const SessionFigures& figures) {
    if (wanted(session)) lines += describe(call.server, session, figures);
  });
  call.reply.verbatim("txt", lines);
}

void list_ids(Call& call) {
  std::vector<int64_t> ids;
  for (const std::string_view text : call.args.subspan(3)) {
    const auto id = parse_integer(text);
    if (!id) return call.reply.error(errors::kInvalidClientId);
    ids.push_back(*id);
  }
  // In the order asked for.
  std::map<int64_t, std::string> lines;
  call.server.sessions.for_each([&](const SessionState& session, const SessionFigures& figures) {
    const auto id = static_cast<int64_t>(session.id);
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) lines[id] = describe(call.server, session, figures);
  });
  std::string text;
  for (const int64_t id : ids) text += lines[id];
  call.reply.verbatim("txt", text);
}

void client_list(Call& call) {
  if (call.args.size() == 2) return reply_list(call, [](const SessionState&) { return true; });
  if (call.args.size() == 4 && equals_ignoring_case(call.args[2], "type")) {
    const auto type = client_type_named(call.args[3]);
    if (!type) return call.reply.error(errors::unknown_client_type(call.args[3]));
    return reply_list(call, [&](const SessionState& session) { return client_type_of(session) == *type; });
  }
  if (call.args.size() > 3 && equals_ignoring_case(call.args[2], "id")) return list_ids(call);
  call.reply.error(errors::kSyntax);
}

constexpr CommandSpec kClient[] = {
    {.name = "client", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kConnection, .since = "2.4.0",
     .complexity = "Depends on the subcommand",
     .summary = "What concerns this and other connections.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "client|getname", .arity = 2, .flags = kNoScript | kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "2.6.9",
     .complexity = "O(1)",
     .summary = "The connection's name.",
     .syntax = "",
     .example = "CLIENT GETNAME", .handler = client_getname},
    {.name = "client|id", .arity = 2, .flags = kNoScript | kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "5.0.0",
     .complexity = "O(1)",
     .summary = "The connection's number.",
     .syntax = "",
     .example = "CLIENT ID", .handler = client_id},
    {.name = "client|info", .arity = 2, .flags = kNoScript | kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "What CLIENT LIST says of this connection.",
     .syntax = "",
     .example = "CLIENT INFO", .handler = client_info},
    {.name = "client|list", .arity = -2, .flags = kAdmin | kNoScript | kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "2.4.0",
     .complexity = "O(N) in the number of connections",
     .summary = "All connections, a line each.",
     .syntax = "[TYPE <NORMAL | MASTER | REPLICA | PUBSUB>] [ID client-id [client-id ...]]",
     .example = "CLIENT LIST", .handler = client_list},
    {.name = "client|setinfo", .arity = 4, .flags = kNoScript | kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "7.2.0",
     .complexity = "O(1)",
     .summary = "Tells which library speaks.",
     .syntax = "<LIB-NAME libname | LIB-VER libver>",
     .example = "CLIENT SETINFO LIB-NAME ioredis", .handler = client_setinfo},
    {.name = "client|setname", .arity = 3, .flags = kNoScript | kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "2.6.9",
     .complexity = "O(1)",
     .summary = "Names the connection.",
     .syntax = "connection-name",
     .example = "CLIENT SETNAME buyer-1", .handler = client_setname},
};
static_assert(well_formed(kClient));

}  // namespace

std::span<const CommandSpec> client_commands() { return kClient; }

}  // namespace lockstep
