// LATENCY: the spikes that the latency monitor has seen, and how long each command's calls took.
#include <algorithm>
#include <string>
#include <vector>

#include "protocol/error_texts.h"
#include "server/base/numbers.h"
#include "server/commands/container_help.h"
#include "server/commands/families.h"
#include "server/engine/arg_reader.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

using Event = LatencyMonitor::Event;
using Spike = LatencyMonitor::Spike;

int64_t unix_s(Call& call) { return call.server.wall.unix_us() / 1'000'000; }

void latency_latest(Call& call) {
  const auto& events = call.server.recorder.latency.events();
  call.reply.array(events.size());
  for (const auto& [name, event] : events) {
    call.reply.array(4);
    call.reply.bulk(name);
    call.reply.integer(event.spikes.back().unix_s);
    call.reply.integer(event.spikes.back().ms);
    call.reply.integer(event.worst_ms);
  }
}

void latency_history(Call& call) {
  const Event* event = call.server.recorder.latency.find(call.args[2]);
  if (event == nullptr) return call.reply.array(0);
  call.reply.array(event->spikes.size());
  for (const Spike& spike : event->spikes) {
    call.reply.array(2);
    call.reply.integer(spike.unix_s);
    call.reply.integer(spike.ms);
  }
}

void latency_reset(Call& call) {
  LatencyMonitor& latency = call.server.recorder.latency;
  std::vector<std::string> names(call.args.begin() + 2, call.args.end());
  if (names.empty())
    for (const auto& [name, event] : latency.events()) names.push_back(name);
  call.reply.integer(std::count_if(names.begin(), names.end(),
                                   [&](const std::string& name) { return latency.reset(name); }));
}

void reply_histogram(Call& call, const CommandSpec& spec, const CommandFigures& figures) {
  std::vector<std::pair<int64_t, uint64_t>> bounds;
  figures.latency.for_each_doubling([&](int64_t us, uint64_t calls) { bounds.emplace_back(us, calls); });
  call.reply.bulk(spec.name);
  call.reply.map(2);
  call.reply.bulk("calls");
  call.reply.integer(static_cast<int64_t>(figures.latency.count()));
  call.reply.bulk("histogram_usec");
  call.reply.map(bounds.size());
  for (const auto& [us, calls] : bounds) {
    call.reply.integer(us);
    call.reply.integer(static_cast<int64_t>(calls));
  }
}

// Containers stand for their subcommands.
void latency_histogram(Call& call) {
  const CommandTable& table = call.server.commands;
  const CommandStats& stats = call.server.recorder.commands;
  std::vector<const CommandSpec*> shown;
  const auto show = [&](const CommandSpec& spec) {
    if (stats.of(spec.number).latency.count() > 0) shown.push_back(&spec);
  };
  if (call.args.size() == 2)
    for (const CommandSpec& spec : table.rows()) show(spec);
  for (const std::string_view name : call.args.subspan(2)) {
    const CommandSpec* spec = table.find(name);
    if (spec == nullptr) continue;
    show(*spec);
    for (const CommandSpec* subcommand : table.subcommands(*spec)) show(*subcommand);
  }
  call.reply.map(shown.size());
  for (const CommandSpec* spec : shown) reply_histogram(call, *spec, stats.of(spec->number));
}

// GRAPH -----------------------------------------------------------------------------------------------

constexpr size_t kGraphColumns = 80;
constexpr int64_t kGraphRows = 4;
constexpr std::string_view kGraphLevels = "_o#";

// "12s", "3m", "5h", "2d"
std::string age_text(int64_t seconds) {
  if (seconds < 60) return integer_text(seconds) + "s";
  if (seconds < 3600) return integer_text(seconds / 60) + "m";
  if (seconds < 86'400) return integer_text(seconds / 3600) + "h";
  return integer_text(seconds / 86'400) + "d";
}

// One column from the top: a bar of that level, an empty place, and the age.
std::string graph_column(int64_t level, std::string_view age) {
  const auto levels = static_cast<int64_t>(kGraphLevels.size());
  std::string column;
  for (int64_t row = kGraphRows - 1; row >= 0; --row) {
    const int64_t here = level - row * levels;
    column += here < 0 ? ' ' : here >= levels ? '|' : kGraphLevels[static_cast<size_t>(here)];
  }
  return column.append(" ").append(age);
}

void append_columns(std::string& text, const std::vector<std::string>& columns) {
  size_t height = 0;
  for (const std::string& column : columns) height = std::max(height, column.size());
  for (size_t row = 0; row < height; ++row) {
    for (const std::string& column : columns) text += row < column.size() ? column[row] : ' ';
    text += '\n';
  }
}

std::string graph(std::string_view name, const Event& event, int64_t now_s) {
  const auto by_ms = [](const Spike& a, const Spike& b) { return a.ms < b.ms; };
  const auto [low, high] = std::minmax_element(event.spikes.begin(), event.spikes.end(), by_ms);
  std::string text = std::string(name) + " - high " + integer_text(high->ms) + " ms, low " + integer_text(low->ms) +
                     " ms (all time high " + integer_text(event.worst_ms) + " ms)\n";
  text.append(kGraphColumns, '-').append("\n");
  const int64_t steps = kGraphRows * static_cast<int64_t>(kGraphLevels.size());
  const int64_t range = std::max(high->ms - low->ms, int64_t{1});
  std::vector<std::string> columns;
  for (const Spike& spike : event.spikes) {
    if (columns.size() == kGraphColumns) {
      append_columns(text, columns);
      text += '\n';
      columns.clear();
    }
    const int64_t level = std::min((spike.ms - low->ms) * steps / range, steps - 1);
    columns.push_back(graph_column(level, age_text(now_s - spike.unix_s)));
  }
  append_columns(text, columns);
  return text;
}

void latency_graph(Call& call) {
  const Event* event = call.server.recorder.latency.find(call.args[2]);
  if (event == nullptr) return call.reply.error(errors::no_latency_samples(call.args[2]));
  call.reply.verbatim("txt", graph(call.args[2], *event, unix_s(call)));
}

// DOCTOR ----------------------------------------------------------------------------------------------

// "1. command: 2 latency spikes (average 102ms, mean deviation 97ms, period 0.50 sec). Worst ..."
std::string spikes_text(std::string_view name, const Event& event, int64_t now_s) {
  const auto count = static_cast<int64_t>(event.spikes.size());
  int64_t sum = 0;
  for (const Spike& spike : event.spikes) sum += spike.ms;
  const int64_t mean = sum / count;
  int64_t deviation = 0;
  for (const Spike& spike : event.spikes) deviation += std::abs(spike.ms - mean);
  const int64_t covered_s = std::max(now_s - event.spikes.front().unix_s, int64_t{1});
  const int64_t period = (covered_s * 1000 + count * 5) / (count * 10);  // in hundredths, rounded
  return std::string(name) + ": " + integer_text(count) + " latency spikes (average " + integer_text(mean) +
         "ms, mean deviation " + integer_text(deviation / count) + "ms, period " + integer_text(period / 100) + "." +
         integer_text(100 + period % 100).substr(1) + " sec). Worst all time event " + integer_text(event.worst_ms) +
         "ms.\n";
}

std::string advice(Call& call) {
  const LatencyMonitor& latency = call.server.recorder.latency;
  const HotSettings& hot = call.server.settings.hot();
  const std::string set_slow_log = "'CONFIG SET slowlog-log-slower-than " + integer_text(hot.latency_us / 1000 * 1000) + "'";
  std::string text;
  if (latency.find("command") != nullptr) {
    if (hot.slow_log_us == INT64_MAX) {
      text += "- The slow log is off. Let it keep the commands that are slow: " + set_slow_log + ".\n";
    } else if (hot.slow_log_us > hot.latency_us) {
      text += "- The slow log leaves out commands that count as spikes here. Lower its threshold: " + set_slow_log + ".\n";
    }
    text += "- See which commands were slow, and with what arguments: SLOWLOG GET.\n";
  }
  if (latency.find("fast-command") != nullptr)
    text += "- Commands that cannot be slow were: the process did not get the processor. Look for load on the machine, "
            "for noisy neighbours, and at what 'redis-cli --intrinsic-latency 100' measures.\n";
  text += "- Deleting and expiring a large value takes time in proportion to its size. Many small keys do better.\n";
  return text;
}

void latency_doctor(Call& call) {
  const auto& events = call.server.recorder.latency.events();
  if (events.empty()) {
    const bool on = call.server.settings.hot().latency_us != INT64_MAX;
    return call.reply.verbatim(
        "txt", on ? "No latency spikes so far.\n"
                  : "The latency monitor is off. Turn it on with 'CONFIG SET latency-monitor-threshold <milliseconds>'.\n");
  }
  std::string text = "Latency spikes:\n\n";
  int64_t number = 0;
  for (const auto& [name, event] : events)
    text += integer_text(++number) + ". " + spikes_text(name, event, unix_s(call));
  call.reply.verbatim("txt", text + "\nWhat to do:\n\n" + advice(call));
}

void latency_help(Call& call) { container_help(call); }

constexpr uint32_t kLatencyFlags = kAdmin | kNoScript | kLoading | kStale;

constexpr CommandSpec kLatency[] = {
    {.name = "latency", .arity = -2, .flags = 0,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "Depends on the subcommand",
     .summary = "How long commands take.",
     .syntax = "",
     .example = "", .handler = nullptr},
    {.name = "latency|doctor", .arity = 2, .flags = kLatencyFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(1)",
     .summary = "A report about spikes for people to read.",
     .syntax = "",
     .example = "LATENCY DOCTOR", .handler = latency_doctor},
    {.name = "latency|graph", .arity = 3, .flags = kLatencyFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(1)",
     .summary = "The spikes of an event as a drawing.",
     .syntax = "event",
     .example = "LATENCY GRAPH command", .handler = latency_graph},
    {.name = "latency|help", .arity = 2, .flags = kLoading | kStale,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(1)",
     .summary = "Print this help.",
     .syntax = "",
     .example = "LATENCY HELP", .handler = latency_help},
    {.name = "latency|histogram", .arity = -2, .flags = kLatencyFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "7.0.0",
     .complexity = "O(N) in the number of commands shown",
     .summary = "How many calls of each command stayed within which time.",
     .syntax = "[command [command ...]]",
     .example = "LATENCY HISTOGRAM set get", .handler = latency_histogram},
    {.name = "latency|history", .arity = 3, .flags = kLatencyFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(1)",
     .summary = "The spikes of an event.",
     .syntax = "event",
     .example = "LATENCY HISTORY command", .handler = latency_history},
    {.name = "latency|latest", .arity = 2, .flags = kLatencyFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(1)",
     .summary = "The latest spike of each event, and the worst.",
     .syntax = "",
     .example = "LATENCY LATEST", .handler = latency_latest},
    {.name = "latency|reset", .arity = -2, .flags = kLatencyFlags,
     .categories = 0, .group = CommandGroup::kServer, .since = "2.8.13",
     .complexity = "O(N) in the number of events",
     .summary = "Forgets the spikes of these events, or of all.",
     .syntax = "[event [event ...]]",
     .example = "LATENCY RESET", .handler = latency_reset},
};
static_assert(well_formed(kLatency));

}  // namespace

std::span<const CommandSpec> latency_commands() { return kLatency; }

}  // namespace lockstep
