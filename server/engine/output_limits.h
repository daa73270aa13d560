// What clients of each class may leave unread before they are cut off: the option
// client-output-buffer-limit. Parsed by the settings, held to by the schedule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

struct OutputLimit {
  // As in Redis: the smallest limit, too, leaves room to be told of it and to lift it.
  static constexpr size_t kUncountedBytes = 16 << 10;

  size_t hard_bytes = 0;  // 0: none
  size_t soft_bytes = 0;  // may be exceeded for soft_s seconds; 0: none
  int64_t soft_s = 0;
};

enum class ClientClass : uint8_t { kNormal, kReplica, kPubSub };

using OutputLimits = std::array<OutputLimit, 3>;  // by ClientClass

// Applies "normal 0 0 0 pubsub 32mb 8mb 60" to `limits`: classes that are not named keep theirs. On
// failure nothing changes, and the reason comes back.
std::optional<std::string> parse_output_limits(std::string_view text, OutputLimits& limits);
// All classes, in bytes: what CONFIG GET answers.
std::string output_limits_text(const OutputLimits& limits);

}  // namespace lockstep
