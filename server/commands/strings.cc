// The string commands: what locks, counters and fences are made of.
#include <array>

#include "protocol/error_texts.h"
#include "server/base/bytes.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/commands/value_condition.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

// Redis bounds every string by proto-max-bulk-len.
size_t max_string_bytes(const Call& call) {
  return static_cast<size_t>(call.server.settings.hot().request_limits.max_bulk_bytes);
}

using Location = Keyspace::Location;

void reply_value(Call& call, const Location& at) {
  at ? call.reply.bulk(at->value()) : call.reply.null();
}

void put(Call& call, Location& at, std::string_view value, std::optional<int64_t> deadline_ms) {
  call.keys.put(at, value);
  if (deadline_ms) {
    call.keys.set_deadline(at, *deadline_ms);
  } else {
    call.keys.clear_deadline(at);
  }
  call.notify(kEventString, "set", at.key);
  if (deadline_ms) call.notify(kEventGeneric, "expire", at.key);
}

// One of EX PX EXAT PXAT. A second one is a syntax error, but for the same again: the last counts.
bool take_time(ArgReader& options, std::optional<TimeArgument>& time) {
  struct Word {
    std::string_view name;
    TimeUnit unit;
    TimeBase base;
  };
  static constexpr Word kWords[] = {{"EX", TimeUnit::kSeconds, TimeBase::kFromNow},
                                    {"PX", TimeUnit::kMilliseconds, TimeBase::kFromNow},
                                    {"EXAT", TimeUnit::kSeconds, TimeBase::kUnix},
                                    {"PXAT", TimeUnit::kMilliseconds, TimeBase::kUnix}};
  for (const Word& word : kWords) {
    std::string_view text;
    if (!options.value(word.name, text)) continue;
    if (time && (time->unit != word.unit || time->base != word.base)) options.fail(errors::kSyntax);
    time = TimeArgument{text, word.unit, word.base};
    return true;
  }
  return false;
}

struct SetOptions {
  bool nx = false;
  bool xx = false;
  bool get = false;
  bool keep_ttl = false;
  std::optional<ValueCondition> condition;
  std::optional<TimeArgument> time;
};

bool read_set_options(Call& call, SetOptions& set) {
  ArgReader options(call, 3);
  while (options.more()) {
    if (options.word("NX")) {
      set.nx = true;
    } else if (options.word("XX")) {
      set.xx = true;
    } else if (options.word("GET")) {
      set.get = true;
    } else if (options.word("KEEPTTL")) {
      set.keep_ttl = true;
    } else if (!take_time(options, set.time) && !take_value_condition(options, set.condition)) {
      options.fail(errors::kSyntax);
    }
    if (set.nx + set.xx + set.condition.has_value() > 1 || (set.keep_ttl && set.time)) options.fail(errors::kSyntax);
  }
  return options.finish();
}

// Whether the key may be set as it is now; nothing after having answered an error.
std::optional<bool> may_set(Call& call, const SetOptions& options, const Location& at) {
  if (!options.condition) return !(options.nx && at) && !(options.xx && !at);
  if (!at) return options.condition->negated;
  if (!call.expect(ValueType::kString, at)) return std::nullopt;
  return options.condition->holds(call, at->value());
}

void set(Call& call) {
  SetOptions options;
  if (!read_set_options(call, options)) return;
  std::optional<int64_t> deadline_ms;
  if (options.time && !(deadline_ms = read_deadline(call, *options.time, false))) return;

  Location at = options.get ? call.look_up(call.args[1]) : call.keys.locate(call.args[1]);
  if (options.get && !call.expect(ValueType::kString, at)) return;
  const auto allowed = may_set(call, options, at);
  if (!allowed) return;
  if (!*allowed) return options.get ? reply_value(call, at) : call.reply.null();
  if (options.get) reply_value(call, at);
  if (options.keep_ttl) {
    call.keys.put(at, call.args[2]);
    call.notify(kEventString, "set", at.key);
  } else {
    put(call, at, call.args[2], deadline_ms);
  }
  if (!options.get) call.reply.ok();
}

void set_with_ttl(Call& call, TimeUnit unit) {
  const auto deadline_ms = read_deadline(call, {call.args[2], unit, TimeBase::kFromNow}, false);
  if (!deadline_ms) return;
  Location at = call.keys.locate(call.args[1]);
  put(call, at, call.args[3], deadline_ms);
  call.reply.ok();
}

void setex(Call& call) { set_with_ttl(call, TimeUnit::kSeconds); }
void psetex(Call& call) { set_with_ttl(call, TimeUnit::kMilliseconds); }

void setnx(Call& call) {
  Location at = call.keys.locate(call.args[1]);
  if (at) return call.reply.integer(0);
  put(call, at, call.args[2], std::nullopt);
  call.reply.integer(1);
}

void get(Call& call) {
  const Location at = call.look_up(call.args[1]);
  if (call.expect(ValueType::kString, at)) reply_value(call, at);
}

void getset(Call& call) {
  Location at = call.look_up(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  reply_value(call, at);
  put(call, at, call.args[2], std::nullopt);
}

void getdel(Call& call) {
  Location at = call.look_up(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  reply_value(call, at);
  if (at) call.erase(at);
}

void getex(Call& call) {
  std::optional<TimeArgument> time;
  bool persist = false;
  ArgReader options(call, 2);
  while (options.more()) {
    if (options.word("PERSIST")) {
      persist = true;
    } else if (!take_time(options, time)) {
      options.fail(errors::kSyntax);
    }
    if (persist && time) options.fail(errors::kSyntax);
  }
  if (!options.finish()) return;
  Location at = call.look_up(call.args[1]);
  if (!at) return call.reply.null();
  if (!call.expect(ValueType::kString, at)) return;
  std::optional<int64_t> deadline_ms;
  if (time && !(deadline_ms = read_deadline(call, *time, false))) return;
  reply_value(call, at);
  if (deadline_ms) set_deadline(call, at, *deadline_ms);
  if (persist && call.keys.clear_deadline(at)) call.notify(kEventGeneric, "persist", at.key);
}

void mget(Call& call) {
  call.reply.array(call.args.size() - 1);
  for (const std::string_view key : call.args.subspan(1)) {
    const Location at = call.look_up(key);
    at && at->type() == ValueType::kString ? call.reply.bulk(at->value()) : call.reply.null();
  }
}

void put_all(Call& call) {
  for (size_t i = 1; i < call.args.size(); i += 2) {
    Location at = call.keys.locate(call.args[i]);
    put(call, at, call.args[i + 1], std::nullopt);
  }
}

void mset(Call& call) {
  if (call.args.size() % 2 == 0) return call.reply.error(errors::wrong_arity(call.spec.name));
  put_all(call);
  call.reply.ok();
}

void msetnx(Call& call) {
  if (call.args.size() % 2 == 0) return call.reply.error(errors::wrong_arity(call.spec.name));
  for (size_t i = 1; i < call.args.size(); i += 2)
    if (call.keys.locate(call.args[i])) return call.reply.integer(0);
  put_all(call);
  call.reply.integer(1);
}

void append(Call& call) {
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  const std::string_view more = call.args[2];
  const size_t old_size = at ? at->value_size() : 0;
  if (at && old_size + more.size() > max_string_bytes(call)) return call.reply.error(errors::kStringTooLong);
  char* bytes = call.keys.resize(at, old_size + more.size());
  copy_bytes(bytes + old_size, more);
  call.notify(kEventString, "append", at.key);
  call.reply.integer(static_cast<int64_t>(at->value_size()));
}

void strlen_of(Call& call) {
  const Location at = call.look_up(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  call.reply.integer(at ? static_cast<int64_t>(at->value_size()) : 0);
}

void add(Call& call, int64_t amount) {
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kString, at)) return;
  int64_t value = 0;
  if (at) {
    const auto held = read_integer(call, at->value());
    if (!held) return;
    value = *held;
  }
  if (__builtin_add_overflow(value, amount, &value)) return call.reply.error(errors::kWouldOverflow);
  char text[kMaxIntegerText];
  call.keys.put(at, {text, static_cast<size_t>(write_integer(text, value) - text)});
  call.notify(kEventString, "incrby", at.key);
  call.reply.integer(value);
}

void incr(Call& call) { add(call, 1); }
void decr(Call& call) { add(call, -1); }

void incrby(Call& call) {
  if (const auto amount = read_integer(call, call.args[2])) add(call, *amount);
}

void decrby(Call& call) {
  const auto amount = read_integer(call, call.args[2]);
  if (!amount) return;
  if (*amount == INT64_MIN) return call.reply.error(errors::kDecrementOverflow);
  add(call, -*amount);
}

constexpr CommandSpec kStrings[] = {
    {.name = "append", .arity = 3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "2.0.0",
     .complexity = "O(1) amortized",
     .summary = "Appends to a string, making it if need be.",
     .syntax = "key value",
     .example = "APPEND log more", .handler = append},
    {.name = "decr", .arity = 2, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Takes one off the integer that a key holds.",
     .syntax = "key",
     .example = "DECR stock", .handler = decr},
    {.name = "decrby", .arity = 3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Takes a number off the integer that a key holds.",
     .syntax = "key decrement",
     .example = "DECRBY stock 60", .handler = decrby},
    {.name = "get", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "The string that a key holds.",
     .syntax = "key",
     .example = "GET lock:a", .handler = get},
    {.name = "getdel", .arity = 2, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyDelete, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "The string that a key holds, which is then deleted.",
     .syntax = "key",
     .example = "GETDEL lock:a", .handler = getdel},
    {.name = "getex", .arity = -2, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "6.2.0",
     .complexity = "O(1)",
     .summary = "The string that a key holds; sets or removes its time to live.",
     .syntax = "key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST]",
     .example = "GETEX lock:a PX 30000", .handler = getex},
    {.name = "getset", .arity = 3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Sets a string and answers the one it replaces.",
     .syntax = "key value",
     .example = "GETSET lock:a token", .handler = getset},
    {.name = "incr", .arity = 2, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Adds one to the integer that a key holds.",
     .syntax = "key",
     .example = "INCR fence:a", .handler = incr},
    {.name = "incrby", .arity = 3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Adds a number to the integer that a key holds.",
     .syntax = "key increment",
     .example = "INCRBY fence:a 2", .handler = incrby},
    {.name = "mget", .arity = -2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, -1, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(N) in the number of keys",
     .summary = "The strings of several keys.",
     .syntax = "key [key ...]",
     .example = "MGET a b", .handler = mget},
    {.name = "mset", .arity = -3, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyOW | kKeyUpdate, 1, -1, 2}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.1",
     .complexity = "O(N) in the number of keys",
     .summary = "Sets several strings at once.",
     .syntax = "key value [key value ...]",
     .example = "MSET a 1 b 2", .handler = mset},
    {.name = "msetnx", .arity = -3, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyOW | kKeyInsert, 1, -1, 2}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.1",
     .complexity = "O(N) in the number of keys",
     .summary = "Sets several strings at once, or none if one of the keys exists.",
     .syntax = "key value [key value ...]",
     .example = "MSETNX lock:a t lock:b t", .handler = msetnx},
    {.name = "psetex", .arity = 4, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyOW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "Sets a string with a time to live in milliseconds.",
     .syntax = "key milliseconds value",
     .example = "PSETEX lock:a 30000 token", .handler = psetex},
    {.name = "set", .arity = -3, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate | kKeyVariable, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Sets a string; with NX and PX, takes a lock.",
     .syntax = "key value [NX | XX | IFEQ ifeq-value | IFNE ifne-value | IFDEQ ifdeq-digest | IFDNE ifdne-digest] [GET] [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | KEEPTTL]",
     .example = "SET lock:a token NX PX 30000", .handler = set},
    {.name = "setex", .arity = 4, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyOW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "2.0.0",
     .complexity = "O(1)",
     .summary = "Sets a string with a time to live in seconds.",
     .syntax = "key seconds value",
     .example = "SETEX lock:a 30 token", .handler = setex},
    {.name = "setnx", .arity = 3, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyOW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "Sets a string if the key does not exist.",
     .syntax = "key value",
     .example = "SETNX lock:a token", .handler = setnx},
    {.name = "strlen", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, 0, 1}}},
     .categories = kAclString, .group = CommandGroup::kString, .since = "2.2.0",
     .complexity = "O(1)",
     .summary = "The length of the string that a key holds.",
     .syntax = "key",
     .example = "STRLEN lock:a", .handler = strlen_of},
};
static_assert(well_formed(kStrings));

}  // namespace

std::span<const CommandSpec> string_commands() { return kStrings; }

}  // namespace lockstep
