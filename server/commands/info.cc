// INFO: the fields that clients and tools read, section by section.
#include <algorithm>
#include <string>
#include <vector>

#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

class Text {
 public:
  void section(std::string_view title) {
    if (!text_.empty()) text_ += "\r\n";
    text_.append("# ").append(title).append("\r\n");
  }
  void add(std::string_view name, std::string_view value) {
    text_.append(name).append(":").append(value).append("\r\n");
  }
  void add(std::string_view name, int64_t value) { add(name, integer_text(value)); }
  void add(std::string_view name, uint64_t value) { add(name, static_cast<int64_t>(value)); }
  void add(std::string_view name, int value) { add(name, static_cast<int64_t>(value)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string human_bytes(size_t bytes) {
  static constexpr std::string_view kUnits[] = {"B", "K", "M", "G"};
  double amount = static_cast<double>(bytes);
  size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < std::size(kUnits); ++unit) amount /= 1024;
  char text[32];
  char* end = std::to_chars(text, text + sizeof text, amount, std::chars_format::fixed, unit == 0 ? 0 : 2).ptr;
  return std::string(text, end).append(kUnits[unit]);
}

void server_section(Call& call, Text& out) {
  const Server& server = call.server;
  const int64_t uptime_s = (server.now().us - server.started_at.us) / 1'000'000;
  out.section("Server");
  out.add("redis_version", server.settings.text("redis-version"));
  out.add("lockstep_version", LOCKSTEP_VERSION);
  out.add("redis_mode", "standalone");
  out.add("os", server.process.os);
  out.add("arch_bits", static_cast<int64_t>(sizeof(void*) * 8));
  out.add("multiplexing_api", "libuv");
  out.add("process_id", server.process.process_id);
  out.add("run_id", server.run_id);
  out.add("tcp_port", server.process.tcp_port);
  out.add("server_time_usec", server.wall.unix_us());
  out.add("uptime_in_seconds", uptime_s);
  out.add("uptime_in_days", uptime_s / 86'400);
  out.add("executable", server.process.executable);
  out.add("config_file", server.process.config_file);
}

void clients_section(Call& call, Text& out) {
  int64_t connected = 0;
  int64_t subscribed = 0;
  call.server.sessions.for_each([&](const SessionState& session, const SessionFigures&) {
    ++connected;
    if (session.subscription_count() > 0) ++subscribed;
  });
  out.section("Clients");
  out.add("connected_clients", connected);
  out.add("maxclients", call.server.settings.integer("maxclients"));
  out.add("blocked_clients", static_cast<int64_t>(call.server.waiters.count()));
  out.add("tracking_clients", 0);
  out.add("pubsub_clients", subscribed);
}

void memory_section(Call& call, Text& out) {
  const size_t bytes = call.server.databases.memory_bytes();
  out.section("Memory");
  out.add("used_memory", static_cast<uint64_t>(bytes));
  out.add("used_memory_human", human_bytes(bytes));
  out.add("used_memory_dataset", static_cast<uint64_t>(call.server.databases.shared().value_bytes));
  out.add("number_of_cached_scripts", static_cast<uint64_t>(call.server.scripts.count()));
  out.add("maxmemory", 0);
  out.add("maxmemory_human", "0B");
  out.add("maxmemory_policy", "noeviction");
  out.add("mem_allocator", "libc");
}

void persistence_section(Call&, Text& out) {
  out.section("Persistence");
  out.add("loading", 0);
  out.add("async_loading", 0);
  out.add("rdb_bgsave_in_progress", 0);
  out.add("aof_enabled", 0);
  out.add("aof_rewrite_in_progress", 0);
}

void stats_section(Call& call, Text& out) {
  const Stats& stats = call.server.stats;
  out.section("Stats");
  out.add("total_connections_received", stats.connections_received);
  out.add("total_commands_processed", stats.commands_processed);
  out.add("total_net_input_bytes", stats.input_bytes);
  out.add("total_net_output_bytes", stats.output_bytes);
  out.add("rejected_connections", stats.connections_rejected);
  out.add("expired_keys", stats.keys_expired);
  out.add("evicted_keys", 0);
  out.add("keyspace_hits", stats.keyspace_hits);
  out.add("keyspace_misses", stats.keyspace_misses);
  out.add("pubsub_channels", static_cast<uint64_t>(call.server.pubsub.channel_count()));
  out.add("pubsub_patterns", static_cast<uint64_t>(call.server.pubsub.pattern_count()));
  out.add("tracking_total_keys", 0);
  out.add("total_error_replies", stats.error_replies);
}

void replication_section(Call&, Text& out) {
  out.section("Replication");
  out.add("role", "master");
  out.add("connected_slaves", 0);
  out.add("master_failover_state", "no-failover");
  out.add("master_repl_offset", 0);
}

void modules_section(Call&, Text& out) { out.section("Modules"); }

void cluster_section(Call&, Text& out) {
  out.section("Cluster");
  out.add("cluster_enabled", 0);
}

void keyspace_section(Call& call, Text& out) {
  constexpr size_t kSamples = 20;
  out.section("Keyspace");
  for (int i = 0; i < call.server.databases.count(); ++i) {
    const Keyspace& keys = call.server.databases[i];
    if (keys.size() == 0) continue;
    out.add("db" + integer_text(i),
            "keys=" + integer_text(static_cast<int64_t>(keys.size())) +
                ",expires=" + integer_text(static_cast<int64_t>(keys.size_with_deadline())) +
                ",avg_ttl=" + integer_text(keys.mean_ttl_ms(kSamples)));
  }
}

struct Section {
  std::string_view name;
  void (*write)(Call&, Text&);
};

constexpr Section kSections[] = {
    {"server", server_section},           {"clients", clients_section},
    {"memory", memory_section},           {"persistence", persistence_section},
    {"stats", stats_section},             {"replication", replication_section},
    {"modules", modules_section},         {"cluster", cluster_section},
    {"keyspace", keyspace_section},
};

void info(Call& call) {
  const Args wanted = call.args.subspan(1);
  const auto named = [&](std::string_view name) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](std::string_view arg) { return equals_ignoring_case(arg, name); });
  };
  const bool all = wanted.empty() || named("all") || named("everything") || named("default");
  Text out;
  for (const Section& section : kSections)
    if (all || named(section.name)) section.write(call, out);
  call.reply.verbatim("txt", out.text());
}

constexpr CommandSpec kInfo[] = {
    {.name = "info", .arity = -1, .flags = kLoading | kStale,
     .categories = kAclDangerous, .group = CommandGroup::kServer, .since = "1.0.0",
     .complexity = "O(1)",
     .summary = "What the server says of itself.",
     .syntax = "[section [section ...]]",
     .example = "INFO server", .handler = info},
};
static_assert(well_formed(kInfo));

}  // namespace

std::span<const CommandSpec> info_commands() { return kInfo; }

}  // namespace lockstep
