// DUMP and RESTORE: values in Redis' own format. The format itself is server/store/dump.h's.
#include <optional>
#include <utility>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"
#include "server/store/dump.h"

namespace lockstep {
namespace {

using Location = Keyspace::Location;

void dump(Call& call) {
  const Location at = call.look_up(call.args[1]);
  at ? call.reply.bulk(dump_value(*at.entry)) : call.reply.null();
}

struct RestoreOptions {
  bool replace = false;
  bool absolute = false;  // the time to live is a time
};

// How idle or how frequently used the key is, is read and not kept.
bool read_restore_options(Call& call, RestoreOptions& restore) {
  ArgReader options(call, 4);
  int64_t idle_s = -1;
  int64_t frequency = -1;
  while (options.more()) {
    if (options.word("REPLACE")) {
      restore.replace = true;
    } else if (options.word("ABSTTL")) {
      restore.absolute = true;
    } else if (frequency < 0 && options.integer("IDLETIME", idle_s)) {
      if (idle_s < 0) options.fail(errors::kInvalidIdleTime);
    } else if (idle_s < 0 && options.integer("FREQ", frequency)) {
      if (frequency < 0 || frequency > UINT8_MAX) options.fail(errors::kInvalidFrequency);
    } else {
      options.fail(errors::kSyntax);
    }
  }
  return options.finish();
}

std::string_view fault_text(DumpFault fault) {
  switch (fault) {
    case DumpFault::kNone: break;
    case DumpFault::kFooter: return errors::kBadDumpFooter;
    case DumpFault::kFormat: return errors::kBadDumpFormat;
    case DumpFault::kUnsupported: return errors::kUnsupportedDump;
  }
  return {};
}

void restore(Call& call) {
  RestoreOptions options;
  if (!read_restore_options(call, options)) return;
  const std::string_view key = call.args[1];
  Location at = call.keys.locate(key);
  if (at && !options.replace) return call.reply.error(errors::kBusyKey);
  const auto ttl_ms = read_integer(call, call.args[2]);
  if (!ttl_ms) return;
  if (*ttl_ms < 0) return call.reply.error(errors::kInvalidTtl);
  LooseValue value;
  const DumpFault fault = read_dump(call.args[3], call.keys.hash_seed(), value);
  if (fault != DumpFault::kNone) return call.reply.error(fault_text(fault));

  std::optional<int64_t> deadline_ms;
  const TimeBase base = options.absolute ? TimeBase::kUnix : TimeBase::kFromNow;
  if (*ttl_ms > 0 && !(deadline_ms = read_deadline(call, {call.args[2], TimeUnit::kMilliseconds, base}, true))) return;
  const bool past = deadline_ms && *deadline_ms <= call.now().ms();
  if (at) {
    call.keys.erase(at);
    if (past) call.notify(kEventGeneric, "del", key);
  }
  if (past) return call.reply.ok();
  if (value.type == ValueType::kString) {
    call.keys.put(at, value.text);
  } else {
    call.keys.create(at, value.type, std::move(value.object));
  }
  if (deadline_ms) call.keys.set_deadline(at, *deadline_ms);
  call.notify(kEventGeneric, "restore", key);
  call.reply.ok();
}

constexpr CommandSpec kDump[] = {
    {.name = "dump", .arity = 2, .flags = kReadonly,
     .keys = {{{kKeyRO | kKeyAccess, 1, 0, 1}}},
     .categories = kAclKeyspace, .group = CommandGroup::kGeneric, .since = "2.6.0",
     .complexity = "O(N) in the size of the value",
     .summary = "The value of a key as bytes, for RESTORE.",
     .syntax = "key",
     .example = "DUMP a", .handler = dump},
    {.name = "restore", .arity = -4, .flags = kWrite | kDenyOom,
     .keys = {{{kKeyOW | kKeyUpdate, 1, 0, 1}}},
     .categories = kAclKeyspace | kAclDangerous, .group = CommandGroup::kGeneric, .since = "2.6.0",
     .complexity = "O(N) in the size of the value",
     .summary = "Makes a key of what DUMP gave.",
     .syntax = "key ttl serialized-value [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]",
     .example = "RESTORE a 0 \"\\x00\\xc0\\x01\\x0c\\x00\\xed\\x0e\\xd3v++\\x8f\\xb5\"", .handler = restore},
};
static_assert(well_formed(kDump));

}  // namespace

std::span<const CommandSpec> dump_commands() { return kDump; }

}  // namespace lockstep
