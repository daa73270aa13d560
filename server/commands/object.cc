// What the server says of keys themselves: OBJECT, and TOUCH and RANDOMKEY, which tell only whether and which
// there are.
#include <string_view>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/container_help.h"
#include "server/commands/families.h"
#include "server/engine/command.h"
#include "server/store/encoding.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

// The key that the subcommand names, or an entry that is none after having answered so.
Location subject(Call& call) {
  const Location at = call.keys.locate(call.args[2]);
  if (!at) call.reply.null();
  return at;
}

void object_encoding(Call& call) {
  if (const Location at = subject(call)) call.reply.bulk(encoding_name(*at.entry));
}

// Values are never shared.
void object_refcount(Call& call) {
  if (subject(call)) call.reply.integer(1);
}

void object_idletime(Call& call) {
  if (subject(call)) call.reply.error(errors::kNoIdleTimes);
}

void object_freq(Call& call) {
  if (subject(call)) call.reply.error(errors::kNoFrequencies);
}

void object_help(Call& call) { container_help(call); }

void touch(Call& call) {
  int64_t found = 0;
  for (const std::string_view key : call.args.subspan(1)) found += call.look_up(key) ? 1 : 0;
  call.reply.integer(found);
}

void randomkey(Call& call) {
  const Entry* entry = call.keys.pick(call.server.random);
  entry != nullptr ? call.reply.bulk(entry->key()) : call.reply.null();
}

constexpr CommandSpec kObject[] = {
    {.name = "object", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kGeneric, .since = "2.2.3",
     .complexity = "Depends on the subcommand.",
     .summary = "What there is to know of a value beyond what it is.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "object|encoding", .arity = 3, .flags = kReadonly,
     .keys = {{{kKeyRO, 2, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.2.3",
     .complexity = "O(1), for lists O(N) in their length",
     .summary = "How Redis names the encoding of such a value.",
     .syntax = "key",
     .example = "OBJECT ENCODING a", .handler = object_encoding},
    {.name = "object|freq", .arity = 3, .flags = kReadonly,
     .keys = {{{kKeyRO, 2, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "4.0.0",
     .complexity = "O(1)",
     .summary = "How frequently a key is used: not tracked.",
     .syntax = "key",
     .example = "OBJECT FREQ a", .handler = object_freq},
    {.name = "object|help", .arity = 2, .flags = kLoading | kStale,
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "Print this help.",
     .syntax = "",
     .example = "OBJECT HELP", .handler = object_help},
    {.name = "object|idletime", .arity = 3, .flags = kReadonly,
     .keys = {{{kKeyRO, 2, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.2.3",
     .complexity = "O(1)",
     .summary = "How long a key has not been used: not tracked.",
     .syntax = "key",
     .example = "OBJECT IDLETIME a", .handler = object_idletime},
    {.name = "object|refcount", .arity = 3, .flags = kReadonly,
     .keys = {{{kKeyRO, 2, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.2.3",
     .complexity = "O(1)",
     .summary = "How many keys share a value: one.",
     .syntax = "key",
     .example = "OBJECT REFCOUNT a", .handler = object_refcount},
    {.name = "randomkey", .arity = 1, .flags = kReadonly,
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "A key by chance.",
     .syntax = "",
     .example = "RANDOMKEY", .handler = randomkey},
    {.name = "touch", .arity = -2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, -1, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "3.2.1",
     .complexity = "O(N) in the number of keys",
     .summary = "How many of the keys exist.",
     .syntax = "key [key ...]",
     .example = "TOUCH a b", .handler = touch},
};
static_assert(well_formed(kObject));

}  // namespace

std::span<const CommandSpec> object_commands() { return kObject; }

}  // namespace lockstep
