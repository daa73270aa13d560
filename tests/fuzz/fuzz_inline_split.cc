// Lines into words: words written in quotes are read as what they were. Input: the line.
#include <string>
#include <string_view>
#include <vector>

#include "protocol/inline_split.h"
#include "server/base/check.h"
#include "tests/fuzz/fuzz_input.h"

namespace lockstep {
namespace {

std::string in_double_quotes(std::string_view word) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    ((quoted += "\\x") += kDigits[byte >> 4]) += kDigits[byte & 15];
  }
  return quoted += '"';
}

std::string in_single_quotes(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("\\'") : std::string(1, c);
  return quoted += '\'';
}

// Single quotes know one escape alone: a backslash before a quote, or a zero byte, cannot be written.
bool has_single_quoted_form(std::string_view word) {
  return word.find('\0') == word.npos && word.find("\\'") == word.npos && !word.ends_with('\\');
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  const std::string_view line = tests::FuzzInput(data, size).rest();
  std::vector<std::string> words;
  if (!split_inline(line, words)) return 0;
  std::string in_quotes;
  for (const std::string& word : words) {
    LOCKSTEP_CHECK(word.size() <= line.size());
    in_quotes += (has_single_quoted_form(word) ? in_single_quotes(word) : in_double_quotes(word)) + " ";
  }
  std::vector<std::string> again;
  LOCKSTEP_CHECK(split_inline(in_quotes, again) && again == words);
  return 0;
}
