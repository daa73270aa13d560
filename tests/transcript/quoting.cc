// Splitting and printing of quoted arguments, see the header.
#include "tests/transcript/quoting.h"

#include <algorithm>
#include <charconv>

namespace lockstep::transcript {
namespace {

constexpr std::size_t kShortestRun = 64;  // below it a run is printed as it is
constexpr std::size_t kLargestArgument = std::size_t{64} << 20;

bool is_space(char c) { return c == ' ' || c == '\t'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char unescaped(char c) {
  switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'b': return '\b';
    case 'a': return '\a';
    default: return c;
  }
}

class ArgumentScanner {
 public:
  explicit ArgumentScanner(std::string_view line) : rest_(line) {}

  // The next argument into `out`; false at the end of the line or at a fault.
  bool next(std::string& out) {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    if (rest_.empty()) return false;
    out.clear();
    if (rest_.front() == '"') {
      faulty_ = !double_quoted(out) || !repetition(out);
    } else if (rest_.front() == '\'') {
      faulty_ = !single_quoted(out) || !repetition(out);
    } else {
      bare(out);
    }
    return !faulty_;
  }

  bool faulty() const { return faulty_; }

 private:
  // redis-cli lets quotes begin in the middle of a word; a transcript never needs that.
  void bare(std::string& out) {
    while (!rest_.empty() && !is_space(rest_.front())) out += take();
  }

  bool single_quoted(std::string& out) {
    take();
    while (!rest_.empty()) {
      char c = take();
      if (c == '\'') return true;
      if (c == '\\' && !rest_.empty() && rest_.front() == '\'') c = take();
      out += c;
    }
    return false;
  }

  bool double_quoted(std::string& out) {
    take();
    while (!rest_.empty()) {
      char c = take();
      if (c == '"') return true;
      if (c == '\\') {
        if (rest_.empty()) return false;
        c = escape();
      }
      out += c;
    }
    return false;
  }

  char escape() {
    if (rest_.size() >= 3 && rest_[0] == 'x' && hex_digit(rest_[1]) >= 0 && hex_digit(rest_[2]) >= 0) {
      const char byte = static_cast<char>(hex_digit(rest_[1]) * 16 + hex_digit(rest_[2]));
      rest_.remove_prefix(3);
      return byte;
    }
    return unescaped(take());
  }

  bool repetition(std::string& out) {
    if (rest_.empty() || is_space(rest_.front())) return true;
    if (take() != '*') return false;
    std::size_t times = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), times);
    if (error != std::errc{} || times * out.size() > kLargestArgument) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    const std::string once = out;
    out.clear();
    for (std::size_t i = 0; i < times; ++i) out += once;
    return rest_.empty() || is_space(rest_.front());
  }

  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  std::string_view rest_;
  bool faulty_ = false;
};

void append_escaped(std::string& out, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (is_printable_ascii({&c, 1})) {
    out += c;
    return;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

}  // namespace

std::optional<std::vector<std::string>> split_arguments(std::string_view line) {
  std::vector<std::string> arguments;
  ArgumentScanner scanner(line);
  std::string argument;
  while (scanner.next(argument)) arguments.push_back(argument);
  if (scanner.faulty()) return std::nullopt;
  return arguments;
}

std::string joined_arguments(std::string_view line) {
  std::string bytes;
  ArgumentScanner scanner(line);
  std::string argument;
  while (scanner.next(argument)) bytes += argument;
  return bytes;
}

std::string quote(std::string_view bytes) {
  const bool is_run = bytes.size() >= kShortestRun && bytes.find_first_not_of(bytes.front()) == bytes.npos;
  std::string out = "\"";
  for (const char c : is_run ? bytes.substr(0, 1) : bytes) append_escaped(out, c);
  out += '"';
  if (is_run) out += "*" + std::to_string(bytes.size());
  return out;
}

bool is_printable_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace lockstep::transcript
