// The commands that work on keys whatever they hold: existence, names, time to live.
#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/glob.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

void del(Call& call) {
  int64_t deleted = 0;
  for (const std::string_view key : call.args.subspan(1)) {
    Location at = call.keys.locate(key);
    if (!at) continue;
    call.erase(at);
    ++deleted;
  }
  call.reply.integer(deleted);
}

void exists(Call& call) {
  int64_t found = 0;
  for (const std::string_view key : call.args.subspan(1)) found += call.look_up(key) ? 1 : 0;
  call.reply.integer(found);
}

void type(Call& call) {
  const Location at = call.look_up(call.args[1]);
  call.reply.status(at ? type_name(at->type()) : "none");
}

void keys(Call& call) {
  std::vector<std::string_view> names;
  const std::string_view pattern = call.args[1];
  call.keys.for_each([&](const Entry& entry) {
    if (pattern == "*" || glob_match(pattern, entry.key())) names.push_back(entry.key());
  });
  call.reply.array(names.size());
  for (const std::string_view name : names) call.reply.bulk(name);
}

void scan(Call& call) {
  const auto cursor = read_cursor(call, call.args[1]);
  if (!cursor) return;
  std::string_view pattern = "*";
  std::optional<std::string_view> wanted_type;
  int64_t count = 10;
  ArgReader options(call, 2);
  while (options.more()) {
    if (options.integer("COUNT", count)) {
      if (count < 1) options.fail(errors::kSyntax);
    } else if (options.word("NOVALUES")) {
      options.fail(errors::kNoValuesOutsideHash);
    } else if (!options.value("MATCH", pattern) && !options.value("TYPE", wanted_type.emplace())) {
      options.fail(errors::kSyntax);
    }
  }
  if (!options.finish()) return;

  // As in Redis, "*" is every key, that without a name too.
  const bool all = pattern == "*";
  std::vector<std::string_view> names;
  const uint64_t next = call.keys.scan(*cursor, static_cast<size_t>(count), [&](const Entry& entry) {
    if (!all && !glob_match(pattern, entry.key())) return;
    if (wanted_type && !equals_ignoring_case(*wanted_type, type_name(entry.type()))) return;
    names.push_back(entry.key());
  });
  char text[24];
  call.reply.array(2);
  call.reply.bulk({text, static_cast<size_t>(std::to_chars(text, text + sizeof text, next).ptr - text)});
  call.reply.array(names.size());
  for (const std::string_view name : names) call.reply.bulk(name);
}

// Which deadlines a new one may replace.
struct ExpireCondition {
  bool nx = false;
  bool xx = false;
  bool gt = false;
  bool lt = false;

  bool allows(std::optional<int64_t> old_ms, int64_t new_ms) const {
    if (nx && old_ms) return false;
    if (xx && !old_ms) return false;
    if (gt && (!old_ms || new_ms <= *old_ms)) return false;  // without a deadline: lives for ever
    if (lt && old_ms && new_ms >= *old_ms) return false;
    return true;
  }
};

bool read_condition(Call& call, ExpireCondition& condition) {
  ArgReader options(call, 3);
  while (options.more()) {
    if (options.word("NX")) {
      condition.nx = true;
    } else if (options.word("XX")) {
      condition.xx = true;
    } else if (options.word("GT")) {
      condition.gt = true;
    } else if (options.word("LT")) {
      condition.lt = true;
    } else {
      options.fail("ERR Unsupported option " + errors::as_c_string(options.peek()));
    }
  }
  if (condition.nx && (condition.xx || condition.gt || condition.lt)) options.fail(errors::kNxWithOthers);
  if (condition.gt && condition.lt) options.fail(errors::kGtWithLt);
  return options.finish();
}

void expire_by(Call& call, TimeUnit unit, TimeBase base) {
  ExpireCondition condition;
  if (!read_condition(call, condition)) return;
  const auto deadline_ms = read_deadline(call, {call.args[2], unit, base}, true);
  if (!deadline_ms) return;
  Location at = call.keys.locate(call.args[1]);
  if (!at || !condition.allows(call.keys.deadline_ms(*at.entry), *deadline_ms)) return call.reply.integer(0);
  set_deadline(call, at, *deadline_ms);
  call.reply.integer(1);
}

void expire(Call& call) { expire_by(call, TimeUnit::kSeconds, TimeBase::kFromNow); }
void pexpire(Call& call) { expire_by(call, TimeUnit::kMilliseconds, TimeBase::kFromNow); }
void expireat(Call& call) { expire_by(call, TimeUnit::kSeconds, TimeBase::kUnix); }
void pexpireat(Call& call) { expire_by(call, TimeUnit::kMilliseconds, TimeBase::kUnix); }

// -2 for a missing key, -1 for one without a deadline. Seconds are rounded to the nearest.
void reply_deadline(Call& call, TimeUnit unit, TimeBase base) {
  const Location at = call.look_up(call.args[1]);
  if (!at) return call.reply.integer(-2);
  const auto deadline_ms = call.keys.deadline_ms(*at.entry);
  if (!deadline_ms) return call.reply.integer(-1);
  const int64_t origin_ms = base == TimeBase::kFromNow ? call.now().ms() : -call.server.wall.offset_ms;
  const int64_t ms = *deadline_ms - origin_ms;
  call.reply.integer(unit == TimeUnit::kMilliseconds ? ms : ms / 1000 + (ms % 1000 >= 500 ? 1 : 0));
}

void ttl(Call& call) { reply_deadline(call, TimeUnit::kSeconds, TimeBase::kFromNow); }
void pttl(Call& call) { reply_deadline(call, TimeUnit::kMilliseconds, TimeBase::kFromNow); }
void expiretime(Call& call) { reply_deadline(call, TimeUnit::kSeconds, TimeBase::kUnix); }
void pexpiretime(Call& call) { reply_deadline(call, TimeUnit::kMilliseconds, TimeBase::kUnix); }

void persist(Call& call) {
  Location at = call.keys.locate(call.args[1]);
  const bool had_one = at && call.keys.clear_deadline(at);
  if (had_one) call.notify(kEventGeneric, "persist", at.key);
  call.reply.integer(had_one ? 1 : 0);
}

void move_value(Call& call, Location& from, Location& to) {
  call.keys.rename(from, to);
  call.notify(kEventGeneric, "rename_from", from.key);
  call.notify(kEventGeneric, "rename_to", to.key);
}

void rename(Call& call) {
  Location from = call.keys.locate(call.args[1]);
  if (!from) return call.reply.error(errors::kNoSuchKey);
  Location to = call.keys.locate(call.args[2]);
  if (from.entry != to.entry) move_value(call, from, to);
  call.reply.ok();
}

void renamenx(Call& call) {
  Location from = call.keys.locate(call.args[1]);
  if (!from) return call.reply.error(errors::kNoSuchKey);
  Location to = call.keys.locate(call.args[2]);
  if (to) return call.reply.integer(0);
  move_value(call, from, to);
  call.reply.integer(1);
}

constexpr CommandSpec kKeys[] = {
    {.name = "del", .arity = -2, .flags = kWrite,
     .keys = {{{kKeyRM | kKeyDelete, 1, -1, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "Deletes keys.",
     .syntax = "key [key ...]",
     .example = "DEL lock:a", .handler = del},
    {.name = "exists", .arity = -2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, -1, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "How many of the keys exist.",
     .syntax = "key [key ...]",
     .example = "EXISTS lock:a", .handler = exists},
    {.name = "expire", .arity = -3, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Gives a key a time to live in seconds.",
     .syntax = "key seconds [NX | XX | GT | LT]",
     .example = "EXPIRE lock:a 30", .handler = expire},
    {.name = "expireat", .arity = -3, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.2.0",
     .complexity = "O(1)",
     .summary = "Gives a key a time at which it expires, in Unix seconds.",
     .syntax = "key unix-time-seconds [NX | XX | GT | LT]",
     .example = "EXPIREAT lock:a 1900000000", .handler = expireat},
    {.name = "expiretime", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "7.0.0",
     .complexity = "O(1)",
     .summary = "When a key expires, in Unix seconds.",
     .syntax = "key",
     .example = "EXPIRETIME lock:a", .handler = expiretime},
    {.name = "keys", .arity = 2, .flags = kReadonly,
     .categories = kAclKeyspace | kAclDangerous, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(N) in the number of keys of the database",
     .summary = "All keys that match a pattern.",
     .syntax = "pattern",
     .example = "KEYS lock:*", .handler = keys},
    {.name = "persist", .arity = 2, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.2.0",
     .complexity = "O(1)",
     .summary = "Takes a key's time to live away.",
     .syntax = "key",
     .example = "PERSIST lock:a", .handler = persist},
    {.name = "pexpire", .arity = -3, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "Gives a key a time to live in milliseconds.",
     .syntax = "key milliseconds [NX | XX | GT | LT]",
     .example = "PEXPIRE lock:a 30000", .handler = pexpire},
    {.name = "pexpireat", .arity = -3, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "Gives a key a time at which it expires, in Unix milliseconds.",
     .syntax = "key unix-time-milliseconds [NX | XX | GT | LT]",
     .example = "PEXPIREAT lock:a 1900000000000", .handler = pexpireat},
    {.name = "pexpiretime", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "7.0.0",
     .complexity = "O(1)",
     .summary = "When a key expires, in Unix milliseconds.",
     .syntax = "key",
     .example = "PEXPIRETIME lock:a", .handler = pexpiretime},
    {.name = "pttl", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "How long a key will live, in milliseconds.",
     .syntax = "key",
     .example = "PTTL lock:a", .handler = pttl},
    {.name = "rename", .arity = 3, .flags = kWrite,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}, {kKeyOW | kKeyUpdate, 2, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Renames a key, over whatever has the new name.",
     .syntax = "key newkey",
     .example = "RENAME a b", .handler = rename},
    {.name = "renamenx", .arity = 3, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}, {kKeyOW | kKeyInsert, 2, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Renames a key unless the new name is taken.",
     .syntax = "key newkey",
     .example = "RENAMENX a b", .handler = renamenx},
    {.name = "scan", .arity = -2, .flags = kReadonly,
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.8.0",
     .complexity = "O(1) a call, O(N) the whole walk",
     .summary = "Walks over the keys of the database, some at a time.",
     .syntax = "cursor [MATCH pattern] [COUNT count] [TYPE type]",
     .example = "SCAN 0 MATCH lock:* COUNT 100", .handler = scan},
    {.name = "ttl", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "How long a key will live, in seconds.",
     .syntax = "key",
     .example = "TTL lock:a", .handler = ttl},
    {.name = "type", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "The type of the value that a key holds.",
     .syntax = "key",
     .example = "TYPE lock:a", .handler = type},
    {.name = "unlink", .arity = -2, .flags = kWrite | kFast,
     .keys = {{{kKeyRM | kKeyDelete, 1, -1, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "4.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "Deletes keys.",
     .syntax = "key [key ...]",
     .example = "UNLINK lock:a", .handler = del},
};
static_assert(well_formed(kKeys));

}  // namespace

std::span<const CommandSpec> key_commands() { return kKeys; }

}  // namespace lockstep
