#include "server/engine/memory_text.h"

#include <array>
#include <charconv>
#include <string>

#include "server/base/ascii.h"

namespace lockstep {

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

}  // namespace lockstep
