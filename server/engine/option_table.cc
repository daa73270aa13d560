#include "server/engine/option_table.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "server/base/ascii.h"
#include "server/base/numbers.h"

namespace lockstep {
namespace {

constexpr auto kInteger = OptionKind::kInteger;
constexpr auto kOctal = OptionKind::kOctal;
constexpr auto kPort = OptionKind::kPort;
constexpr auto kMemory = OptionKind::kMemory;
constexpr auto kBoolean = OptionKind::kBoolean;
constexpr auto kString = OptionKind::kString;
constexpr auto kChoice = OptionKind::kChoice;
constexpr auto kWords = OptionKind::kWords;
constexpr auto kEvents = OptionKind::kEvents;

constexpr int64_t kMaxInt = INT32_MAX;
constexpr int64_t kMegabyte = 1 << 20;

std::string_view check_bind(std::string_view text) {
  constexpr int kMaxAddresses = 16;
  int count = 0;
  while (!next_word(text).empty()) ++count;
  return count > kMaxAddresses ? "Too many bind addresses specified." : "";
}

std::string_view check_save(std::string_view text) {
  constexpr std::string_view kFault = "Invalid save parameters";
  int count = 0;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text), ++count) {
    const auto number = parse_integer(word);
    if (!number || *number < (count % 2 == 0 ? 1 : 0) || *number > kMaxInt) return kFault;
  }
  return count % 2 == 0 ? "" : kFault;
}

std::string_view check_oom_score_adj_values(std::string_view text) {
  int count = 0;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text), ++count) {
    const auto number = parse_integer(word);
    if (!number || *number < -2000 || *number > 2000)
      return "Invalid oom-score-adj-values, elements must be between -2000 and 2000.";
  }
  return count == 3 ? "" : "wrong number of arguments";
}

std::string_view check_percentiles(std::string_view text) {
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const auto percent = parse_double(word);
    if (!percent) return "Invalid latency-tracking-info-percentiles parameters";
    if (*percent < 0 || *percent > 100)
      return "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]";
  }
  return "";
}

std::string_view check_version(std::string_view text) {
  int dots = 0;
  bool digit_before = false;
  for (const char c : text) {
    if (c == '.' && digit_before) {
      ++dots;
      digit_before = false;
    } else if (c >= '0' && c <= '9') {
      digit_before = true;
    } else {
      dots = -1;
      break;
    }
  }
  return dots == 2 && digit_before ? "" : "argument must be a version such as 7.4.0";
}

constexpr OptionSpec at_start(std::string_view name, OptionKind kind, std::string_view default_text,
                              std::string_view choices = {}) {
  return {.name = name, .kind = kind, .effect = OptionEffect::kAtStart, .default_text = default_text,
          .choices = choices};
}

constexpr OptionSpec live(std::string_view name, OptionKind kind, std::string_view default_text,
                          std::string_view choices = {}) {
  return {.name = name, .kind = kind, .effect = OptionEffect::kLive, .default_text = default_text,
          .choices = choices};
}

constexpr OptionSpec ignored(std::string_view name, OptionKind kind, std::string_view default_text,
                             std::string_view note = {}, std::string_view choices = {}) {
  return {.name = name, .kind = kind, .effect = OptionEffect::kNone, .default_text = default_text,
          .choices = choices, .note = note};
}

constexpr OptionSpec refused(std::string_view name, OptionKind kind, std::string_view default_text,
                             std::string_view note, std::string_view choices = {}) {
  return {.name = name, .kind = kind, .effect = OptionEffect::kUnsupported, .default_text = default_text,
          .choices = choices, .note = note};
}

constexpr std::string_view kNoDisk = "nothing is written to disk";
constexpr std::string_view kNoDiskYet = "nothing is written to disk yet, locks end with the process";
constexpr std::string_view kNoReplicas = "there is no replication";
constexpr std::string_view kNoTls = "there is no TLS yet";
constexpr std::string_view kNoEviction = "locks are not evicted";
constexpr std::string_view kOneThread = "one thread does everything";
constexpr std::string_view kGuard = "no|yes|local";

constexpr std::array kOptions = {
    ignored("acl-pubsub-default", kChoice, "resetchannels", "", "allchannels|resetchannels"),
    refused("aclfile", kString, "", "there are no ACL users yet; requirepass sets a password").fixed(),
    ignored("acllog-max-len", kInteger, "128"),
    ignored("active-defrag-cycle-max", kInteger, "25").within(1, 99),
    ignored("active-defrag-cycle-min", kInteger, "1").within(1, 99),
    ignored("active-defrag-ignore-bytes", kMemory, "104857600"),
    ignored("active-defrag-max-scan-fields", kInteger, "1000").within(1, INT64_MAX),
    ignored("active-defrag-threshold-lower", kInteger, "10").within(0, 1000),
    ignored("active-defrag-threshold-upper", kInteger, "100").within(0, 1000),
    ignored("active-expire-effort", kInteger, "1", "keys expire at their deadlines").within(1, 10),
    ignored("activedefrag", kBoolean, "no"),
    ignored("activerehashing", kBoolean, "yes"),
    ignored("always-show-logo", kBoolean, "no").fixed(),
    ignored("aof-load-truncated", kBoolean, "yes"),
    ignored("aof-rewrite-cpulist", kString, "").also("aof_rewrite_cpulist").fixed(),
    ignored("aof-rewrite-incremental-fsync", kBoolean, "yes"),
    ignored("aof-timestamp-enabled", kBoolean, "no"),
    ignored("aof-use-rdb-preamble", kBoolean, "yes"),
    ignored("appenddirname", kString, "appendonlydir", kNoDisk).fixed(),
    ignored("appendfilename", kString, "appendonly.aof", kNoDisk).fixed(),
    ignored("appendfsync", kChoice, "everysec", kNoDisk, "everysec|always|no"),
    refused("appendonly", kBoolean, "no", kNoDiskYet),
    ignored("auto-aof-rewrite-min-size", kMemory, "67108864"),
    ignored("auto-aof-rewrite-percentage", kInteger, "100").within(0, kMaxInt),
    ignored("bgsave-cpulist", kString, "").also("bgsave_cpulist").fixed(),
    live("bind", kWords, "* -::*").checked(check_bind),
    ignored("bind-source-addr", kString, "", kNoReplicas),
    ignored("bio-cpulist", kString, "").also("bio_cpulist").fixed(),
    live("busy-reply-threshold", kInteger, "5000").within(0, INT64_MAX).also("lua-time-limit"),
    live("client-output-buffer-limit", OptionKind::kOutputLimits,
         "normal 1073741824 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"),
    live("client-query-buffer-limit", kMemory, "1073741824").within(kMegabyte, INT64_MAX),
    refused("cluster-enabled", kBoolean, "no", "there is no cluster mode").fixed(),
    ignored("crash-log-enabled", kBoolean, "yes"),
    ignored("crash-memcheck-enabled", kBoolean, "yes"),
    refused("daemonize", kBoolean, "no", "it stays in the foreground; start it in the background instead").fixed(),
    at_start("databases", kInteger, "16").within(1, 256),
    ignored("dbfilename", kString, "dump.rdb", kNoDisk).guarded(),
    live("dir", kString, ".").guarded(),
    ignored("disable-thp", kBoolean, "yes").fixed(),
    ignored("dynamic-hz", kBoolean, "yes"),
    at_start("enable-debug-command", kChoice, "no", kGuard),
    ignored("enable-module-command", kChoice, "no", "there are no modules", kGuard).fixed(),
    at_start("enable-protected-configs", kChoice, "no", kGuard),
    ignored("hash-max-listpack-entries", kInteger, "128", "it is fixed").also("hash-max-ziplist-entries"),
    ignored("hash-max-listpack-value", kMemory, "64").also("hash-max-ziplist-value"),
    ignored("hll-sparse-max-bytes", kMemory, "3000"),
    ignored("hz", kInteger, "10", "keys expire at their deadlines, not by rounds").within(0, kMaxInt),
    ignored("ignore-warnings", kString, ""),
    ignored("io-threads", kInteger, "1", kOneThread).within(1, 128).fixed(),
    ignored("io-threads-do-reads", kBoolean, "no", kOneThread).fixed(),
    ignored("jemalloc-bg-thread", kBoolean, "yes"),
    live("latency-monitor-threshold", kInteger, "0").within(0, INT64_MAX),
    live("latency-tracking", kBoolean, "yes"),
    live("latency-tracking-info-percentiles", kWords, "50 99 99.9").checked(check_percentiles),
    ignored("lazyfree-lazy-eviction", kBoolean, "no"),
    ignored("lazyfree-lazy-expire", kBoolean, "no"),
    ignored("lazyfree-lazy-server-del", kBoolean, "no"),
    ignored("lazyfree-lazy-user-del", kBoolean, "no"),
    ignored("lazyfree-lazy-user-flush", kBoolean, "no"),
    ignored("lfu-decay-time", kInteger, "1", kNoEviction).within(0, kMaxInt),
    ignored("lfu-log-factor", kInteger, "10", kNoEviction).within(0, kMaxInt),
    ignored("list-compress-depth", kInteger, "0").within(0, kMaxInt),
    ignored("list-max-listpack-size", kInteger, "-2").also("list-max-ziplist-size").within(INT32_MIN, kMaxInt),
    ignored("list-max-ziplist-entries", kInteger, "512"),
    ignored("list-max-ziplist-value", kInteger, "64"),
    ignored("locale-collate", kString, ""),
    at_start("logfile", kString, ""),
    live("loglevel", kChoice, "notice", "debug|verbose|notice|warning|nothing"),
    ignored("masterauth", kString, "", kNoReplicas),
    ignored("masteruser", kString, "", kNoReplicas),
    ignored("max-new-connections-per-cycle", kInteger, "10").within(1, 1000),
    live("maxclients", kInteger, "10000").within(1, UINT32_MAX),
    live("maxmemory", kMemory, "0"),
    ignored("maxmemory-clients", OptionKind::kMemoryOrPercent, "0", "client-output-buffer-limit limits clients"),
    ignored("maxmemory-eviction-tenacity", kInteger, "10", kNoEviction).within(0, 100),
    ignored("maxmemory-policy", kChoice, "noeviction", kNoEviction,
            "volatile-lru|volatile-lfu|volatile-random|volatile-ttl|allkeys-lru|allkeys-lfu|allkeys-random|"
            "noeviction"),
    ignored("maxmemory-samples", kInteger, "5", kNoEviction).within(1, 64),
    ignored("min-replicas-max-lag", kInteger, "10", kNoReplicas).also("min-slaves-max-lag").within(0, kMaxInt),
    refused("min-replicas-to-write", kInteger, "0", kNoReplicas).also("min-slaves-to-write").within(0, kMaxInt),
    ignored("no-appendfsync-on-rewrite", kBoolean, "no"),
    live("notify-keyspace-events", kEvents, ""),
    ignored("oom-score-adj", kChoice, "no", "", "no|yes|relative|absolute"),
    ignored("oom-score-adj-values", kWords, "0 200 800").checked(check_oom_score_adj_values),
    at_start("pidfile", kString, ""),
    live("port", kPort, "6379").within(0, 65535),
    ignored("proc-title-template", kString, "{title} {listen-addr} {server-mode}"),
    ignored("propagation-error-behavior", kChoice, "ignore", kNoReplicas, "ignore|panic|panic-on-replicas"),
    live("protected-mode", kBoolean, "yes"),
    live("proto-max-bulk-len", kMemory, "536870912").within(kMegabyte, 512 * kMegabyte),
    ignored("rdb-del-sync-files", kBoolean, "no"),
    ignored("rdb-save-incremental-fsync", kBoolean, "yes"),
    ignored("rdbchecksum", kBoolean, "yes").fixed(),
    ignored("rdbcompression", kBoolean, "yes"),
    at_start("redis-version", kString, "7.4.0").checked(check_version),
    ignored("repl-backlog-size", kMemory, "1048576", kNoReplicas).within(1, INT64_MAX),
    ignored("repl-backlog-ttl", kInteger, "3600", kNoReplicas),
    ignored("repl-disable-tcp-nodelay", kBoolean, "no"),
    ignored("repl-diskless-load", kChoice, "disabled", "", "disabled|on-empty-db|swapdb"),
    ignored("repl-diskless-sync", kBoolean, "yes"),
    ignored("repl-diskless-sync-delay", kInteger, "5").within(0, kMaxInt),
    ignored("repl-diskless-sync-max-replicas", kInteger, "0").within(0, kMaxInt),
    ignored("repl-ping-replica-period", kInteger, "10").also("repl-ping-slave-period").within(1, kMaxInt),
    ignored("repl-timeout", kInteger, "60").within(1, kMaxInt),
    ignored("replica-announce-ip", kString, "", kNoReplicas).also("slave-announce-ip"),
    ignored("replica-announce-port", kInteger, "0", kNoReplicas).also("slave-announce-port").within(0, 65535),
    ignored("replica-announced", kBoolean, "yes"),
    ignored("replica-ignore-disk-write-errors", kBoolean, "no"),
    ignored("replica-ignore-maxmemory", kBoolean, "yes").also("slave-ignore-maxmemory"),
    ignored("replica-lazy-flush", kBoolean, "no").also("slave-lazy-flush"),
    ignored("replica-priority", kInteger, "100").also("slave-priority").within(0, kMaxInt),
    ignored("replica-read-only", kBoolean, "yes").also("slave-read-only"),
    ignored("replica-serve-stale-data", kBoolean, "yes").also("slave-serve-stale-data"),
    refused("replicaof", kWords, "", kNoReplicas).also("slaveof").fixed(),
    live("requirepass", kString, ""),
    ignored("sanitize-dump-payload", kChoice, "no", "", "no|yes|clients"),
    ignored("save", kWords, "", kNoDiskYet).checked(check_save),
    ignored("server-cpulist", kString, "").also("server_cpulist").fixed(),
    ignored("set-max-intset-entries", kInteger, "512"),
    ignored("set-max-listpack-entries", kInteger, "128"),
    ignored("set-max-listpack-value", kInteger, "64"),
    ignored("set-proc-title", kBoolean, "yes").fixed(),
    ignored("shutdown-on-sigint", kWords, "default"),
    ignored("shutdown-on-sigterm", kWords, "default"),
    ignored("shutdown-timeout", kInteger, "10", kNoReplicas).within(0, kMaxInt),
    live("slowlog-log-slower-than", kInteger, "10000").within(-1, INT64_MAX),
    live("slowlog-max-len", kInteger, "128").within(0, INT64_MAX),
    ignored("socket-mark-id", kInteger, "0").within(0, UINT32_MAX).fixed(),
    ignored("stop-writes-on-bgsave-error", kBoolean, "yes"),
    ignored("stream-node-max-bytes", kMemory, "4096"),
    ignored("stream-node-max-entries", kInteger, "100"),
    refused("supervised", kChoice, "no", "it does not speak to supervisors: for systemd use Type=simple",
            "no|upstart|systemd|auto").fixed(),
    ignored("syslog-enabled", kBoolean, "no", "it logs to standard output or to logfile").fixed(),
    ignored("syslog-facility", kString, "local0").fixed(),
    ignored("syslog-ident", kString, "redis").fixed(),
    at_start("tcp-backlog", kInteger, "511").within(0, kMaxInt),
    live("tcp-keepalive", kInteger, "300").within(0, kMaxInt),
    live("timeout", kInteger, "0").within(0, kMaxInt),
    refused("tls-ca-cert-file", kString, "", kNoTls),
    refused("tls-cert-file", kString, "", kNoTls),
    refused("tls-key-file", kString, "", kNoTls),
    refused("tls-port", kInteger, "0", kNoTls).within(0, 65535),
    ignored("tracking-table-max-keys", kInteger, "1000000"),
    at_start("unixsocket", kString, ""),
    at_start("unixsocketperm", kOctal, "0").within(0, 0777),
    ignored("zset-max-listpack-entries", kInteger, "128").also("zset-max-ziplist-entries"),
    ignored("zset-max-listpack-value", kMemory, "64").also("zset-max-ziplist-value"),
};

static_assert(std::is_sorted(kOptions.begin(), kOptions.end(),
                             [](const OptionSpec& a, const OptionSpec& b) { return a.name < b.name; }));

consteval size_t count_names() {
  size_t count = 0;
  for (const OptionSpec& spec : kOptions) count += spec.alias.empty() ? 1 : 2;
  return count;
}

consteval auto all_names() {
  std::array<OptionName, count_names()> names{};
  size_t count = 0;
  for (const OptionSpec& spec : kOptions) {
    names[count++] = {spec.name, &spec};
    if (!spec.alias.empty()) names[count++] = {spec.alias, &spec};
  }
  std::sort(names.begin(), names.end(), [](const OptionName& a, const OptionName& b) { return a.name < b.name; });
  return names;
}

constexpr auto kNames = all_names();

static_assert(std::adjacent_find(kNames.begin(), kNames.end(), [](const OptionName& a, const OptionName& b) {
                return a.name == b.name;
              }) == kNames.end());

}  // namespace

std::span<const OptionSpec> option_table() { return kOptions; }
std::span<const OptionName> option_names() { return kNames; }

const OptionSpec* find_option(std::string_view name) {
  const std::string low = lower(name);
  const auto at = std::lower_bound(kNames.begin(), kNames.end(), std::string_view(low),
                                   [](const OptionName& known, std::string_view wanted) { return known.name < wanted; });
  return at != kNames.end() && at->name == low ? at->spec : nullptr;
}

std::string_view next_word(std::string_view& rest) {
  const size_t begin = rest.find_first_not_of(' ');
  if (begin == rest.npos) return rest = {};
  const size_t end = std::min(rest.find(' ', begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

}  // namespace lockstep
