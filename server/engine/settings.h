// The values of the options (option_table.h) that are in force. Filled from command line, file and standard
// input by the shell (net/config), changed by CONFIG SET, read by commands, the engine and the shell.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/resp_reader.h"
#include "server/engine/option_table.h"
#include "server/engine/output_limits.h"

namespace lockstep {

// What every command looks at, ready to be read.
struct HotSettings {
  uint32_t event_classes = 0;  // EventClasses
  bool password_required = false;
  size_t max_memory_bytes = 0;       // 0: no limit
  RequestLimits request_limits;
  RequestLimits stranger_limits;     // of those who have not shown the password yet
  size_t max_input_bytes = 0;        // client-query-buffer-limit
  int64_t busy_reply_threshold_ms = 0;  // 0: never busy
  OutputLimits output_limits;        // client-output-buffer-limit
  bool latency_tracking = true;
  // Commands that took at least that long: for the slow log, as a spike, for either of them. INT64_MAX: never.
  int64_t slow_log_us = 0;
  int64_t latency_us = 0;
  int64_t slow_us = 0;
  size_t slow_log_entries = 0;

  const OutputLimit& output_limit(ClientClass of) const { return output_limits[static_cast<size_t>(of)]; }
};

class Settings {
 public:
  Settings();  // the defaults

  static std::span<const OptionSpec> options() { return option_table(); }
  static const OptionSpec* find(std::string_view name) { return find_option(name); }

  // Sets an option from its words as written. On failure nothing changes, and the reason comes back
  // (without the option's name): "argument must be between 0 and 65535 inclusive", ...
  std::optional<std::string> set(std::string_view name, std::span<const std::string> words);

  // Why the option cannot have the value it has now, beside the others; most never say anything.
  std::optional<std::string> complaint(const OptionSpec& spec) const;

  // In canonical form: what CONFIG GET answers. `name` must be an option's.
  std::string_view text(std::string_view name) const;
  int64_t integer(std::string_view name) const;   // kInteger, kOctal, kPort, kMemory, kEvents
  bool boolean(std::string_view name) const;
  // False as long as nobody has set it.
  bool given(std::string_view name) const;
  const HotSettings& hot() const { return hot_; }

 private:
  struct Value {
    std::string text;
    int64_t number = 0;  // 0 for kinds without one; kBoolean: 1 or 0
    bool given = false;
  };
  // `value` holds the one before: some options change parts of theirs.
  static std::optional<std::string> parse(const OptionSpec& spec, std::span<const std::string> words,
                                          Value& value);
  const Value& value(std::string_view name) const;
  void refresh_hot();

  std::vector<Value> values_;  // as options()
  HotSettings hot_;
};

}  // namespace lockstep
