// The handlers and rows of test_commands.h.
#include "tests/support/test_commands.h"

#include <vector>

#include "protocol/error_texts.h"
#include "server/commands/table.h"
#include "server/engine/arg_reader.h"

namespace lockstep::tests {
namespace {

// The last step of every handler here: there is nothing to take (yet).
void wait_for(Call& call, Args keys, int64_t timeout_ms) {
  if (!call.can_block || call.attempt == Attempt::kTimedOut) return call.reply.null();
  call.block_on(keys, ValueType::kString, timeout_ms == 0 ? INT64_MAX : call.now().ms() + timeout_ms);
}

// The last argument, or nothing after having answered the error.
std::optional<int64_t> read_timeout(Call& call) {
  const auto timeout_ms = read_integer(call, call.args.back());
  if (!timeout_ms || (*timeout_ms >= 0 && *timeout_ms <= INT64_MAX / 2000)) return timeout_ms;
  call.reply.error(errors::kNotAnInteger);
  return std::nullopt;
}

// Strings alone: a key of another type is as good as none.
Keyspace::Location locate_string(Call& call, std::string_view key) {
  Keyspace::Location at = call.keys.locate(key);
  if (at && at->type() != ValueType::kString) at.entry = nullptr;
  return at;
}

void test_wait(Call& call) {
  const auto timeout_ms = read_timeout(call);
  if (!timeout_ms) return;
  const Args keys = call.args.subspan(1, call.args.size() - 2);
  for (const std::string_view key : keys) {
    Keyspace::Location at = locate_string(call, key);
    if (!at) continue;
    call.reply.bulk(at->value());
    return call.keys.erase(at);
  }
  wait_for(call, keys, *timeout_ms);
}

void test_match(Call& call) {
  const auto timeout_ms = read_timeout(call);
  if (!timeout_ms) return;
  Keyspace::Location at = locate_string(call, call.args[1]);
  if (!at || at->value() != call.args[2]) return wait_for(call, call.args.subspan(1, 1), *timeout_ms);
  call.reply.bulk(at->value());
  call.keys.erase(at);
}

void test_move(Call& call) {
  const auto timeout_ms = read_timeout(call);
  if (!timeout_ms) return;
  Keyspace::Location from = locate_string(call, call.args[1]);
  if (!from) return wait_for(call, call.args.subspan(1, 1), *timeout_ms);
  const std::string value(from->value());
  call.keys.erase(from);
  Keyspace::Location to = call.keys.locate(call.args[2]);
  call.keys.put(to, value);
  call.server.pubsub.publish(call.args[2], value);
  call.reply.bulk(value);
}

constexpr CommandSpec kTestRows[] = {
    {.name = "testmatch", .arity = 4, .flags = kWrite | kBlocking,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}}},
     .categories = 0, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Takes a key once it holds a value.",
     .syntax = "key value timeout-ms",
     .example = "TESTMATCH k v 100", .handler = test_match},
    {.name = "testmove", .arity = 4, .flags = kWrite | kBlocking,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}, {kKeyRW | kKeyInsert, 2, 0, 1}}},
     .categories = 0, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Takes a key and stores it under another name.",
     .syntax = "from to timeout-ms",
     .example = "TESTMOVE a b 100", .handler = test_move},
    {.name = "testwait", .arity = -3, .flags = kWrite | kBlocking,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, -2, 1}}},
     .categories = 0, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "Takes the first of the keys that exists.",
     .syntax = "key [key ...] timeout-ms",
     .example = "TESTWAIT k 100", .handler = test_wait},
};
static_assert(well_formed(kTestRows));

// The real rows, as CommandTable tells them, and the ones above.
std::vector<CommandSpec> all_rows() {
  std::vector<CommandSpec> rows(std::begin(kTestRows), std::end(kTestRows));
  for (const CommandSpec* spec : command_table().commands()) {
    rows.push_back(*spec);
    for (const CommandSpec* subcommand : command_table().subcommands(*spec)) rows.push_back(*subcommand);
  }
  return rows;
}

}  // namespace

std::span<const CommandSpec> test_commands() { return kTestRows; }

const CommandTable& table_with_test_commands() {
  static const std::vector<CommandSpec> rows = all_rows();
  static const std::span<const CommandSpec> families[] = {rows};
  static const CommandTable table(families);
  return table;
}

}  // namespace lockstep::tests
