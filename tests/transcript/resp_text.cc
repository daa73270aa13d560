// The decoder of replies, see the header. Strict: what RESP does not allow is reported as malformed.
#include "tests/transcript/resp_text.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include "tests/transcript/quoting.h"

namespace lockstep::transcript {
namespace {

constexpr int kDeepest = 256;

// A status or error goes unquoted where the line stays readable and its end is visible.
std::string simple_text(std::string_view text, bool nested) {
  const bool ends_in_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  const bool looks_quoted = !text.empty() && text.front() == '"';
  const bool ambiguous = nested && text.find_first_of(",[]{}") != text.npos;
  if (text.empty() || ends_in_space || looks_quoted || ambiguous || !is_printable_ascii(text))
    return quote(text);
  return std::string(text);
}

bool is_integer(std::string_view text, bool any_size) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && (any_size || text.size() <= 19) &&
         text.find_first_not_of("0123456789") == text.npos;
}

// Walks over one reply; `failure_` says why it stopped.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  Decoded run() {
    Decoded decoded;
    if (value(decoded.text, 0)) {
      decoded.state = Decoded::State::complete;
      decoded.size = at_;
    } else {
      decoded.text = failure_;
      decoded.state = failure_.empty() ? Decoded::State::incomplete : Decoded::State::malformed;
    }
    return decoded;
  }

 private:
  bool value(std::string& out, int depth) {
    const std::optional<std::string_view> line = take_line();
    if (!line) return false;
    if (line->empty()) return malformed("an empty line");
    if (depth > kDeepest) return malformed("nesting too deep");
    const char type = line->front();
    const std::string_view text = line->substr(1);
    switch (type) {
      case '+':
      case '-': out += type + simple_text(text, depth > 0); return true;
      case ':': return number(out, type, text, /*any_size=*/false);
      case '(': return number(out, type, text, /*any_size=*/true);
      case ',': out += "," + std::string(text); return is_printable_ascii(text) || malformed("a double");
      case '#': out += "#" + std::string(text); return text == "t" || text == "f" || malformed("a boolean");
      case '_': out += "null"; return text.empty() || malformed("a null");
      case '$':
      case '!':
      case '=': return bulk(out, type, text);
      default: return aggregate(out, type, text, depth);
    }
  }

  bool number(std::string& out, char type, std::string_view text, bool any_size) {
    out += type;
    out += text;
    return is_integer(text, any_size) || malformed("an integer");
  }

  bool bulk(std::string& out, char type, std::string_view length_text) {
    if (type == '$' && length_text == "-1") {
      out += "nil";
      return true;
    }
    const std::optional<std::size_t> length = count(length_text);
    if (!length) return malformed("a length");
    if (bytes_.size() - at_ < *length + 2) return false;
    const std::string_view text = bytes_.substr(at_, *length);
    at_ += *length;
    if (bytes_.substr(at_, 2) != "\r\n") return malformed("the end of a bulk string");
    at_ += 2;
    if (type == '$') {
      out += quote(text);
    } else if (type == '!') {
      out += "!" + quote(text);
    } else {
      if (text.size() < 4 || text[3] != ':') return malformed("a verbatim string");
      out += "=" + std::string(text.substr(0, 4)) + quote(text.substr(4));
    }
    return true;
  }

  bool aggregate(std::string& out, char type, std::string_view length_text, int depth) {
    if (type == '*' && length_text == "-1") {
      out += "nil*";
      return true;
    }
    const std::optional<std::size_t> length = count(length_text);
    switch (type) {
      case '*': return length ? elements(out, *length, depth) : malformed("a length");
      case '~':
      case '>': out += type; return length ? elements(out, *length, depth) : malformed("a length");
      case '%': return length ? pairs(out, *length, depth) : malformed("a length");
      default: return malformed("the type of a reply");
    }
  }

  bool elements(std::string& out, std::size_t length, int depth) {
    out += '[';
    for (std::size_t i = 0; i < length; ++i) {
      if (i > 0) out += ", ";
      if (!value(out, depth + 1)) return false;
    }
    out += ']';
    return true;
  }

  bool pairs(std::string& out, std::size_t length, int depth) {
    out += '{';
    for (std::size_t i = 0; i < length; ++i) {
      if (i > 0) out += ", ";
      if (!value(out, depth + 1)) return false;
      out += " => ";
      if (!value(out, depth + 1)) return false;
    }
    out += '}';
    return true;
  }

  std::optional<std::string_view> take_line() {
    const std::size_t end = bytes_.find("\r\n", at_);
    if (end == bytes_.npos) return std::nullopt;
    const std::string_view line = bytes_.substr(at_, end - at_);
    at_ = end + 2;
    return line;
  }

  static std::optional<std::size_t> count(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
  }

  bool malformed(const char* what) {
    if (failure_.empty()) failure_ = std::string("bad RESP, ") + what + " before byte " + std::to_string(at_);
    return false;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string failure_;
};

}  // namespace

Decoded decode_reply(std::string_view bytes) { return Decoder(bytes).run(); }

}  // namespace lockstep::transcript
