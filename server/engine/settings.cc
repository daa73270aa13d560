#include "server/engine/settings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "server/base/ascii.h"
#include "server/base/check.h"
#include "server/base/numbers.h"
#include "server/engine/event_classes.h"

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
constexpr auto kAtStart = OptionEffect::kAtStart;
constexpr auto kLive = OptionEffect::kLive;

constexpr int64_t kMaxInt = INT32_MAX;

// Takes the next word off `rest`; empty when there is none.
constexpr std::string_view blank_separated(std::string_view& rest) {
  const size_t begin = rest.find_first_not_of(' ');
  if (begin == rest.npos) return rest = {};
  const size_t end = std::min(rest.find(' ', begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

std::string_view check_bind(std::string_view text) {
  constexpr int kMaxAddresses = 16;
  int count = 0;
  while (!blank_separated(text).empty()) ++count;
  return count > kMaxAddresses ? "Too many bind addresses specified." : "";
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

constexpr OptionSpec ignored(std::string_view name, OptionKind kind, std::string_view default_text,
                             std::string_view note = {}, std::string_view choices = {}) {
  return {name, kind, OptionEffect::kNone, default_text, INT64_MIN, INT64_MAX, choices, note};
}

constexpr OptionSpec refused(std::string_view name, OptionKind kind, std::string_view default_text,
                             std::string_view note, std::string_view choices = {}) {
  return {name, kind, OptionEffect::kUnsupported, default_text, INT64_MIN, INT64_MAX, choices, note};
}

constexpr std::string_view kNoDisk = "nothing is written to disk";
constexpr std::string_view kNoReplicas = "there is no replication";
constexpr std::string_view kNoTls = "there is no TLS yet";
constexpr std::string_view kNoLimit = "memory is not limited";

constexpr std::array kOptions = {
    refused("aclfile", kString, "", "there are no ACL users yet; requirepass sets a password"),
    ignored("acllog-max-len", kInteger, "128"),
    ignored("activedefrag", kBoolean, "no"),
    ignored("activerehashing", kBoolean, "yes"),
    ignored("always-show-logo", kBoolean, "no"),
    ignored("aof-load-truncated", kBoolean, "yes"),
    ignored("aof-rewrite-incremental-fsync", kBoolean, "yes"),
    ignored("aof-timestamp-enabled", kBoolean, "no"),
    ignored("aof-use-rdb-preamble", kBoolean, "yes"),
    ignored("appenddirname", kString, "appendonlydir", kNoDisk),
    ignored("appendfilename", kString, "appendonly.aof", kNoDisk),
    ignored("appendfsync", kChoice, "everysec", kNoDisk, "everysec|always|no"),
    refused("appendonly", kBoolean, "no", "nothing is written to disk yet, locks end with the process"),
    ignored("auto-aof-rewrite-min-size", kMemory, "67108864"),
    ignored("auto-aof-rewrite-percentage", kInteger, "100"),
    OptionSpec{.name = "bind", .kind = kWords, .effect = kAtStart, .default_text = "* -::*", .check = check_bind},
    ignored("busy-reply-threshold", kInteger, "5000"),
    ignored("client-output-buffer-limit", kWords, "normal 1073741824 0 0 pubsub 33554432 0 0", "the limits are fixed"),
    ignored("client-query-buffer-limit", kMemory, "1073741824"),
    refused("cluster-enabled", kBoolean, "no", "there is no cluster mode"),
    ignored("crash-log-enabled", kBoolean, "yes"),
    ignored("crash-memcheck-enabled", kBoolean, "yes"),
    refused("daemonize", kBoolean, "no", "it stays in the foreground; start it in the background instead"),
    OptionSpec{"databases", kInteger, kAtStart, "16", 1, 256},
    ignored("dbfilename", kString, "dump.rdb", kNoDisk),
    OptionSpec{"dir", kString, kAtStart, "."},
    ignored("disable-thp", kBoolean, "yes"),
    ignored("dynamic-hz", kBoolean, "yes"),
    ignored("enable-debug-command", kChoice, "no", "there is no DEBUG", "no|yes|local"),
    ignored("enable-module-command", kChoice, "no", "there are no modules", "no|yes|local"),
    ignored("enable-protected-configs", kChoice, "no", {}, "no|yes|local"),
    ignored("hash-max-listpack-entries", kInteger, "128", "it is fixed"),
    ignored("hash-max-listpack-value", kInteger, "64"),
    ignored("hash-max-ziplist-entries", kInteger, "128", "it is fixed"),
    ignored("hash-max-ziplist-value", kInteger, "64"),
    ignored("hll-sparse-max-bytes", kInteger, "3000"),
    ignored("hz", kInteger, "10", "keys expire at their deadlines, not by rounds"),
    ignored("io-threads", kInteger, "1", "one thread does everything"),
    ignored("io-threads-do-reads", kBoolean, "no"),
    ignored("jemalloc-bg-thread", kBoolean, "yes"),
    ignored("latency-monitor-threshold", kInteger, "0"),
    ignored("latency-tracking", kBoolean, "yes"),
    ignored("lazyfree-lazy-eviction", kBoolean, "no"),
    ignored("lazyfree-lazy-expire", kBoolean, "no"),
    ignored("lazyfree-lazy-server-del", kBoolean, "no"),
    ignored("lazyfree-lazy-user-del", kBoolean, "no"),
    ignored("lazyfree-lazy-user-flush", kBoolean, "no"),
    ignored("lfu-decay-time", kInteger, "1"),
    ignored("lfu-log-factor", kInteger, "10"),
    ignored("list-compress-depth", kInteger, "0"),
    ignored("list-max-listpack-size", kInteger, "-2"),
    ignored("list-max-ziplist-entries", kInteger, "512"),
    ignored("list-max-ziplist-size", kInteger, "-2"),
    ignored("list-max-ziplist-value", kInteger, "64"),
    ignored("locale-collate", kString, ""),
    OptionSpec{"logfile", kString, kAtStart, ""},
    OptionSpec{.name = "loglevel", .kind = kChoice, .effect = kAtStart, .default_text = "notice",
               .choices = "debug|verbose|notice|warning|nothing"},
    ignored("lua-time-limit", kInteger, "5000"),
    ignored("masterauth", kString, "", kNoReplicas),
    OptionSpec{"maxclients", kInteger, kLive, "10000", 1, UINT32_MAX},
    ignored("maxmemory", kMemory, "0", kNoLimit),
    ignored("maxmemory-clients", kMemory, "0", kNoLimit),
    ignored("maxmemory-policy", kChoice, "noeviction", kNoLimit,
            "volatile-lru|volatile-lfu|volatile-random|volatile-ttl|allkeys-lru|allkeys-lfu|allkeys-random|"
            "noeviction"),
    ignored("maxmemory-samples", kInteger, "5", kNoLimit),
    ignored("min-replicas-max-lag", kInteger, "10", kNoReplicas),
    refused("min-replicas-to-write", kInteger, "0", kNoReplicas),
    ignored("no-appendfsync-on-rewrite", kBoolean, "no"),
    OptionSpec{"notify-keyspace-events", kEvents, kLive, ""},
    ignored("oom-score-adj", kChoice, "no", {}, "no|yes|relative|absolute"),
    ignored("oom-score-adj-values", kWords, "0 200 800"),
    OptionSpec{"pidfile", kString, kAtStart, ""},
    OptionSpec{"port", kPort, kAtStart, "6379", 0, 65535},
    ignored("proc-title-template", kString, "{title} {listen-addr} {server-mode}"),
    OptionSpec{"protected-mode", kBoolean, kLive, "yes"},
    ignored("proto-max-bulk-len", kMemory, "536870912"),
    ignored("rdb-del-sync-files", kBoolean, "no"),
    ignored("rdb-save-incremental-fsync", kBoolean, "yes"),
    ignored("rdbchecksum", kBoolean, "yes"),
    ignored("rdbcompression", kBoolean, "yes"),
    OptionSpec{.name = "redis-version", .kind = kString, .effect = kAtStart, .default_text = "7.4.0",
               .check = check_version},
    ignored("repl-backlog-size", kMemory, "1048576", kNoReplicas),
    ignored("repl-disable-tcp-nodelay", kBoolean, "no"),
    ignored("repl-diskless-load", kChoice, "disabled", {}, "disabled|on-empty-db|swapdb"),
    ignored("repl-diskless-sync", kBoolean, "yes"),
    ignored("repl-diskless-sync-delay", kInteger, "5"),
    ignored("repl-diskless-sync-max-replicas", kInteger, "0"),
    ignored("repl-timeout", kInteger, "60"),
    ignored("replica-lazy-flush", kBoolean, "no"),
    ignored("replica-priority", kInteger, "100"),
    ignored("replica-read-only", kBoolean, "yes"),
    ignored("replica-serve-stale-data", kBoolean, "yes"),
    refused("replicaof", kWords, "", kNoReplicas),
    OptionSpec{"requirepass", kString, kLive, ""},
    ignored("sanitize-dump-payload", kChoice, "no", {}, "no|yes|clients"),
    ignored("save", kWords, "", "nothing is written to disk yet, locks end with the process"),
    ignored("set-max-intset-entries", kInteger, "512"),
    ignored("set-max-listpack-entries", kInteger, "128"),
    ignored("set-max-listpack-value", kInteger, "64"),
    ignored("set-proc-title", kBoolean, "yes"),
    ignored("slave-priority", kInteger, "100"),
    ignored("slave-read-only", kBoolean, "yes"),
    ignored("slave-serve-stale-data", kBoolean, "yes"),
    refused("slaveof", kWords, "", kNoReplicas),
    ignored("slowlog-log-slower-than", kInteger, "10000", "there is no slow log yet"),
    ignored("slowlog-max-len", kInteger, "128", "there is no slow log yet"),
    ignored("stop-writes-on-bgsave-error", kBoolean, "yes"),
    ignored("stream-node-max-bytes", kMemory, "4096"),
    ignored("stream-node-max-entries", kInteger, "100"),
    refused("supervised", kChoice, "no", "it does not speak to supervisors: for systemd use Type=simple",
            "no|upstart|systemd|auto"),
    ignored("syslog-enabled", kBoolean, "no", "it logs to standard output or to logfile"),
    OptionSpec{"tcp-backlog", kInteger, kAtStart, "511", 0, kMaxInt},
    OptionSpec{"tcp-keepalive", kInteger, kLive, "300", 0, kMaxInt},
    OptionSpec{"timeout", kInteger, kLive, "0", 0, kMaxInt},
    refused("tls-ca-cert-file", kString, "", kNoTls),
    refused("tls-cert-file", kString, "", kNoTls),
    refused("tls-key-file", kString, "", kNoTls),
    refused("tls-port", kInteger, "0", kNoTls),
    ignored("tracking-table-max-keys", kInteger, "1000000"),
    OptionSpec{"unixsocket", kString, kAtStart, ""},
    OptionSpec{"unixsocketperm", kOctal, kAtStart, "0", 0, 0777},
    ignored("zset-max-listpack-entries", kInteger, "128"),
    ignored("zset-max-listpack-value", kInteger, "64"),
    ignored("zset-max-ziplist-entries", kInteger, "128"),
    ignored("zset-max-ziplist-value", kInteger, "64"),
};

static_assert(std::is_sorted(kOptions.begin(), kOptions.end(),
                             [](const OptionSpec& a, const OptionSpec& b) { return a.name < b.name; }));

std::string in_base(int64_t number, int base) {
  std::array<char, 64> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number, base).ptr};
}

std::optional<int64_t> parse_octal(std::string_view text) {
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number, 8);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int64_t> parse_memory(std::string_view text) {
  struct Unit {
    std::string_view suffix;
    int64_t bytes;
  };
  static constexpr std::array kUnits = {
      Unit{"", 1},           Unit{"b", 1},        Unit{"k", 1000},           Unit{"kb", 1 << 10},
      Unit{"m", 1'000'000},  Unit{"mb", 1 << 20}, Unit{"g", 1'000'000'000},  Unit{"gb", 1 << 30},
  };
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  const std::string suffix = lower({stop, static_cast<size_t>(text.data() + text.size() - stop)});
  for (const Unit& unit : kUnits) {
    if (unit.suffix != suffix) continue;
    if (number > INT64_MAX / unit.bytes) return std::nullopt;
    return number * unit.bytes;
  }
  return std::nullopt;
}

std::optional<std::string> pick_choice(const OptionSpec& spec, std::string_view text, std::string& picked) {
  std::string listed;
  for (std::string_view rest = spec.choices; !rest.empty();) {
    const size_t end = std::min(rest.find('|'), rest.size());
    const std::string_view choice = rest.substr(0, end);
    if (lower(text) == choice) {
      picked = choice;
      return std::nullopt;
    }
    if (!listed.empty()) listed += ", ";
    listed += choice;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "argument(s) must be one of the following: " + listed;
}

// The kinds that are numbers: the value, and its canonical text.
std::optional<std::string> parse_number(const OptionSpec& spec, std::string_view word, std::string& text,
                                        int64_t& value) {
  if (spec.kind == kBoolean) {
    text = lower(word);
    if (text != "yes" && text != "no") return "argument must be 'yes' or 'no'";
    value = text == "yes";
    return std::nullopt;
  }
  if (spec.kind == kEvents) {
    const auto classes = parse_event_classes(word);
    if (!classes) return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.";
    value = *classes;
    text = event_classes_text(*classes);
    return std::nullopt;
  }
  if (spec.kind == kMemory) {
    const auto bytes = parse_memory(word);
    if (!bytes) return "argument must be a memory value";
    value = *bytes;
    text = integer_text(value);
    return std::nullopt;
  }
  if (spec.kind == kPort && lower(word) == "auto") {
    text = "auto";
    value = kAutoPort;
    return std::nullopt;
  }
  const int base = spec.kind == kOctal ? 8 : 10;
  const auto number = base == 8 ? parse_octal(word) : parse_integer(word);
  if (!number && base == 8) return "argument couldn't be parsed as an octal number";
  if (!number) return "argument couldn't be parsed into an integer";
  value = *number;
  text = in_base(value, base);
  if (value >= spec.min && value <= spec.max) return std::nullopt;
  return "argument must be between " + in_base(spec.min, base) + " and " + in_base(spec.max, base) +
         " inclusive";
}

// A word that holds blanks counts as several, so that one quoted argument may name them all.
std::string join(std::span<const std::string> words) {
  std::string joined;
  for (std::string_view rest : words) {
    for (std::string_view word = blank_separated(rest); !word.empty(); word = blank_separated(rest)) {
      if (!joined.empty()) joined += ' ';
      joined += word;
    }
  }
  return joined;
}

}  // namespace

Settings::Settings() {
  values_.reserve(kOptions.size());
  for (const OptionSpec& spec : kOptions) {
    const std::string word(spec.default_text);
    Value& value = values_.emplace_back();
    LOCKSTEP_CHECK(!parse(spec, {&word, 1}, value) && value.text == spec.default_text);
  }
  refresh_hot();
}

void Settings::refresh_hot() {
  hot_.event_classes = static_cast<uint32_t>(integer("notify-keyspace-events"));
}

std::span<const OptionSpec> Settings::options() { return kOptions; }

const OptionSpec* Settings::find(std::string_view name) {
  const std::string low = lower(name);
  const auto at = std::lower_bound(kOptions.begin(), kOptions.end(), std::string_view(low),
                                   [](const OptionSpec& spec, std::string_view n) { return spec.name < n; });
  return at != kOptions.end() && at->name == low ? &*at : nullptr;
}

std::optional<std::string> Settings::set(std::string_view name, std::span<const std::string> words) {
  const OptionSpec* spec = find(name);
  if (spec == nullptr) return "Bad directive or wrong number of arguments";
  Value value;
  value.given = true;
  if (auto problem = parse(*spec, words, value)) return problem;
  values_[static_cast<size_t>(spec - kOptions.data())] = std::move(value);
  refresh_hot();
  return std::nullopt;
}

std::optional<std::string> Settings::parse(const OptionSpec& spec, std::span<const std::string> words,
                                           Value& value) {
  std::optional<std::string> problem;
  if (spec.kind == kWords) {
    value.text = join(words);
  } else if (words.size() != 1) {
    return "wrong number of arguments";
  } else if (spec.kind == kString) {
    value.text = words[0];
  } else if (spec.kind == kChoice) {
    problem = pick_choice(spec, words[0], value.text);
  } else {
    problem = parse_number(spec, words[0], value.text, value.number);
  }
  if (!problem && spec.check != nullptr) {
    const std::string_view fault = spec.check(value.text);
    if (!fault.empty()) problem = fault;
  }
  return problem;
}

const Settings::Value& Settings::value(std::string_view name) const {
  const OptionSpec* spec = find(name);
  LOCKSTEP_CHECK(spec != nullptr);
  return values_[static_cast<size_t>(spec - kOptions.data())];
}

std::string_view Settings::text(std::string_view name) const { return value(name).text; }
int64_t Settings::integer(std::string_view name) const { return value(name).number; }
bool Settings::boolean(std::string_view name) const { return value(name).number != 0; }
bool Settings::given(std::string_view name) const { return value(name).given; }

}  // namespace lockstep
