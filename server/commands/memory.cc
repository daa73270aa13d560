// MEMORY: what keys and the server take. Of the engine's own account and of the process; the allocator's
// inner figures are not asked.
#include <algorithm>
#include <string>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/container_help.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

// SAMPLES is taken and not needed: every value knows its size.
void memory_usage(Call& call) {
  ArgReader options(call, 3);
  while (options.more()) {
    int64_t samples = 0;
    if (!options.integer("SAMPLES", samples) || samples < 0) options.fail(errors::kSyntax);
  }
  if (!options.finish()) return;
  const Keyspace::Location at = call.keys.locate(call.args[2]);
  if (!at) return call.reply.null();
  call.reply.integer(static_cast<int64_t>(Keyspace::memory_bytes(*at.entry)));
}

size_t resident_bytes(const Server& server) {
  return server.process.use ? server.process.use().resident_bytes : 0;
}

double ratio(size_t part, size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Writes pairs, and counts them first: the same lines run once into the count, once into the reply.
class Pairs {
 public:
  explicit Pairs(ReplySink* to) : to_(to) {}
  void add(std::string_view name, size_t value) {
    if (start(name)) to_->integer(static_cast<int64_t>(value));
  }
  void add(std::string_view name, int64_t value) {
    if (start(name)) to_->integer(value);
  }
  void add(std::string_view name, double value) {
    if (start(name)) to_->number(value);
  }
  // The value is a map of that many pairs, to be written next.
  bool start_map(std::string_view name, size_t pairs) {
    if (!start(name)) return false;
    to_->map(pairs);
    return true;
  }
  size_t count() const { return count_; }

 private:
  bool start(std::string_view name) {
    ++count_;
    if (to_ != nullptr) to_->bulk(name);
    return to_ != nullptr;
  }

  ReplySink* to_;
  size_t count_ = 0;
};

void database_pairs(Call& call, Pairs& out) {
  for (int i = 0; i < call.server.databases.count(); ++i) {
    const Keyspace& keys = call.server.databases[i];
    if (keys.size() == 0 || !out.start_map("db." + integer_text(i), 2)) continue;
    Pairs database(&call.reply);
    database.add("overhead.hashtable.main", keys.memory_bytes());
    database.add("overhead.hashtable.expires", keys.size_with_deadline() * Deadlines::kSlotBytes);
  }
}

size_t key_count(const Server& server) {
  size_t count = 0;
  for (int i = 0; i < server.databases.count(); ++i) count += server.databases[i].size();
  return count;
}

void allocator_pairs(size_t used, size_t resident, Pairs& out) {
  out.add("allocator.allocated", used);
  out.add("allocator.active", resident);
  out.add("allocator.resident", resident);
  out.add("allocator.muzzy", size_t{0});
  out.add("allocator-fragmentation.ratio", 1.0);
  out.add("allocator-fragmentation.bytes", size_t{0});
  out.add("allocator-rss.ratio", 1.0);
  out.add("allocator-rss.bytes", size_t{0});
  out.add("rss-overhead.ratio", 1.0);
  out.add("rss-overhead.bytes", size_t{0});
  out.add("fragmentation", ratio(resident, used));
  out.add("fragmentation.bytes", static_cast<int64_t>(resident) - static_cast<int64_t>(used));
}

void all_pairs(Call& call, const MemoryUse& use, size_t resident, Pairs& out) {
  const Server& server = call.server;
  const size_t used = use.total();
  const size_t since_start = used - std::min(used, server.start_memory_bytes);
  const size_t keys = key_count(server);
  out.add("peak.allocated", server.peak_memory_bytes);
  out.add("total.allocated", used);
  out.add("startup.allocated", server.start_memory_bytes);
  for (const std::string_view none : {"replication.backlog", "replica.fullsync.buffer", "clients.slaves"})
    out.add(none, size_t{0});
  out.add("clients.normal", use.sessions);
  out.add("cluster.links", size_t{0});
  out.add("aof.buffer", size_t{0});
  out.add("lua.caches", server.scripts.text_bytes());
  out.add("functions.caches", size_t{0});
  out.add("script.VMs", server.scripts.interpreter_bytes());
  database_pairs(call, out);
  out.add("overhead.db.hashtable.lut", use.keyspace);
  out.add("overhead.db.hashtable.rehashing", size_t{0});
  out.add("overhead.total", used - use.values);
  out.add("db.dict.rehashing.count", size_t{0});
  out.add("keys.count", keys);
  out.add("keys.bytes-per-key", keys == 0 ? 0 : since_start / keys);
  out.add("dataset.bytes", use.values);
  out.add("dataset.percentage", 100 * ratio(use.values, since_start));
  out.add("peak.percentage", 100 * ratio(used, server.peak_memory_bytes));
  allocator_pairs(used, resident, out);
}

void memory_stats(Call& call) {
  const MemoryUse use = call.server.memory_use();
  const size_t resident = resident_bytes(call.server);
  Pairs count(nullptr);
  all_pairs(call, use, resident, count);
  call.reply.map(count.count());
  Pairs out(&call.reply);
  all_pairs(call, use, resident, out);
}

// What deserves a look, in the cases in which Redis sees it.
void memory_doctor(Call& call) {
  constexpr size_t kLittle = 5 << 20;
  constexpr size_t kMuch = 10 << 20;
  constexpr size_t kManyScripts = 1000;
  constexpr size_t kLargeSession = 200 << 10;
  Server& server = call.server;
  const MemoryUse use = server.memory_use();
  const size_t used = use.total();
  const size_t resident = resident_bytes(server);
  size_t sessions = 0;
  server.sessions.for_each([&](const SessionState&, const SessionFigures&) { ++sessions; });
  if (used < kLittle) return call.reply.verbatim("txt", "Too little memory is in use to say anything about it.\n");
  std::string text;
  if (ratio(server.peak_memory_bytes, used) > 1.5)
    text += "- At its peak the server used more than 1.5 times as much. The process may keep that memory for later "
            "use; MEMORY PURGE gives back what it can.\n";
  if (ratio(resident, used) > 1.4 && resident - used > kMuch)
    text += "- The process holds more than 1.4 times what is in use: after a peak, or since values of many sizes have "
            "come and gone. MEMORY PURGE gives back what it can.\n";
  if (use.sessions / std::max(sessions, size_t{1}) > kLargeSession)
    text += "- Clients hold more than 200 KiB each on average: they do not read their replies in time, or pipeline "
            "very much. CLIENT LIST shows which.\n";
  if (server.scripts.count() > kManyScripts)
    text += "- More than 1000 scripts are kept. Scripts should take what varies as KEYS and ARGV, not in their text.\n";
  call.reply.verbatim("txt", text.empty() ? "Nothing conspicuous about the memory.\n" : text);
}

void memory_malloc_stats(Call& call) { call.reply.bulk("Stats not supported for the current allocator"); }

void memory_purge(Call& call) {
  if (call.server.process.release_memory) call.server.process.release_memory();
  call.reply.ok();
}

void memory_help(Call& call) { container_help(call); }

constexpr CommandSpec kMemory[] = {
    {.name = "memory", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "Depends on the subcommand",
     .summary = "What takes how much memory.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "memory|doctor", .arity = 2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "O(N) in the number of connections",
     .summary = "A report for people to read.",
     .syntax = "",
     .example = "MEMORY DOCTOR", .handler = memory_doctor},
    {.name = "memory|help", .arity = 2, .flags = kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "O(1)",
     .summary = "Print this help.",
     .syntax = "",
     .example = "MEMORY HELP", .handler = memory_help},
    {.name = "memory|malloc-stats", .arity = 2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "O(1)",
     .summary = "The allocator's own figures: there are none.",
     .syntax = "",
     .example = "MEMORY MALLOC-STATS", .handler = memory_malloc_stats},
    {.name = "memory|purge", .arity = 2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "Depends on how much memory is free",
     .summary = "Gives unused memory back to the system.",
     .syntax = "",
     .example = "MEMORY PURGE", .handler = memory_purge},
    {.name = "memory|stats", .arity = 2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "O(N) in the number of connections",
     .summary = "How the memory in use is made up.",
     .syntax = "",
     .example = "MEMORY STATS", .handler = memory_stats},
    {.name = "memory|usage", .arity = -3, .flags = kReadonly,
     .keys = {{{kKeyRO, 2, 0, 1}}},
     .categories = 0, .group = CommandGroup::kServer, .since = "4.0.0",
     .complexity = "O(1)",
     .summary = "The bytes that a key and its value take.",
     .syntax = "key [SAMPLES count]",
     .example = "MEMORY USAGE lock:a", .handler = memory_usage},
};
static_assert(well_formed(kMemory));

}  // namespace

std::span<const CommandSpec> memory_commands() { return kMemory; }

}  // namespace lockstep
