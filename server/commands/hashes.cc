// The hash commands: what Redisson's locks and most limiters are made of.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/glob.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"
#include "server/store/hash_value.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

HashValue& hash_at(const Location& at) { return static_cast<HashValue&>(at->object()); }

// The hash of the key to read; nullptr when there is none, or after having answered that it is another type.
struct Reading {
  Location at;
  const HashValue* hash = nullptr;
  bool wrong_type = false;
};

Reading read_hash(Call& call) {
  Reading reading{call.look_up(call.args[1])};
  reading.wrong_type = !call.expect(ValueType::kHash, reading.at);
  if (reading.at && !reading.wrong_type) reading.hash = &hash_at(reading.at);
  return reading;
}

// The hash of the key to change, made if need be; nullptr after having answered that it is another type.
HashValue* hash_to_change(Call& call, Location& at) {
  at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kHash, at)) return nullptr;
  if (!at) call.keys.create(at, ValueType::kHash, std::make_unique<HashValue>(call.keys.hash_seed()));
  return &hash_at(at);
}

void reply_value(Call& call, const HashValue* hash, std::string_view field) {
  const Entry* entry = hash != nullptr ? hash->find(field) : nullptr;
  entry != nullptr ? call.reply.bulk(entry->value()) : call.reply.null();
}

std::optional<int64_t> set_pairs(Call& call) {
  if (call.args.size() % 2 != 0) {
    call.reply.error(errors::wrong_arity(call.spec.name));
    return std::nullopt;
  }
  Location at;
  HashValue* hash = hash_to_change(call, at);
  if (hash == nullptr) return std::nullopt;
  int64_t added = 0;
  for (size_t i = 2; i < call.args.size(); i += 2) added += hash->set(call.args[i], call.args[i + 1]) ? 1 : 0;
  call.edited(at, kEventHash, "hset");
  return added;
}

void hset(Call& call) {
  if (const auto added = set_pairs(call)) call.reply.integer(*added);
}

void hmset(Call& call) {
  if (set_pairs(call)) call.reply.ok();
}

void hsetnx(Call& call) {
  Location at;
  HashValue* hash = hash_to_change(call, at);
  if (hash == nullptr) return;
  if (hash->find(call.args[2]) != nullptr) return call.reply.integer(0);
  hash->set(call.args[2], call.args[3]);
  call.edited(at, kEventHash, "hset");
  call.reply.integer(1);
}

void hget(Call& call) {
  const Reading reading = read_hash(call);
  if (!reading.wrong_type) reply_value(call, reading.hash, call.args[2]);
}

void hmget(Call& call) {
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  const Args fields = call.args.subspan(2);
  call.reply.array(fields.size());
  for (const std::string_view field : fields) reply_value(call, reading.hash, field);
}

void hgetall(Call& call) {
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  if (reading.hash == nullptr) return call.reply.map(0);
  call.reply.map(reading.hash->size());
  reading.hash->for_each([&](const Entry& entry) {
    call.reply.bulk(entry.key());
    call.reply.bulk(entry.value());
  });
}

void list_parts(Call& call, std::string_view (Entry::*part)() const) {
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  if (reading.hash == nullptr) return call.reply.array(0);
  call.reply.array(reading.hash->size());
  reading.hash->for_each([&](const Entry& entry) { call.reply.bulk((entry.*part)()); });
}

void hkeys(Call& call) { list_parts(call, &Entry::key); }
void hvals(Call& call) { list_parts(call, &Entry::value); }

void hlen(Call& call) {
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  call.reply.integer(reading.hash != nullptr ? static_cast<int64_t>(reading.hash->size()) : 0);
}

void hexists(Call& call) {
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  call.reply.integer(reading.hash != nullptr && reading.hash->find(call.args[2]) != nullptr ? 1 : 0);
}

void hstrlen(Call& call) {
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  const Entry* entry = reading.hash != nullptr ? reading.hash->find(call.args[2]) : nullptr;
  call.reply.integer(entry != nullptr ? static_cast<int64_t>(entry->value_size()) : 0);
}

void hdel(Call& call) {
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kHash, at)) return;
  if (!at) return call.reply.integer(0);
  int64_t deleted = 0;
  for (const std::string_view field : call.args.subspan(2)) deleted += hash_at(at).erase(field) ? 1 : 0;
  if (deleted > 0) call.edited(at, kEventHash, "hdel");
  call.reply.integer(deleted);
}

void hincrby(Call& call) {
  const auto amount = read_integer(call, call.args[3]);
  if (!amount) return;
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kHash, at)) return;
  int64_t value = 0;
  if (const Entry* held = at ? hash_at(at).find(call.args[2]) : nullptr) {
    const auto number = parse_integer(held->value());
    if (!number) return call.reply.error(errors::kHashValueNotAnInteger);
    value = *number;
  }
  if (__builtin_add_overflow(value, *amount, &value)) return call.reply.error(errors::kWouldOverflow);
  hash_to_change(call, at)->set(call.args[2], integer_text(value));
  call.edited(at, kEventHash, "hincrby");
  call.reply.integer(value);
}

void hincrbyfloat(Call& call) {
  const auto amount = parse_long_double(call.args[3]);
  if (!amount) return call.reply.error(errors::kNotAFloat);
  if (!std::isfinite(*amount)) return call.reply.error(errors::kNotFinite);
  Location at = call.keys.locate(call.args[1]);
  if (!call.expect(ValueType::kHash, at)) return;
  long double value = 0;
  if (const Entry* held = at ? hash_at(at).find(call.args[2]) : nullptr) {
    const auto number = parse_long_double(held->value());
    if (!number) return call.reply.error(errors::kHashValueNotAFloat);
    value = *number;
  }
  value += *amount;
  if (!std::isfinite(value)) return call.reply.error(errors::kWouldNotBeFinite);
  const std::string text = long_double_text(value);
  hash_to_change(call, at)->set(call.args[2], text);
  call.edited(at, kEventHash, "hincrbyfloat");
  call.reply.bulk(text);
}

struct ScanOptions {
  std::string_view pattern = "*";
  int64_t count = 10;
  bool values = true;
};

bool read_scan_options(Call& call, ScanOptions& scan) {
  ArgReader options(call, 3);
  while (options.more()) {
    if (options.integer("COUNT", scan.count)) {
      if (scan.count < 1) options.fail(errors::kSyntax);
    } else if (options.word("NOVALUES")) {
      scan.values = false;
    } else if (!options.value("MATCH", scan.pattern)) {
      options.fail(errors::kSyntax);
    }
  }
  return options.finish();
}

// A missing key is answered before the options are looked at, as in Redis.
void hscan(Call& call) {
  const auto cursor = read_cursor(call, call.args[2]);
  if (!cursor) return;
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  ScanOptions options;
  if (reading.hash != nullptr && !read_scan_options(call, options)) return;

  std::vector<const Entry*> found;
  uint64_t next = 0;
  if (reading.hash != nullptr) {
    next = reading.hash->scan(*cursor, static_cast<size_t>(options.count), [&](const Entry& entry) {
      if (options.pattern == "*" || glob_match(options.pattern, entry.key())) found.push_back(&entry);
    });
  }
  call.reply.array(2);
  call.reply.bulk(std::to_string(next));
  call.reply.array(found.size() * (options.values ? 2 : 1));
  for (const Entry* entry : found) {
    call.reply.bulk(entry->key());
    if (options.values) call.reply.bulk(entry->value());
  }
}

std::vector<const Entry*> all_fields(const HashValue& hash) {
  std::vector<const Entry*> fields;
  fields.reserve(hash.size());
  hash.for_each([&](const Entry& entry) { fields.push_back(&entry); });
  return fields;
}

// `count` > 0: as many different ones as there are; < 0: that many, the same perhaps several times.
void reply_random_fields(Call& call, const HashValue& hash, int64_t count, bool values) {
  std::vector<const Entry*> fields = all_fields(hash);
  std::mt19937_64& random = call.server.random;
  std::vector<const Entry*> picked;
  if (count < 0) {
    for (; count < 0; ++count) picked.push_back(fields[random() % fields.size()]);
  } else {
    const size_t wanted = std::min(static_cast<size_t>(count), fields.size());
    for (size_t i = 0; i < wanted; ++i) std::swap(fields[i], fields[i + random() % (fields.size() - i)]);
    fields.resize(wanted);
    picked = std::move(fields);
  }
  // RESP3 pairs fields with their values, RESP2 has them in a row.
  const bool pairs = values && call.session.protocol == Protocol::kResp3;
  call.reply.array(picked.size() * (values && !pairs ? 2 : 1));
  for (const Entry* entry : picked) {
    if (pairs) call.reply.array(2);
    call.reply.bulk(entry->key());
    if (values) call.reply.bulk(entry->value());
  }
}

void hrandfield(Call& call) {
  std::optional<int64_t> count;
  bool values = false;
  if (call.args.size() > 2) {
    count = read_integer(call, call.args[2]);
    if (!count) return;
    if (*count == INT64_MIN) return call.reply.error(errors::kCountOutOfRange);
    ArgReader options(call, 3);
    values = options.word("WITHVALUES");
    if (!options.finish()) return;
    constexpr int64_t kMostWithValues = INT64_MAX / 2;
    if (values && (*count < -kMostWithValues || *count > kMostWithValues))
      return call.reply.error(errors::kOutOfRange);
  }
  const Reading reading = read_hash(call);
  if (reading.wrong_type) return;
  if (count) {
    if (reading.hash == nullptr || *count == 0) return call.reply.array(0);
    return reply_random_fields(call, *reading.hash, *count, values);
  }
  if (reading.hash == nullptr) return call.reply.null();
  const auto fields = all_fields(*reading.hash);
  call.reply.bulk(fields[call.server.random() % fields.size()]->key());
}

constexpr CommandSpec kHashes[] = {
    {.name = "hdel", .arity = -3, .flags = kWrite | kFast,
     .keys = {{{kKeyRW | kKeyDelete, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(N) in the number of fields",
     .summary = "Deletes fields of a hash.",
     .syntax = "key field [field ...]",
     .example = "HDEL h f", .handler = hdel},
    {.name = "hexists", .arity = 3, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(1)",
     .summary = "Whether a hash has a field.",
     .syntax = "key field",
     .example = "HEXISTS h f", .handler = hexists},
    {.name = "hget", .arity = 3, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(1)",
     .summary = "The value of a field of a hash.",
     .syntax = "key field",
     .example = "HGET h f", .handler = hget},
    {.name = "hgetall", .arity = 2, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(N) in the size of the hash",
     .summary = "All fields of a hash with their values.",
     .syntax = "key",
     .example = "HGETALL h", .handler = hgetall},
    {.name = "hincrby", .arity = 4, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(1)",
     .summary = "Adds a number to the integer that a field holds.",
     .syntax = "key field increment",
     .example = "HINCRBY h f 1", .handler = hincrby},
    {.name = "hincrbyfloat", .arity = 4, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyAccess | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.6.0",
     .complexity = "O(1)",
     .summary = "Adds a number to the number that a field holds.",
     .syntax = "key field increment",
     .example = "HINCRBYFLOAT h f 0.5", .handler = hincrbyfloat},
    {.name = "hkeys", .arity = 2, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(N) in the size of the hash",
     .summary = "All fields of a hash.",
     .syntax = "key",
     .example = "HKEYS h", .handler = hkeys},
    {.name = "hlen", .arity = 2, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(1)",
     .summary = "How many fields a hash has.",
     .syntax = "key",
     .example = "HLEN h", .handler = hlen},
    {.name = "hmget", .arity = -3, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(N) in the number of fields",
     .summary = "The values of several fields of a hash.",
     .syntax = "key field [field ...]",
     .example = "HMGET h f g", .handler = hmget},
    {.name = "hmset", .arity = -4, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(N) in the number of fields",
     .summary = "Sets several fields of a hash.",
     .syntax = "key field value [field value ...]",
     .example = "HMSET h f 1 g 2", .handler = hmset},
    {.name = "hrandfield", .arity = -2, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "6.2.0",
     .complexity = "O(N) in the size of the hash",
     .summary = "Fields of a hash by chance.",
     .syntax = "key [count [WITHVALUES]]",
     .example = "HRANDFIELD h 2", .handler = hrandfield},
    {.name = "hscan", .arity = -3, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.8.0",
     .complexity = "O(1) a call, O(N) the whole walk",
     .summary = "Walks over the fields of a hash, some at a time.",
     .syntax = "key cursor [MATCH pattern] [COUNT count] [NOVALUES]",
     .example = "HSCAN h 0", .handler = hscan},
    {.name = "hset", .arity = -4, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(N) in the number of fields",
     .summary = "Sets fields of a hash.",
     .syntax = "key field value [field value ...]",
     .example = "HSET h f 1", .handler = hset},
    {.name = "hsetnx", .arity = 4, .flags = kWrite | kDenyOom | kFast,
     .keys = {{{kKeyRW | kKeyInsert, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(1)",
     .summary = "Sets a field of a hash if it does not exist.",
     .syntax = "key field value",
     .example = "HSETNX h f 1", .handler = hsetnx},
    {.name = "hstrlen", .arity = 3, .flags = kReadonly | kFast,
     .keys = {{{kKeyRO, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "3.2.0",
     .complexity = "O(1)",
     .summary = "The length of a field's value.",
     .syntax = "key field",
     .example = "HSTRLEN h f", .handler = hstrlen},
    {.name = "hvals", .arity = 2, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclHash, .group = CommandGroup::kHash, .since = "2.0.0",
     .complexity = "O(N) in the size of the hash",
     .summary = "All values of a hash.",
     .syntax = "key",
     .example = "HVALS h", .handler = hvals},
};
static_assert(well_formed(kHashes));

}  // namespace

std::span<const CommandSpec> hash_commands() { return kHashes; }

}  // namespace lockstep
