// Who speaks, in which protocol, to which database.
#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

// There is one user, "default". Without requirepass any password will do for it, as in Redis.
bool password_fits(Call& call, std::string_view user, std::string_view password) {
  const std::string_view required = call.server.settings.text("requirepass");
  return user == "default" && (required.empty() || equal_secrets(required, password));
}

void auth(Call& call) {
  for (size_t i = 1; i < call.args.size(); ++i) call.hide(i);
  if (call.args.size() > 3) return call.reply.error(errors::kSyntax);
  const bool named = call.args.size() == 3;
  if (!named && call.server.settings.text("requirepass").empty())
    return call.reply.error(errors::kNoPasswordSet);
  if (!password_fits(call, named ? call.args[1] : "default", call.args.back()))
    return call.reply.error(errors::kWrongPassword);
  call.session.set_authenticated(true);
  call.reply.ok();
}

struct HelloOptions {
  std::string_view user;
  std::string_view password;
  std::string_view name;
  bool with_password = false;
  bool with_name = false;
};

bool read_hello_options(Call& call, HelloOptions& hello) {
  ArgReader options(call, 2);
  while (options.more()) {
    if (options.left() >= 3 && options.word("AUTH")) {
      call.hide(call.args.size() - options.left());
      call.hide(call.args.size() - options.left() + 1);
      hello.user = options.next();
      hello.password = options.next();
      hello.with_password = true;
    } else if (options.value("SETNAME", hello.name)) {
      hello.with_name = true;
      if (!valid_client_text(hello.name)) options.fail(errors::kBadClientName);
    } else {
      options.fail("ERR Syntax error in HELLO option '" + errors::as_c_string(options.peek()) + "'");
    }
  }
  return options.finish();
}

void reply_hello(Call& call) {
  ReplySink& reply = call.reply;
  reply.map(7);
  reply.bulk("server");
  reply.bulk("redis");
  reply.bulk("version");
  reply.bulk(call.server.settings.text("redis-version"));
  reply.bulk("proto");
  reply.integer(static_cast<int64_t>(call.session.protocol));
  reply.bulk("id");
  reply.integer(static_cast<int64_t>(call.session.id));
  reply.bulk("mode");
  reply.bulk("standalone");
  reply.bulk("role");
  reply.bulk("master");
  reply.bulk("modules");
  reply.array(0);
}

void hello(Call& call) {
  Protocol protocol = call.session.protocol;
  if (call.args.size() > 1) {
    const auto version = parse_integer(call.args[1]);
    if (!version) return call.reply.error(errors::kProtocolNotAnInteger);
    if (*version != 2 && *version != 3) return call.reply.error(errors::kNoProto);
    protocol = static_cast<Protocol>(*version);
  }
  HelloOptions options;
  if (!read_hello_options(call, options)) return;
  if (options.with_password) {
    if (!password_fits(call, options.user, options.password)) return call.reply.error(errors::kWrongPassword);
    call.session.set_authenticated(true);
  }
  if (!call.session.authenticated()) return call.reply.error(errors::kNoAuthHello);
  if (options.with_name) call.session.name = options.name;
  call.session.protocol = protocol;
  call.session.refresh_gates();
  reply_hello(call);
}

void ping(Call& call) {
  if (call.args.size() > 2) return call.reply.error(errors::wrong_arity(call.spec.name));
  const bool with_text = call.args.size() == 2;
  if ((call.session.gates & kGateSubscribedResp2) != 0) {
    // A RESP2 subscriber could not tell a plain PONG from a message.
    call.reply.array(2);
    call.reply.bulk("pong");
    return call.reply.bulk(with_text ? call.args[1] : "");
  }
  with_text ? call.reply.bulk(call.args[1]) : call.reply.status("PONG");
}

void echo(Call& call) { call.reply.bulk(call.args[1]); }

void quit(Call& call) {
  call.session.close_after_reply = true;
  call.reply.ok();
}

void reset(Call& call) {
  SessionState& session = call.session;
  session.transaction.reset();
  call.server.watches.unwatch_all(session);
  call.server.pubsub.leave_all(session);
  call.server.recorder.monitors.remove(session);
  session.database = 0;
  session.protocol = Protocol::kResp2;
  session.name.clear();
  session.set_authenticated(call.server.settings.text("requirepass").empty());
  session.refresh_gates();
  call.reply.status("RESET");
}

void select(Call& call) {
  const auto number = read_integer(call, call.args[1]);
  if (!number) return;
  if (*number < INT32_MIN || *number > INT32_MAX) return call.reply.error(errors::kNotAnInt32);
  if (*number < 0 || *number >= call.server.databases.count())
    return call.reply.error(errors::kDatabaseOutOfRange);
  call.session.database = static_cast<int>(*number);
  call.reply.ok();
}

constexpr CommandSpec kConnection[] = {
    {.name = "auth", .arity = -2, .flags = kNoScript | kLoading | kStale | kFast | kNoAuth | kAllowBusy,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Shows the password.",
     .syntax = "[username] password",
     .example = "AUTH secret", .handler = auth},
    {.name = "echo", .arity = 2, .flags = kLoading | kStale | kFast,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Answers its argument.",
     .syntax = "message",
     .example = "ECHO hello", .handler = echo},
    {.name = "hello", .arity = -1, .flags = kNoScript | kLoading | kStale | kFast | kNoAuth | kAllowBusy,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "6.0.0",
     .complexity = "O(1)",
     .summary = "Introduces the connection and chooses its protocol.",
     .syntax = "[protover [AUTH username password] [SETNAME clientname]]",
     .example = "HELLO 3", .handler = hello},
    {.name = "ping", .arity = -1, .flags = kFast,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Answers PONG, or its argument.",
     .syntax = "[message]",
     .example = "PING", .handler = ping},
    {.name = "quit", .arity = -1, .flags = kNoScript | kLoading | kStale | kFast | kNoAuth | kAllowBusy,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Closes the connection.",
     .syntax = "",
     .example = "QUIT", .handler = quit},
    {.name = "reset", .arity = 1, .flags = kNoScript | kLoading | kStale | kFast | kNoAuth | kAllowBusy,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "Makes the connection as new.",
     .syntax = "",
     .example = "RESET", .handler = reset},
    {.name = "select", .arity = 2, .flags = kLoading | kStale | kFast,
     .categories = kAclConnection, .group = CommandGroup::kConnection, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Chooses the connection's database.",
     .syntax = "index",
     .example = "SELECT 1", .handler = select},
};
static_assert(well_formed(kConnection));

}  // namespace

std::span<const CommandSpec> connection_commands() { return kConnection; }

}  // namespace lockstep
