// See the header.
#include "tests/support/reply_check.h"

#include <cstdint>
#include <optional>

#include "server/base/numbers.h"

namespace lockstep::tests {
namespace {

class Check {
 public:
  explicit Check(std::string_view bytes) : rest_(bytes) {}

  bool run() {
    while (!rest_.empty())
      if (!value()) return false;
    return true;
  }

 private:
  bool value() {
    const char type = rest_.empty() ? '\0' : rest_[0];
    const size_t end = rest_.find("\r\n");
    if (end == rest_.npos) return false;
    const std::string_view line = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 2);
    if (line.find_first_of("\r\n") != line.npos) return false;
    switch (type) {
      case '+': case '-': case ',': case '(': return true;
      case '#': return line == "t" || line == "f";
      case '_': return line.empty();
      case ':': return parse_integer(line).has_value();
      case '$': case '=': return line == "-1" || bulk(line);
      case '*': return line == "-1" || values(line, 1);
      case '~': case '>': return values(line, 1);
      case '%': return values(line, 2);
      default: return false;
    }
  }

  bool bulk(std::string_view size) {
    const auto bytes = parse_integer(size);
    if (!bytes || *bytes < 0 || rest_.size() < static_cast<size_t>(*bytes) + 2) return false;
    rest_.remove_prefix(static_cast<size_t>(*bytes));
    const bool ended = rest_.starts_with("\r\n");
    rest_.remove_prefix(2);
    return ended;
  }

  bool values(std::string_view count_text, int64_t values_each) {
    const auto count = parse_integer(count_text);
    if (!count || *count < 0) return false;
    for (int64_t i = 0; i < *count * values_each; ++i)
      if (!value()) return false;
    return true;
  }

  std::string_view rest_;
};

}  // namespace

bool are_whole_replies(std::string_view bytes) { return Check(bytes).run(); }

}  // namespace lockstep::tests
