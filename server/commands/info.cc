// INFO: what the server says of itself, in the sections, fields and order of Redis 7.4.
#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string>

#include "server/base/numbers.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

// The report: sections of "name:value" lines.
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
  void add(std::string_view name, double value, int digits) { add(name, fixed(value, digits)); }
  void add_bytes(std::string_view name, size_t bytes) {
    add(name, static_cast<uint64_t>(bytes));
    add(std::string(name) + "_human", human(bytes));
  }
  // What Lockstep does not have, as a Redis that does not use it.
  void add_zeros(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) add(name, 0);
  }
  const std::string& text() const { return text_; }

  static std::string fixed(double value, int digits) {
    char text[400];
    return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr};
  }

  static std::string human(size_t bytes) {
    static constexpr std::string_view kUnits[] = {"B", "K", "M", "G", "T"};
    double amount = static_cast<double>(bytes);
    size_t unit = 0;
    for (; amount >= 1024 && unit + 1 < std::size(kUnits); ++unit) amount /= 1024;
    return fixed(amount, unit == 0 ? 0 : 2).append(kUnits[unit]);
  }

 private:
  std::string text_;
};

double ratio(size_t part, size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

ProcessUse process_use(const Server& server) { return server.process.use ? server.process.use() : ProcessUse(); }

constexpr std::string_view kCompiler =
#ifdef __clang__
    "0.0.0";
#else
    __VERSION__;
#endif

void server_section(Call& call, Text& out) {
  const Server& server = call.server;
  const ProcessFacts& process = server.process;
  const int64_t uptime_s = (server.now().us - server.started_at.us) / 1'000'000;
  const int64_t unix_us = server.wall.unix_us();
  constexpr int64_t kLruClockMax = (1 << 24) - 1;
  out.section("Server");
  out.add("redis_version", server.settings.text("redis-version"));
  out.add("lockstep_version", LOCKSTEP_VERSION);
  out.add("redis_git_sha1", "00000000");
  out.add("redis_git_dirty", 0);
  out.add("redis_mode", "standalone");
  out.add("os", process.os);
  out.add("arch_bits", static_cast<int64_t>(sizeof(void*) * 8));
  out.add("monotonic_clock", process.clock);
  out.add("multiplexing_api", "libuv");
  out.add("gcc_version", kCompiler.substr(0, kCompiler.find(' ')));
  out.add("process_id", process.process_id);
  out.add("process_supervised", server.settings.text("supervised"));
  out.add("run_id", server.run_id);
  out.add("tcp_port", process.tcp_port);
  out.add("server_time_usec", unix_us);
  out.add("uptime_in_seconds", uptime_s);
  out.add("uptime_in_days", uptime_s / 86'400);
  out.add("hz", server.settings.text("hz"));
  out.add("configured_hz", server.settings.text("hz"));
  out.add("lru_clock", unix_us / 1'000'000 & kLruClockMax);
  out.add("executable", process.executable);
  out.add("config_file", process.config_file);
  out.add("io_threads_active", 0);
  for (size_t i = 0; i < process.listeners.size(); ++i)
    out.add("listener" + integer_text(static_cast<int64_t>(i)), process.listeners[i]);
}

void clients_section(Call& call, Text& out) {
  int64_t connected = 0;
  int64_t subscribed = 0;
  int64_t watching = 0;
  size_t largest_input = 0;
  size_t largest_output = 0;
  call.server.sessions.for_each([&](const SessionState& session, const SessionFigures& figures) {
    ++connected;
    if (session.subscription_count() > 0) ++subscribed;
    if (!session.watched.empty()) ++watching;
    largest_input = std::max(largest_input, figures.input_bytes);
    largest_output = std::max(largest_output, figures.output_bytes);
  });
  const Waiters& waiters = call.server.waiters;
  out.section("Clients");
  out.add("connected_clients", connected);
  out.add("cluster_connections", 0);
  out.add("maxclients", call.server.settings.integer("maxclients"));
  out.add("client_recent_max_input_buffer", static_cast<uint64_t>(largest_input));
  out.add("client_recent_max_output_buffer", static_cast<uint64_t>(largest_output));
  out.add("blocked_clients", static_cast<uint64_t>(waiters.count()));
  out.add("tracking_clients", 0);
  out.add("pubsub_clients", subscribed);
  out.add("watching_clients", watching);
  out.add("clients_in_timeout_table", static_cast<uint64_t>(waiters.count_with_deadline()));
  out.add("total_watched_keys", static_cast<uint64_t>(call.server.watches.key_count()));
  out.add("total_blocking_keys", static_cast<uint64_t>(waiters.key_count()));
  out.add("total_blocking_keys_on_nokey", 0);
}


void scripts_memory(const Server& server, Text& out) {
  const size_t interpreter = server.scripts.interpreter_bytes();
  const size_t texts = server.scripts.text_bytes();
  out.add("used_memory_lua", static_cast<uint64_t>(interpreter));
  out.add("used_memory_vm_eval", static_cast<uint64_t>(interpreter));
  out.add("used_memory_lua_human", Text::human(interpreter));
  out.add("used_memory_scripts_eval", static_cast<uint64_t>(texts));
  out.add("number_of_cached_scripts", static_cast<uint64_t>(server.scripts.count()));
  out.add_zeros({"number_of_functions", "number_of_libraries", "used_memory_vm_functions"});
  out.add_bytes("used_memory_vm_total", interpreter);
  out.add("used_memory_functions", 0);
  out.add_bytes("used_memory_scripts", texts);
}

// The allocator is not asked: what it holds beyond what is used shows in the resident set.
void allocator_memory(size_t used, size_t resident, Text& out) {
  out.add("allocator_frag_ratio", 1.0, 2);
  out.add("allocator_frag_bytes", 0);
  out.add("allocator_rss_ratio", 1.0, 2);
  out.add("allocator_rss_bytes", 0);
  out.add("rss_overhead_ratio", 1.0, 2);
  out.add("rss_overhead_bytes", 0);
  out.add("mem_fragmentation_ratio", ratio(resident, used), 2);
  out.add("mem_fragmentation_bytes", static_cast<int64_t>(resident) - static_cast<int64_t>(used));
}

void memory_section(Call& call, Text& out) {
  Server& server = call.server;
  const MemoryUse use = server.memory_use();
  const ProcessUse process = process_use(server);
  const size_t used = use.total();
  out.section("Memory");
  out.add_bytes("used_memory", used);
  out.add_bytes("used_memory_rss", process.resident_bytes);
  out.add_bytes("used_memory_peak", server.peak_memory_bytes);
  out.add("used_memory_peak_perc", Text::fixed(100 * ratio(used, server.peak_memory_bytes), 2) + "%");
  out.add("used_memory_overhead", static_cast<uint64_t>(used - use.values));
  out.add("used_memory_startup", static_cast<uint64_t>(server.start_memory_bytes));
  out.add("used_memory_dataset", static_cast<uint64_t>(use.values));
  out.add("used_memory_dataset_perc",
          Text::fixed(100 * ratio(use.values, used - std::min(used, server.start_memory_bytes)), 2) + "%");
  out.add("allocator_allocated", static_cast<uint64_t>(used));
  out.add("allocator_active", static_cast<uint64_t>(process.resident_bytes));
  out.add("allocator_resident", static_cast<uint64_t>(process.resident_bytes));
  out.add("allocator_muzzy", 0);
  out.add_bytes("total_system_memory", process.system_memory_bytes);
  scripts_memory(server, out);
  out.add_bytes("maxmemory", static_cast<size_t>(server.settings.integer("maxmemory")));
  out.add("maxmemory_policy", server.settings.text("maxmemory-policy"));
  allocator_memory(used, process.resident_bytes, out);
  out.add_zeros({"mem_not_counted_for_evict", "mem_replication_backlog", "mem_total_replication_buffers",
                 "mem_clients_slaves"});
  out.add("mem_clients_normal", static_cast<uint64_t>(use.sessions));
  out.add_zeros({"mem_cluster_links", "mem_aof_buffer"});
  out.add("mem_allocator", "libc");
  out.add_zeros({"mem_overhead_db_hashtable_rehashing", "active_defrag_running", "lazyfree_pending_objects",
                 "lazyfreed_objects"});
}

// Nothing is kept on disk.
void persistence_section(Call& call, Text& out) {
  const Server& server = call.server;
  out.section("Persistence");
  out.add_zeros({"loading", "async_loading", "current_cow_peak", "current_cow_size", "current_cow_size_age"});
  out.add("current_fork_perc", 0.0, 2);
  out.add_zeros({"current_save_keys_processed", "current_save_keys_total", "rdb_changes_since_last_save",
                 "rdb_bgsave_in_progress"});
  out.add("rdb_last_save_time", (server.started_at.ms() + server.wall.offset_ms) / 1000);
  out.add("rdb_last_bgsave_status", "ok");
  out.add("rdb_last_bgsave_time_sec", -1);
  out.add("rdb_current_bgsave_time_sec", -1);
  out.add_zeros({"rdb_saves", "rdb_last_cow_size", "rdb_last_load_keys_expired", "rdb_last_load_keys_loaded",
                 "aof_enabled", "aof_rewrite_in_progress", "aof_rewrite_scheduled"});
  out.add("aof_last_rewrite_time_sec", -1);
  out.add("aof_current_rewrite_time_sec", -1);
  out.add("aof_last_bgrewrite_status", "ok");
  out.add_zeros({"aof_rewrites", "aof_rewrites_consecutive_failures"});
  out.add("aof_last_write_status", "ok");
  out.add_zeros({"aof_last_cow_size", "module_fork_in_progress", "module_fork_last_cow_size"});
}

void traffic(const Server& server, Text& out) {
  const Stats& stats = server.stats;
  out.add("total_connections_received", stats.connections_received);
  out.add("total_commands_processed", stats.commands_processed);
  out.add("instantaneous_ops_per_sec", server.rates.commands_per_s);
  out.add("total_net_input_bytes", stats.input_bytes);
  out.add("total_net_output_bytes", stats.output_bytes);
  out.add_zeros({"total_net_repl_input_bytes", "total_net_repl_output_bytes"});
  out.add("instantaneous_input_kbps", server.rates.input_kib_per_s, 2);
  out.add("instantaneous_output_kbps", server.rates.output_kib_per_s, 2);
  out.add("instantaneous_input_repl_kbps", 0.0, 2);
  out.add("instantaneous_output_repl_kbps", 0.0, 2);
  out.add("rejected_connections", stats.connections_rejected);
}

void stats_section(Call& call, Text& out) {
  const Server& server = call.server;
  const Stats& stats = server.stats;
  out.section("Stats");
  traffic(server, out);
  out.add_zeros({"sync_full", "sync_partial_ok", "sync_partial_err"});
  out.add("expired_keys", stats.keys_expired);
  out.add("expired_stale_perc", 0.0, 2);
  out.add_zeros({"expired_time_cap_reached_count", "expire_cycle_cpu_milliseconds", "evicted_keys",
                 "evicted_clients", "evicted_scripts", "total_eviction_exceeded_time",
                 "current_eviction_exceeded_time"});
  out.add("keyspace_hits", stats.keyspace_hits);
  out.add("keyspace_misses", stats.keyspace_misses);
  out.add("pubsub_channels", static_cast<uint64_t>(server.pubsub.channel_count()));
  out.add("pubsub_patterns", static_cast<uint64_t>(server.pubsub.pattern_count()));
  out.add_zeros({"pubsubshard_channels", "latest_fork_usec", "total_forks", "migrate_cached_sockets",
                 "slave_expires_tracked_keys", "active_defrag_hits", "active_defrag_misses",
                 "active_defrag_key_hits", "active_defrag_key_misses", "total_active_defrag_time",
                 "current_active_defrag_time", "tracking_total_keys", "tracking_total_items",
                 "tracking_total_prefixes", "unexpected_error_replies"});
  out.add("total_error_replies", server.recorder.errors.total());
  out.add("dump_payload_sanitizations", 0);
  out.add("total_reads_processed", stats.reads);
  out.add("total_writes_processed", stats.writes);
  out.add_zeros({"io_threaded_reads_processed", "io_threaded_writes_processed", "reply_buffer_shrinks",
                 "reply_buffer_expands"});
  out.add("eventloop_cycles", stats.turns);
  out.add("eventloop_duration_sum", stats.turns_us);
  out.add("eventloop_duration_cmd_sum", stats.commands_us);
  out.add("instantaneous_eventloop_cycles_per_sec", server.rates.turns_per_s);
  out.add("instantaneous_eventloop_duration_usec", server.rates.turn_us);
  out.add_zeros({"acl_access_denied_auth", "acl_access_denied_cmd", "acl_access_denied_key",
                 "acl_access_denied_channel"});
}

// There is none: this instance is the whole history of its data, which its run's id names.
void replication_section(Call& call, Text& out) {
  out.section("Replication");
  out.add("role", "master");
  out.add("connected_slaves", 0);
  out.add("master_failover_state", "no-failover");
  out.add("master_replid", call.server.run_id);
  out.add("master_replid2", std::string(call.server.run_id.size(), '0'));
  out.add("master_repl_offset", 0);
  out.add("second_repl_offset", -1);
  out.add("repl_backlog_active", 0);
  out.add("repl_backlog_size", call.server.settings.integer("repl-backlog-size"));
  out.add_zeros({"repl_backlog_first_byte_offset", "repl_backlog_histlen"});
}

void cpu_section(Call& call, Text& out) {
  const ProcessUse use = process_use(call.server);
  const auto add = [&](std::string_view name, int64_t us) { out.add(name, static_cast<double>(us) / 1e6, 6); };
  out.section("CPU");
  add("used_cpu_sys", use.system_us);
  add("used_cpu_user", use.user_us);
  add("used_cpu_sys_children", use.children_system_us);
  add("used_cpu_user_children", use.children_user_us);
  add("used_cpu_sys_main_thread", use.main_thread_system_us);
  add("used_cpu_user_main_thread", use.main_thread_user_us);
}

void modules_section(Call&, Text& out) { out.section("Modules"); }

void commandstats_section(Call& call, Text& out) {
  out.section("Commandstats");
  for (const CommandSpec& spec : call.server.commands.rows()) {
    const CommandFigures& figures = call.server.recorder.commands.of(spec.number);
    if (figures.calls == 0 && figures.rejected == 0 && figures.failed == 0) continue;
    const auto text = [](uint64_t number) { return integer_text(static_cast<int64_t>(number)); };
    out.add("cmdstat_" + std::string(spec.name),
            "calls=" + text(figures.calls) + ",usec=" + text(figures.usec) +
                ",usec_per_call=" + Text::fixed(ratio(figures.usec, figures.calls), 2) +
                ",rejected_calls=" + text(figures.rejected) + ",failed_calls=" + text(figures.failed));
  }
}

void errorstats_section(Call& call, Text& out) {
  out.section("Errorstats");
  for (const auto& [code, count] : call.server.recorder.errors.by_code()) {
    std::string name = "errorstat_" + code;
    std::replace_if(name.begin(), name.end(), [](char c) { return c == ':' || c == '#' || c == '\r' || c == '\n'; }, '_');
    out.add(name, "count=" + integer_text(static_cast<int64_t>(count)));
  }
}

void latencystats_section(Call& call, Text& out) {
  out.section("Latencystats");
  for (const CommandSpec& spec : call.server.commands.rows()) {
    const CommandFigures& figures = call.server.recorder.commands.of(spec.number);
    if (figures.latency.count() == 0) continue;
    std::string text;
    std::string_view percentiles = call.server.settings.text("latency-tracking-info-percentiles");
    while (!percentiles.empty()) {
      const std::string_view percent = percentiles.substr(0, percentiles.find(' '));
      percentiles.remove_prefix(std::min(percent.size() + 1, percentiles.size()));
      const int64_t ns = figures.latency.percentile_ns(parse_double(percent).value_or(0));
      if (!text.empty()) text += ',';
      text.append("p").append(percent).append("=").append(Text::fixed(static_cast<double>(ns) / 1000, 3));
    }
    out.add("latency_percentiles_usec_" + std::string(spec.name), text);
  }
}

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
                ",avg_ttl=" + integer_text(keys.mean_ttl_ms(kSamples)) + ",subexpiry=0");
  }
}

struct Section {
  std::string_view name;
  void (*write)(Call&, Text&);
  bool by_default = true;
};

constexpr Section kSections[] = {
    {"server", server_section},
    {"clients", clients_section},
    {"memory", memory_section},
    {"persistence", persistence_section},
    {"stats", stats_section},
    {"replication", replication_section},
    {"cpu", cpu_section},
    {"modules", modules_section},
    {"commandstats", commandstats_section, false},
    {"errorstats", errorstats_section},
    {"latencystats", latencystats_section, false},
    {"cluster", cluster_section},
    {"keyspace", keyspace_section},
};

void info(Call& call) {
  const Args wanted = call.args.subspan(1);
  const auto named = [&](std::string_view name) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](std::string_view arg) { return equals_ignoring_case(arg, name); });
  };
  const bool all = named("all") || named("everything");
  const bool defaults = wanted.empty() || named("default");
  Text out;
  for (const Section& section : kSections)
    if (all || (defaults && section.by_default) || named(section.name)) section.write(call, out);
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
