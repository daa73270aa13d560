// Patterns against a second matcher, which tries every way a star can go (remembering what it has tried).
// Input: the pattern's length, the letter case, the pattern, the text.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "server/base/check.h"
#include "server/base/glob.h"
#include "tests/fuzz/fuzz_input.h"

namespace lockstep {
namespace {

class Reference {
 public:
  Reference(std::string_view pattern, std::string_view text)
      : pattern_(pattern), text_(text), failed_((pattern.size() + 1) * (text.size() + 1)) {}

  bool matches(size_t p, size_t t) {
    if (p == pattern_.size()) return t == text_.size();
    const size_t place = p * (text_.size() + 1) + t;
    if (failed_[place]) return false;
    const bool found = step(p, t);
    failed_[place] = !found;
    return found;
  }

 private:
  bool step(size_t p, size_t t) {
    if (pattern_[p] == '*') return matches(p + 1, t) || (t < text_.size() && matches(p, t + 1));
    return t < text_.size() && one(p, text_[t]) && matches(p, t + 1);
  }

  // Moves p behind the element.
  bool one(size_t& p, char c) {
    const char element = pattern_[p++];
    if (element == '?') return true;
    if (element == '[') return set(p, static_cast<unsigned char>(c));
    if (element == '\\' && p < pattern_.size()) return pattern_[p++] == c;
    return element == c;
  }

  bool set(size_t& p, unsigned char c) {
    const auto at = [&](size_t i) { return static_cast<unsigned char>(pattern_[i]); };
    const bool negated = p < pattern_.size() && pattern_[p] == '^';
    if (negated) ++p;
    bool found = false;
    for (; p < pattern_.size() && pattern_[p] != ']'; ++p) {
      unsigned char low = at(p);
      unsigned char high = low;
      if (low == '\\' && p + 1 < pattern_.size()) {
        low = high = at(++p);
      } else if (p + 2 < pattern_.size() && pattern_[p + 1] == '-') {
        high = at(p += 2);
      }
      found = found || (std::min(low, high) <= c && c <= std::max(low, high));
    }
    if (p < pattern_.size()) ++p;
    return found != negated;
  }

  std::string_view pattern_;
  std::string_view text_;
  std::vector<bool> failed_;
};

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  tests::FuzzInput input(data, size);
  const size_t pattern_size = input.byte();
  const GlobCase letters = input.byte() % 2 == 0 ? GlobCase::kSensitive : GlobCase::kInsensitive;
  const std::string_view pattern = input.bytes(pattern_size);
  const std::string_view text = input.bytes(512);
  const bool found = glob_match(pattern, text, letters);
  if (letters == GlobCase::kSensitive) LOCKSTEP_CHECK(found == Reference(pattern, text).matches(0, 0));
  // Ignoring case, letters of either case in the text come to the same.
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  if (letters == GlobCase::kInsensitive) LOCKSTEP_CHECK(found == glob_match(pattern, upper, letters));
  // What is escaped stands for itself.
  std::string escaped;
  for (const char c : text) (escaped += '\\') += c;
  LOCKSTEP_CHECK(glob_match(escaped, text));
  return 0;
}
