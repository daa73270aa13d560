#include "protocol/inline_split.h"

#include <optional>

namespace lockstep {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
}

// Fewer than separate words: \v and \f inside one belong to it, as in Redis.
bool ends_word(char c) { return is_blank(c) && c != '\v' && c != '\f'; }

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return lower - 'a' + 10;
  return std::nullopt;
}

char plain_escape(char c) {
  switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'b': return '\b';
    case 'a': return '\a';
    default: return c;
  }
}

class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  bool run(std::vector<std::string>& words) {
    words.clear();
    for (;;) {
      while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
      if (at_ == line_.size()) return true;
      if (!read_word(words.emplace_back())) return false;
    }
  }

 private:
  bool read_word(std::string& word) {
    while (at_ < line_.size() && !ends_word(line_[at_])) {
      const char c = line_[at_++];
      if (c == '"') return read_double_quoted(word) && at_word_end();
      if (c == '\'') return read_single_quoted(word) && at_word_end();
      word += c;
    }
    return true;
  }

  bool at_word_end() const { return at_ == line_.size() || is_blank(line_[at_]); }

  bool read_double_quoted(std::string& word) {
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == '"') return true;
      if (c != '\\' || at_ == line_.size()) {
        word += c;
      } else if (!read_hex(word)) {
        word += plain_escape(line_[at_++]);
      }
    }
    return false;
  }

  bool read_hex(std::string& word) {
    if (line_[at_] != 'x' || line_.size() - at_ < 3) return false;
    const auto high = hex_digit(line_[at_ + 1]);
    const auto low = hex_digit(line_[at_ + 2]);
    if (!high || !low) return false;
    word += static_cast<char>(*high * 16 + *low);
    at_ += 3;
    return true;
  }

  bool read_single_quoted(std::string& word) {
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == '\'') return true;
      if (c == '\\' && at_ < line_.size() && line_[at_] == '\'') {
        word += line_[at_++];
      } else {
        word += c;
      }
    }
    return false;
  }

  std::string_view line_;
  size_t at_ = 0;
};

}  // namespace

bool split_inline(std::string_view line, std::vector<std::string>& words) {
  // As in Redis, whose lines are C strings.
  return Splitter(line.substr(0, line.find('\0'))).run(words);
}

}  // namespace lockstep
