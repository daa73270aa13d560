#include "server/engine/settings.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "server/base/ascii.h"
#include "server/base/check.h"
#include "server/base/numbers.h"
#include "server/engine/event_classes.h"
#include "server/engine/memory_text.h"

namespace lockstep {
namespace {

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

std::optional<std::string> check_range(const OptionSpec& spec, int64_t value, int base) {
  if (value >= spec.min && value <= spec.max) return std::nullopt;
  return "argument must be between " + in_base(spec.min, base) + " and " + in_base(spec.max, base) +
         " inclusive";
}

// The kinds that are numbers: the value, and its canonical text.
std::optional<std::string> parse_number(const OptionSpec& spec, std::string_view word, std::string& text,
                                        int64_t& value) {
  if (spec.kind == OptionKind::kBoolean) {
    text = lower(word);
    if (text != "yes" && text != "no") return "argument must be 'yes' or 'no'";
    value = text == "yes";
    return std::nullopt;
  }
  if (spec.kind == OptionKind::kEvents) {
    const auto classes = parse_event_classes(word);
    if (!classes) return "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.";
    value = *classes;
    text = event_classes_text(*classes);
    return std::nullopt;
  }
  if (spec.kind == OptionKind::kMemory) {
    const auto bytes = parse_memory(word);
    if (!bytes) return "argument must be a memory value";
    value = *bytes;
    text = integer_text(value);
    return check_range(spec, value, 10);
  }
  if (spec.kind == OptionKind::kPort && lower(word) == "auto") {
    text = "auto";
    value = kAutoPort;
    return std::nullopt;
  }
  const int base = spec.kind == OptionKind::kOctal ? 8 : 10;
  const auto number = base == 8 ? parse_octal(word) : parse_integer(word);
  if (!number && base == 8) return "argument couldn't be parsed as an octal number";
  if (!number) return "argument couldn't be parsed into an integer";
  value = *number;
  text = in_base(value, base);
  return check_range(spec, value, base);
}

std::optional<std::string> parse_memory_or_percent(std::string_view word, std::string& text) {
  if (word.ends_with('%')) {
    const auto percent = parse_integer(word.substr(0, word.size() - 1));
    if (!percent || *percent < 0) return "argument must be a memory or percent value";
    if (*percent > 100) return "percentage argument must be less or equal to 100";
    text = word;
    return std::nullopt;
  }
  const auto bytes = parse_memory(word);
  if (!bytes) return "argument must be a memory or percent value";
  text = integer_text(*bytes);
  return std::nullopt;
}

// A word that holds blanks counts as several, so that one quoted argument may name them all.
std::string join(std::span<const std::string> words) {
  std::string joined;
  for (std::string_view rest : words) {
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      if (!joined.empty()) joined += ' ';
      joined += word;
    }
  }
  return joined;
}

}  // namespace

Settings::Settings() {
  values_.reserve(options().size());
  for (const OptionSpec& spec : options()) {
    const std::string word(spec.default_text);
    Value& value = values_.emplace_back();
    LOCKSTEP_CHECK(!parse(spec, {&word, 1}, value) && value.text == spec.default_text);
  }
  refresh_hot();
}

void Settings::refresh_hot() {
  hot_.event_classes = static_cast<uint32_t>(integer("notify-keyspace-events"));
  hot_.password_required = !text("requirepass").empty();
  hot_.max_memory_bytes = static_cast<size_t>(integer("maxmemory"));
  hot_.request_limits.max_bulk_bytes = integer("proto-max-bulk-len");
  hot_.stranger_limits = hot_.request_limits;
  hot_.stranger_limits.unauthenticated = true;
  hot_.max_input_bytes = static_cast<size_t>(integer("client-query-buffer-limit"));
  LOCKSTEP_CHECK(!parse_output_limits(text("client-output-buffer-limit"), hot_.output_limits));
  hot_.busy_reply_threshold_ms = integer("busy-reply-threshold");
  hot_.latency_tracking = boolean("latency-tracking");
  const int64_t slow_log_us = integer("slowlog-log-slower-than");
  hot_.slow_log_entries = static_cast<size_t>(integer("slowlog-max-len"));
  hot_.slow_log_us = slow_log_us < 0 || hot_.slow_log_entries == 0 ? INT64_MAX : slow_log_us;
  const int64_t latency_ms = integer("latency-monitor-threshold");
  hot_.latency_us = latency_ms == 0 || latency_ms > INT64_MAX / 1000 ? INT64_MAX : latency_ms * 1000;
  hot_.slow_us = std::min(hot_.slow_log_us, hot_.latency_us);
}

std::optional<std::string> Settings::set(std::string_view name, std::span<const std::string> words) {
  const OptionSpec* spec = find(name);
  if (spec == nullptr) return "Bad directive or wrong number of arguments";
  Value& held = values_[static_cast<size_t>(spec - options().data())];
  Value value = held;
  value.given = true;
  if (auto problem = parse(*spec, words, value)) return problem;
  held = std::move(value);
  refresh_hot();
  return std::nullopt;
}

std::optional<std::string> Settings::complaint(const OptionSpec& spec) const {
  // To make room it would have to evict locks, once there is a limit.
  const bool evicts = spec.name == "maxmemory-policy" && hot_.max_memory_bytes != 0;
  if (spec.effect != OptionEffect::kUnsupported && !evicts) return std::nullopt;
  if (this->text(spec.name) == spec.default_text) return std::nullopt;
  std::string text;
  if (!spec.default_text.empty()) text.append("other than '").append(spec.default_text).append("' ");
  text += evicts ? "is not supported together with maxmemory" : "is not supported";
  if (!spec.note.empty()) text.append(": ").append(spec.note);
  return text;
}

std::optional<std::string> Settings::parse(const OptionSpec& spec, std::span<const std::string> words,
                                           Value& value) {
  std::optional<std::string> problem;
  if (spec.kind == OptionKind::kWords) {
    value.text = join(words);
  } else if (spec.kind == OptionKind::kOutputLimits) {
    OutputLimits limits;
    LOCKSTEP_CHECK(value.text.empty() || !parse_output_limits(value.text, limits));
    problem = parse_output_limits(join(words), limits);
    value.text = output_limits_text(limits);
  } else if (words.size() != 1) {
    return "wrong number of arguments";
  } else if (spec.kind == OptionKind::kString) {
    value.text = words[0];
  } else if (spec.kind == OptionKind::kChoice) {
    problem = pick_choice(spec, words[0], value.text);
  } else if (spec.kind == OptionKind::kMemoryOrPercent) {
    problem = parse_memory_or_percent(words[0], value.text);
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
  return values_[static_cast<size_t>(spec - options().data())];
}

std::string_view Settings::text(std::string_view name) const { return value(name).text; }
int64_t Settings::integer(std::string_view name) const { return value(name).number; }
bool Settings::boolean(std::string_view name) const { return value(name).number != 0; }
bool Settings::given(std::string_view name) const { return value(name).given; }

}  // namespace lockstep
