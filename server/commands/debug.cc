// DEBUG: what tests of clients and servers ask for. Refused unless enable-debug-command lets the client, which
// the dispatcher sees to (kGuarded).
#include <algorithm>
#include <array>
#include <string>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"
#include "server/store/dump.h"
#include "server/store/encoding.h"

namespace lockstep {
namespace {

// The process pauses as a whole, as in Redis. Where time is moved by hand nothing passes.
void pause(Call& call) {
  constexpr double kMaxSeconds = 1e9;
  const double seconds = std::min(parse_double(call.args[2]).value_or(0), kMaxSeconds);
  if (seconds > 0 && call.server.shell.sleep) call.server.shell.sleep(static_cast<int64_t>(seconds * 1e6));
  call.reply.ok();
}

void set_active_expire(Call& call) {
  call.server.active_expire = parse_integer(call.args[2]).value_or(0) != 0;
  call.reply.ok();
}

void reply_map(ReplySink& reply) {
  reply.map(3);
  for (int i = 0; i < 3; ++i) {
    reply.integer(i);
    reply.boolean(i == 1);
  }
}

void reply_push(Call& call) {
  if (call.session.protocol == Protocol::kResp2) return call.reply.error(errors::kNotInResp2);
  call.reply.bulk("Some real reply following the push reply");
  call.reply.push(2);
  call.reply.bulk("server-cpu-usage");
  call.reply.integer(42);
}

void three_integers(ReplySink& reply) {
  for (int i = 0; i < 3; ++i) reply.integer(i);
}

// Where the value lies and when it was used last is told nobody: no address reaches a reply.
void object(Call& call) {
  constexpr size_t kTypeAndFooterBytes = 11;
  const Keyspace::Location at = call.keys.locate(call.args[2]);
  if (!at) return call.reply.error(errors::kNoSuchKey);
  const size_t bytes = dump_value(*at.entry).size() - kTypeAndFooterBytes;
  std::string text = "Value at:0x0 refcount:1 encoding:";
  text.append(encoding_name(*at.entry)).append(" serializedlength:").append(std::to_string(bytes));
  call.reply.status(text + " lru:0 lru_seconds_idle:0");
}

// One value of each type, those of Redis.
void protocol(Call& call) {
  ReplySink& reply = call.reply;
  const auto is = [type = call.args[2]](std::string_view name) { return equals_ignoring_case(type, name); };
  if (is("string")) return reply.bulk("Hello World");
  if (is("integer")) return reply.integer(12345);
  if (is("double")) return reply.number(3.141);
  if (is("bignum")) return reply.big_number("1234567999999999999999999999999999999");
  if (is("null")) return reply.null();
  if (is("map")) return reply_map(reply);
  if (is("push")) return reply_push(call);
  if (is("attrib")) return reply.bulk("Some real reply following the attribute");
  if (is("verbatim")) return reply.verbatim("txt", "This is a verbatim\nstring");
  if (is("true") || is("false")) return reply.boolean(is("true"));
  if (is("array")) {
    reply.array(3);
  } else if (is("set")) {
    reply.set(3);
  } else {
    return reply.error(errors::kUnknownReplyType);
  }
  three_integers(reply);
}

void help(Call& call) {
  static constexpr std::string_view kLines[] = {
      "DEBUG <subcommand> [<arg> [value] [opt] ...]. Subcommands are:",
      "OBJECT <key>",
      "    Show low level info about `key` and associated value.",
      "PROTOCOL <type>",
      "    Reply with a test value of the specified type. <type> can be: string,",
      "    integer, double, bignum, null, array, set, map, attrib, push, verbatim,",
      "    true, false.",
      "SET-ACTIVE-EXPIRE <0|1>",
      "    Setting it to 0 disables expiring keys in background when they are not",
      "    accessed. Setting it to 1 reenables back the default.",
      "SLEEP <seconds>",
      "    Stop the server for <seconds>. Decimals allowed.",
      "HELP",
      "    Print this help.",
  };
  call.reply.array(std::size(kLines));
  for (const std::string_view line : kLines) call.reply.status(line);
}

struct Subcommand {
  std::string_view name;
  size_t arguments;  // behind the name
  Handler handler;
};

constexpr std::array kSubcommands = {
    Subcommand{"help", 0, help},
    Subcommand{"object", 1, object},
    Subcommand{"protocol", 1, protocol},
    Subcommand{"set-active-expire", 1, set_active_expire},
    Subcommand{"sleep", 1, pause},
};

// In Redis' table this is no container: its subcommands are known to nobody else.
void debug(Call& call) {
  for (const Subcommand& subcommand : kSubcommands)
    if (equals_ignoring_case(call.args[1], subcommand.name) && call.args.size() == 2 + subcommand.arguments)
      return subcommand.handler(call);
  call.reply.error(errors::bad_subcommand_use("debug", call.args[1]));
}

constexpr CommandSpec kDebug[] = {
    {.name = "debug", .arity = -2, .flags = kAdmin | kNoScript | kLoading | kStale | kGuarded,
     .categories = 0, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "Depends on subcommand.",
     .summary = "What helps testing. Needs the option enable-debug-command.",
     .syntax = "subcommand [argument [argument ...]]",
     .example = "DEBUG PROTOCOL string", .handler = debug},
};
static_assert(well_formed(kDebug));

}  // namespace

std::span<const CommandSpec> debug_commands() { return kDebug; }

}  // namespace lockstep
