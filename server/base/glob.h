// Patterns as KEYS, SCAN, PSUBSCRIBE and CONFIG GET take them: * ? [abc] [^a-z] and \ before any of
// these. Time is bounded by pattern times text, whatever the pattern.
#pragma once

#include <string_view>

namespace lockstep {

enum class GlobCase : bool { kSensitive, kInsensitive };

bool glob_match(std::string_view pattern, std::string_view text, GlobCase letters = GlobCase::kSensitive);

}  // namespace lockstep
