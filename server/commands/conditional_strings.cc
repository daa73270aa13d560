// Deleting a string only if it is the expected one: how a lock is released by its holder alone. Of Redis 8.4
// (DELEX, DIGEST) and of Valkey 9 (DELIFEQ).
#include <optional>

#include "protocol/error_texts.h"
#include "server/commands/families.h"
#include "server/commands/value_condition.h"
#include "server/engine/command.h"
#include "server/store/value_digest.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

void erase(Call& call, Location& at) {
  call.keys.erase(at);
  call.notify(kEventGeneric, "del", call.args[1]);
  call.reply.integer(1);
}

void delex(Call& call) {
  const size_t count = call.args.size();
  if (count != 2 && count != 4) return call.reply.error(errors::wrong_arity(call.spec.name));
  Location at = call.keys.locate(call.args[1]);
  if (!at) return call.reply.integer(0);
  if (count == 2) return erase(call, at);
  if (at->type() != ValueType::kString) return call.reply.error(errors::kConditionOnNoString);
  std::optional<ValueCondition> condition;
  ArgReader options(call, 2);
  if (!take_value_condition(options, condition)) return call.reply.error(errors::kBadCondition);
  const auto holds = condition->holds(call, at->value());
  if (!holds) return;
  *holds ? erase(call, at) : call.reply.integer(0);
}

void delifeq(Call& call) {
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  at && at->value() == call.args[2] ? erase(call, at) : call.reply.integer(0);
}

void digest(Call& call) {
  const Location at = call.look_up(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  at ? call.reply.bulk(ValueDigest(at->value()).text()) : call.reply.null();
}

constexpr CommandSpec kConditionalStrings[] = {
    {.name = "delex", .arity = -2, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyDelete | kKeyVariable, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "8.4.0",
     .complexity = "O(1) for IFEQ and IFNE, O(N) in the length of the string for IFDEQ and IFDNE",
     .summary = "Deletes a key, if wanted only while its string or the digest of it is this one or not.",
     .syntax = "key [IFEQ ifeq-value | IFNE ifne-value | IFDEQ ifdeq-digest | IFDNE ifdne-digest]",
     .example = "DELEX lock:a IFEQ token", .handler = delex},
    {.name = "delifeq", .arity = 3, .flags = kWrite | kFast,
     .keys = {{{kKeyRM | kKeyDelete, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "9.0.0",
     .complexity = "O(1)",
     .summary = "Deletes a key if it holds this string: releases a lock.",
     .syntax = "key value",
     .example = "DELIFEQ lock:a token", .handler = delifeq},
    {.name = "digest", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "8.4.0",
     .complexity = "O(N) in the length of the string",
     .summary = "The digest of a string (XXH3, 64 bits), for IFDEQ and IFDNE.",
     .syntax = "key",
     .example = "DIGEST lock:a", .handler = digest},
};
static_assert(well_formed(kConditionalStrings));

}  // namespace

std::span<const CommandSpec> conditional_string_commands() { return kConditionalStrings; }

}  // namespace lockstep
