#include "server/engine/event_classes.h"

namespace lockstep {
namespace {

// By the number of the bit: the order in which Redis writes them.
constexpr std::string_view kLetters = "g$lshzxetdnKEm";
constexpr uint32_t kAll = kEventNew - 1;  // what "A" stands for

}  // namespace

std::optional<uint32_t> parse_event_classes(std::string_view text) {
  uint32_t classes = 0;
  for (const char letter : text) {
    if (letter == 'A') {
      classes |= kAll;
      continue;
    }
    const size_t bit = kLetters.find(letter);
    if (bit == kLetters.npos) return std::nullopt;
    classes |= uint32_t{1} << bit;
  }
  return classes;
}

std::string event_classes_text(uint32_t classes) {
  std::string text;
  if ((classes & kAll) == kAll) {
    text = "A";
    classes &= ~(kAll | kEventNew);
  }
  for (size_t bit = 0; bit < kLetters.size(); ++bit)
    if ((classes >> bit & 1) != 0) text += kLetters[bit];
  return text;
}

}  // namespace lockstep
