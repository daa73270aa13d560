// The commands that copy or move keys across databases, and SWAPDB.
#include <optional>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

bool is_int32(int64_t number) { return number >= INT32_MIN && number <= INT32_MAX; }

// What is wrong with a text as the number of a database; empty when nothing is.
std::string_view fault_of_database(Call& call, std::string_view text) {
  const auto number = parse_integer(text);
  if (!number) return errors::kNotAnInteger;
  if (!is_int32(*number)) return errors::kNotAnInt32;
  if (*number < 0 || *number >= call.server.databases.count()) return errors::kDatabaseOutOfRange;
  return {};
}

Keyspace& database_named(Call& call, std::string_view number) {
  return call.server.databases[static_cast<int>(*parse_integer(number))];
}

void copy(Call& call) {
  Keyspace* target_keys = &call.keys;
  bool replace = false;
  ArgReader options(call, 3);
  std::string_view number;
  while (options.more()) {
    if (options.word("REPLACE")) {
      replace = true;
    } else if (!options.value("DB", number)) {
      options.fail(errors::kSyntax);
    } else if (const auto fault = fault_of_database(call, number); !fault.empty()) {
      options.fail(fault);
    } else {
      target_keys = &database_named(call, number);
    }
  }
  if (!options.finish()) return;
  const std::string_view to = call.args[2];
  if (target_keys == &call.keys && call.args[1] == to) return call.reply.error(errors::kSameObject);
  const Location source = call.look_up(call.args[1]);
  if (!source) return call.reply.integer(0);
  Location target = target_keys->locate(to);
  if (target && !replace) return call.reply.integer(0);
  target_keys->copy(*source.entry, target);
  call.server.notify(target_keys->number(), kEventGeneric, "copy_to", to);
  call.reply.integer(1);
}

void move(Call& call) {
  const std::string_view key = call.args[1];
  if (const auto fault = fault_of_database(call, call.args[2]); !fault.empty()) return call.reply.error(fault);
  Keyspace& target_keys = database_named(call, call.args[2]);
  if (&target_keys == &call.keys) return call.reply.error(errors::kSameObject);
  Location source = call.keys.locate(key);
  if (!source || target_keys.locate(key)) return call.reply.integer(0);
  call.keys.move(source, target_keys);
  call.notify(kEventGeneric, "move_from", key);
  call.server.notify(target_keys.number(), kEventGeneric, "move_to", key);
  call.reply.integer(1);
}

void swapdb(Call& call) {
  const auto first = parse_integer(call.args[1]);
  if (!first || !is_int32(*first)) return call.reply.error(errors::kInvalidFirstDatabase);
  const auto second = parse_integer(call.args[2]);
  if (!second || !is_int32(*second)) return call.reply.error(errors::kInvalidSecondDatabase);
  Databases& databases = call.server.databases;
  for (const int64_t number : {*first, *second})
    if (number < 0 || number >= databases.count()) return call.reply.error(errors::kDatabaseOutOfRange);
  databases.swap(static_cast<int>(*first), static_cast<int>(*second));
  call.reply.ok();
}

constexpr CommandSpec kKeyMoves[] = {
    {.name = "copy", .arity = -3, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}, {kKeyOW | kKeyUpdate, 2, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "6.2.0",
     .complexity = "O(N) in the size of the value",
     .summary = "Copies a key with its time to live.",
     .syntax = "source destination [DB destination-db] [REPLACE]",
     .example = "COPY a b", .handler = copy},
    {.name = "move", .arity = 3, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Moves a key to another database, unless that has it.",
     .syntax = "key db",
     .example = "MOVE a 1", .handler = move},
    {.name = "swapdb", .arity = 3, .flags = kWrite | kFast,
     .categories = kAclKeyspace | kAclDangerous, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "O(N) in the number of keys that are watched or waited for",
     .summary = "Gives two databases each other's keys.",
     .syntax = "index1 index2",
     .example = "SWAPDB 0 1", .handler = swapdb},
};
static_assert(well_formed(kKeyMoves));

}  // namespace

std::span<const CommandSpec> key_move_commands() { return kKeyMoves; }

}  // namespace lockstep
