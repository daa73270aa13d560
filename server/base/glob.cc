#include "server/base/glob.h"

#include <cstddef>
#include <utility>

#include "server/base/ascii.h"

namespace lockstep {
namespace {

unsigned char fold(char c, GlobCase letters) {
  return static_cast<unsigned char>(letters == GlobCase::kInsensitive ? to_lower(c) : c);
}

// Matches one character against the set that opens at pattern[at] == '['; `at` is left behind it. An
// unclosed set ends with the pattern.
bool match_set(std::string_view pattern, size_t& at, unsigned char c, GlobCase letters) {
  ++at;
  const bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) ++at;
  bool found = false;
  while (at < pattern.size() && pattern[at] != ']') {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      found |= fold(pattern[at + 1], letters) == c;
      at += 2;
    } else if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
      unsigned char low = fold(pattern[at], letters);
      unsigned char high = fold(pattern[at + 2], letters);
      if (low > high) std::swap(low, high);
      found |= c >= low && c <= high;
      at += 3;
    } else {
      found |= fold(pattern[at], letters) == c;
      at += 1;
    }
  }
  if (at < pattern.size()) ++at;
  return found != negated;
}

// Matches one character against the element at pattern[at], which is no '*'; `at` is left behind it.
bool match_one(std::string_view pattern, size_t& at, char text, GlobCase letters) {
  const unsigned char c = fold(text, letters);
  switch (pattern[at]) {
    case '?':
      ++at;
      return true;
    case '[':
      return match_set(pattern, at, c, letters);
    case '\\':
      if (at + 1 < pattern.size()) ++at;
      [[fallthrough]];
    default:
      return fold(pattern[at++], letters) == c;
  }
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text, GlobCase letters) {
  if (text.empty()) return pattern.empty();  // Redis does not try stars on nothing
  constexpr size_t kNone = std::string_view::npos;
  size_t p = 0;
  size_t t = 0;
  // Where to go on when the rest does not match: behind the last '*', one character further. Earlier
  // stars need no second try.
  size_t star = kNone;
  size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    if (p < pattern.size()) {
      size_t next = p;
      if (match_one(pattern, next, text[t], letters)) {
        p = next;
        ++t;
        continue;
      }
    }
    if (star == kNone) return false;
    p = star;
    t = ++star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace lockstep
