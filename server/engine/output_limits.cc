#include "server/engine/output_limits.h"

#include <vector>

#include "server/base/ascii.h"
#include "server/base/numbers.h"
#include "server/engine/memory_text.h"
#include "server/engine/option_table.h"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 3> kClassNames = {"normal", "slave", "pubsub"};

std::optional<size_t> class_of(std::string_view name) {
  if (equals_ignoring_case(name, "replica")) return static_cast<size_t>(ClientClass::kReplica);
  for (size_t i = 0; i < kClassNames.size(); ++i)
    if (equals_ignoring_case(name, kClassNames[i])) return i;
  return std::nullopt;
}

}  // namespace

std::optional<std::string> parse_output_limits(std::string_view text, OutputLimits& limits) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) words.push_back(word);
  if (words.size() % 4 != 0) return "Wrong number of arguments in buffer limit configuration.";
  OutputLimits parsed = limits;
  for (size_t at = 0; at < words.size(); at += 4) {
    const auto named = class_of(words[at]);
    if (!named) return "Invalid client class specified in buffer limit configuration.";
    const auto hard = parse_memory(words[at + 1]);
    const auto soft = parse_memory(words[at + 2]);
    const auto seconds = parse_integer(words[at + 3]);
    if (!hard || !soft || !seconds || *seconds < 0)
      return "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
    parsed[*named] = {static_cast<size_t>(*hard), static_cast<size_t>(*soft), *seconds};
  }
  limits = parsed;
  return std::nullopt;
}

std::string output_limits_text(const OutputLimits& limits) {
  std::string text;
  for (size_t i = 0; i < limits.size(); ++i) {
    if (i > 0) text += ' ';
    text.append(kClassNames[i]);
    for (const int64_t number : {static_cast<int64_t>(limits[i].hard_bytes),
                                 static_cast<int64_t>(limits[i].soft_bytes), limits[i].soft_s})
      text.append(" ").append(integer_text(number));
  }
  return text;
}

}  // namespace lockstep
