// COMMAND but for COMMAND DOCS: the table of commands, told to clients. Everything comes from the rows.
#include <algorithm>
#include <string>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/glob.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"
#include "server/engine/command_keys.h"

namespace lockstep {
namespace {

struct Name {
  uint32_t bit;
  std::string_view text;
};

constexpr Name kFlagNames[] = {
    {kWrite, "write"},
    {kReadonly, "readonly"},
    {kDenyOom, "denyoom"},
    {kAdmin, "admin"},
    {kPubSub, "pubsub"},
    {kNoScript, "noscript"},
    {kBlocking, "blocking"},
    {kLoading, "loading"},
    {kStale, "stale"},
    {kSkipMonitor, "skip_monitor"},
    {kSkipSlowlog, "skip_slowlog"},
    {kFast, "fast"},
    {kNoAuth, "no_auth"},
    {kNoMandatoryKeys, "no_mandatory_keys"},
    {kNoAsyncLoading, "no_async_loading"},
    {kNoMulti, "no_multi"},
    {kMovableKeys, "movablekeys"},
    {kAllowBusy, "allow_busy"},
    {kTouchesArbitraryKeys, "touches_arbitrary_keys"},
};

constexpr Name kCategoryNames[] = {
    {kAclKeyspace, "keyspace"},
    {kAclRead, "read"},
    {kAclWrite, "write"},
    {kAclSet, "set"},
    {kAclSortedSet, "sortedset"},
    {kAclList, "list"},
    {kAclHash, "hash"},
    {kAclString, "string"},
    {kAclPubSub, "pubsub"},
    {kAclAdmin, "admin"},
    {kAclFast, "fast"},
    {kAclSlow, "slow"},
    {kAclBlocking, "blocking"},
    {kAclDangerous, "dangerous"},
    {kAclConnection, "connection"},
    {kAclTransaction, "transaction"},
    {kAclScripting, "scripting"},
};

constexpr Name kKeyFlagNames[] = {
    {kKeyRW, "RW"},         {kKeyRO, "RO"},         {kKeyOW, "OW"},
    {kKeyRM, "RM"},         {kKeyAccess, "access"}, {kKeyUpdate, "update"},
    {kKeyInsert, "insert"}, {kKeyDelete, "delete"}, {kKeyVariable, "variable_flags"},
};

// The row's own, and those that its flags imply.
uint32_t categories_of(const CommandSpec& spec) {
  uint32_t categories = spec.categories | ((spec.flags & kFast) != 0 ? kAclFast : kAclSlow);
  const bool scripting = (spec.categories & kAclScripting) != 0;
  if ((spec.flags & kWrite) != 0 && !scripting) categories |= kAclWrite;
  if ((spec.flags & kReadonly) != 0 && !scripting) categories |= kAclRead;
  if ((spec.flags & kAdmin) != 0) categories |= kAclAdmin | kAclDangerous;
  if ((spec.flags & kPubSub) != 0) categories |= kAclPubSub;
  if ((spec.flags & kBlocking) != 0) categories |= kAclBlocking;
  return categories;
}

template <size_t N>
void reply_names(ReplySink& reply, const Name (&names)[N], uint32_t bits, std::string_view prefix) {
  const auto set = [&](const Name& name) { return (bits & name.bit) != 0; };
  reply.set(static_cast<size_t>(std::count_if(std::begin(names), std::end(names), set)));
  for (const Name& name : names)
    if (set(name)) reply.status(std::string(prefix) + std::string(name.text));
}

void reply_unknown_place(ReplySink& reply, std::string_view name) {
  reply.bulk(name);
  reply.map(2);
  reply.bulk("type");
  reply.bulk("unknown");
  reply.bulk("spec");
  reply.map(0);
}

void reply_key_spec(ReplySink& reply, const KeySpec& keys) {
  reply.map(3);
  reply.bulk("flags");
  reply_names(reply, kKeyFlagNames, keys.flags, "");
  if (keys.unknown) {
    reply_unknown_place(reply, "begin_search");
    return reply_unknown_place(reply, "find_keys");
  }
  reply.bulk("begin_search");
  reply.map(2);
  reply.bulk("type");
  reply.bulk("index");
  reply.bulk("spec");
  reply.map(1);
  reply.bulk("index");
  reply.integer(keys.first);
  reply.bulk("find_keys");
  reply.map(2);
  reply.bulk("type");
  reply.bulk(keys.counted ? "keynum" : "range");
  reply.bulk("spec");
  reply.map(3);
  reply.bulk(keys.counted ? "keynumidx" : "lastkey");
  reply.integer(keys.counted ? 0 : keys.last);
  reply.bulk(keys.counted ? "firstkey" : "keystep");
  reply.integer(keys.counted ? 1 : keys.step);
  reply.bulk(keys.counted ? "keystep" : "limit");
  reply.integer(keys.counted ? 1 : 0);
}

// First key, last key and step as clients older than key specs know them.
struct KeyRange {
  int64_t first = 0;
  int64_t last = 0;
  int64_t step = 0;
};

KeyRange range_of(const CommandSpec& spec) {
  KeyRange range;
  for (const KeySpec& keys : spec.keys) {
    if (keys.flags == 0 || keys.counted || keys.unknown) continue;
    if (range.first == 0) range.first = keys.first;
    range.last = keys.last < 0 ? keys.last : keys.first + keys.last;
    range.step = keys.step;
  }
  return range;
}

void reply_info(Call& call, const CommandSpec& spec) {
  ReplySink& reply = call.reply;
  const KeyRange range = range_of(spec);
  reply.array(10);
  reply.bulk(spec.name);
  reply.integer(spec.arity);
  reply_names(reply, kFlagNames, spec.flags, "");
  reply.integer(range.first);
  reply.integer(range.last);
  reply.integer(range.step);
  reply_names(reply, kCategoryNames, categories_of(spec), "@");
  reply.set(0);  // tips
  const auto specs = std::count_if(spec.keys.begin(), spec.keys.end(), [](const KeySpec& k) { return k.flags != 0; });
  reply.set(static_cast<size_t>(specs));
  for (const KeySpec& keys : spec.keys)
    if (keys.flags != 0) reply_key_spec(reply, keys);
  const auto subcommands = call.server.commands.is_container(spec) ? call.server.commands.subcommands(spec)
                                                                   : std::vector<const CommandSpec*>();
  reply.set(subcommands.size());
  for (const CommandSpec* subcommand : subcommands) reply_info(call, *subcommand);
}

void command(Call& call) {
  const auto all = call.server.commands.commands();
  call.reply.array(all.size());
  for (const CommandSpec* spec : all) reply_info(call, *spec);
}

void command_info(Call& call) {
  if (call.args.size() == 2) return command(call);
  const Args names = call.args.subspan(2);
  call.reply.array(names.size());
  for (const std::string_view name : names) {
    const CommandSpec* spec = call.server.commands.find(name);
    spec != nullptr ? reply_info(call, *spec) : call.reply.null();
  }
}

void command_count(Call& call) {
  call.reply.integer(static_cast<int64_t>(call.server.commands.size()));
}

// Which commands COMMAND LIST is to name: by "FILTERBY kind value", or all.
struct ListFilter {
  std::string_view category;
  std::string_view pattern;
  bool by_category = false;
  bool by_pattern = false;
  bool none = false;

  bool wants(const CommandSpec& spec) const {
    if (none) return false;
    if (by_pattern) return glob_match(pattern, spec.name, GlobCase::kInsensitive);
    if (!by_category) return true;
    const uint32_t categories = categories_of(spec);
    return std::any_of(std::begin(kCategoryNames), std::end(kCategoryNames), [&](const Name& name) {
      return (categories & name.bit) != 0 && equals_ignoring_case(name.text, category);
    });
  }
};

void command_list(Call& call) {
  ListFilter filter;
  ArgReader options(call, 2);
  std::string_view module;
  if (options.more()) {
    if (!options.word("FILTERBY")) {
      options.fail(errors::kSyntax);
    } else if (options.value("ACLCAT", filter.category)) {
      filter.by_category = true;
    } else if (options.value("PATTERN", filter.pattern)) {
      filter.by_pattern = true;
    } else if (options.value("MODULE", module)) {
      filter.none = true;  // there are no modules
    } else {
      options.fail(errors::kSyntax);
    }
  }
  if (!options.finish()) return;

  std::vector<std::string_view> names;
  for (const CommandSpec* spec : call.server.commands.commands()) {
    if (filter.wants(*spec)) names.push_back(spec->name);
    for (const CommandSpec* subcommand : call.server.commands.subcommands(*spec))
      if (filter.wants(*subcommand)) names.push_back(subcommand->name);
  }
  call.reply.array(names.size());
  for (const std::string_view name : names) call.reply.bulk(name);
}

// The keys of the command that stands in the call's own arguments, or the answered error.
bool keys_of_argument(Call& call, std::vector<FoundKey>& found) {
  const Args args = call.args.subspan(2);
  const CommandSpec* spec = call.server.commands.resolve(args);
  std::string_view error;
  if (spec == nullptr) {
    error = errors::kInvalidCommand;
  } else if (spec->keys[0].flags == 0) {
    error = errors::kNoKeyArguments;
  } else if (!arity_fits(*spec, args.size())) {
    error = errors::kInvalidArgumentCount;
  }
  if (error.empty()) {
    const bool sound = find_keys(*spec, args, found);
    // Scripts may go without keys, so that a bad count counts as none.
    if (sound && (!found.empty() || (spec->flags & kNoMandatoryKeys) != 0)) return true;
    if ((spec->flags & kNoMandatoryKeys) != 0) return true;
    error = errors::kInvalidArguments;
  }
  call.reply.error(error);
  return false;
}

void command_getkeys(Call& call) {
  std::vector<FoundKey> found;
  if (!keys_of_argument(call, found)) return;
  call.reply.array(found.size());
  for (const FoundKey& key : found) call.reply.bulk(key.name);
}

void command_getkeysandflags(Call& call) {
  std::vector<FoundKey> found;
  if (!keys_of_argument(call, found)) return;
  call.reply.array(found.size());
  for (const FoundKey& key : found) {
    call.reply.array(2);
    call.reply.bulk(key.name);
    reply_names(call.reply, kKeyFlagNames, key.flags, "");
  }
}

constexpr CommandSpec kIntrospection[] = {
    {.name = "command", .arity = -1, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(N) in the number of commands",
     .summary = "Every command there is.",
     .syntax = "",
     .example = "COMMAND", .handler = command},
    {.name = "command|count", .arity = 2, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(1)",
     .summary = "How many commands there are.",
     .syntax = "",
     .example = "COMMAND COUNT", .handler = command_count},
    {.name = "command|getkeys", .arity = -3, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(N) in the number of arguments",
     .summary = "Which arguments of a command are keys.",
     .syntax = "command [arg ...]",
     .example = "COMMAND GETKEYS SET k v", .handler = command_getkeys},
    {.name = "command|getkeysandflags", .arity = -3, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kServer, .since = "7.0.0",
     .complexity = "O(N) in the number of arguments",
     .summary = "Which arguments of a command are keys, and what it does to them.",
     .syntax = "command [arg ...]",
     .example = "COMMAND GETKEYSANDFLAGS SET k v", .handler = command_getkeysandflags},
    {.name = "command|info", .arity = -2, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(N) in the number of names",
     .summary = "What commands are, for clients.",
     .syntax = "[command-name [command-name ...]]",
     .example = "COMMAND INFO set", .handler = command_info},
    {.name = "command|list", .arity = -2, .flags = kLoading | kStale,
     .categories = kAclConnection, .group = CommandGroup::kServer, .since = "7.0.0",
     .complexity = "O(N) in the number of commands",
     .summary = "The names of the commands.",
     .syntax = "[FILTERBY <MODULE module-name | ACLCAT category | PATTERN pattern>]",
     .example = "COMMAND LIST FILTERBY ACLCAT string", .handler = command_list},
};
static_assert(well_formed(kIntrospection));

}  // namespace

std::span<const CommandSpec> introspection_commands() { return kIntrospection; }

}  // namespace lockstep
