// How options write amounts of memory: "100mb". Used by the settings.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

// Bytes: k, m and g are powers of 1000, kb, mb and gb of 1024. Nothing when it is no such amount.
std::optional<int64_t> parse_memory(std::string_view text);

}  // namespace lockstep
