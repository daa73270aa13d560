// Numbers are strtod's business, strings without escapes are not copied.
#include "scripting/libraries/json_lexer.h"

#include <cstdlib>
#include <cstring>
#include <strings.h>

namespace lockstep {
namespace {

using Kind = JsonToken::Kind;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool begins_with(const char* text, std::string_view word) { return std::strncmp(text, word.data(), word.size()) == 0; }

bool names_no_number(const char* text) { return strncasecmp(text, "inf", 3) == 0 || strncasecmp(text, "nan", 3) == 0; }

// What strtod would read and JSON does not have; `text` begins with a digit or a minus.
bool is_invalid_number(const char* text) {
  if (*text == '-') text++;
  if (*text == '0') return (text[1] | 0x20) == 'x' || is_digit(text[1]);
  return names_no_number(text);
}

// The value of four hexadecimal digits, or -1.
int read_code_unit(const char* digits) {
  int value = 0;
  for (int i = 0; i < 4; i++) {
    const char c = digits[i];
    const auto lower = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      value = value * 16 + (c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value * 16 + (lower - 'a' + 10);
    } else {
      return -1;
    }
  }
  return value;
}

void add_utf8(std::string& to, int code) {
  const auto tail = [&](int shift) { to += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    to += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    to += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

constexpr char kBadCode[] = "invalid unicode escape code";

}  // namespace

const char* JsonToken::name() const {
  switch (kind) {
    case Kind::kObjectBegin:
      return "T_OBJ_BEGIN";
    case Kind::kObjectEnd:
      return "T_OBJ_END";
    case Kind::kArrayBegin:
      return "T_ARR_BEGIN";
    case Kind::kArrayEnd:
      return "T_ARR_END";
    case Kind::kString:
      return "T_STRING";
    case Kind::kNumber:
      return "T_NUMBER";
    case Kind::kTrue:
    case Kind::kFalse:
      return "T_BOOLEAN";
    case Kind::kNull:
      return "T_NULL";
    case Kind::kColon:
      return "T_COLON";
    case Kind::kComma:
      return "T_COMMA";
    case Kind::kEnd:
      return "T_END";
    case Kind::kError:
      break;
  }
  return error;
}

JsonToken JsonLexer::token(Kind kind, size_t length) {
  const size_t at = offset();
  at_ += length;
  return {.kind = kind, .at = at, .text = {}};
}

JsonToken JsonLexer::error(const char* what) const {
  return {.kind = Kind::kError, .at = offset(), .text = {}, .error = what};
}

JsonToken JsonLexer::next() {
  at_ += std::strspn(at_, " \t\r\n");
  switch (*at_) {
    case '\0':
      return token(Kind::kEnd, 0);
    case '{':
      return token(Kind::kObjectBegin, 1);
    case '}':
      return token(Kind::kObjectEnd, 1);
    case '[':
      return token(Kind::kArrayBegin, 1);
    case ']':
      return token(Kind::kArrayEnd, 1);
    case ':':
      return token(Kind::kColon, 1);
    case ',':
      return token(Kind::kComma, 1);
    case '"':
      return read_string();
    default:
      return read_word();
  }
}

JsonToken JsonLexer::read_word() {
  if (is_digit(*at_) || *at_ == '-') {
    if (!allows_invalid_numbers_ && is_invalid_number(at_)) return error("invalid number");
    return read_number();
  }
  if (begins_with(at_, "true")) return token(Kind::kTrue, 4);
  if (begins_with(at_, "false")) return token(Kind::kFalse, 5);
  if (begins_with(at_, "null")) return token(Kind::kNull, 4);
  if (allows_invalid_numbers_ && (*at_ == '+' || names_no_number(at_))) return read_number();
  return error("invalid token");
}

JsonToken JsonLexer::read_number() {
  char* end = nullptr;
  const double number = std::strtod(at_, &end);
  if (end == at_) return error("invalid number");
  JsonToken read = token(Kind::kNumber, static_cast<size_t>(end - at_));
  read.number = number;
  return read;
}

JsonToken JsonLexer::read_string() {
  constexpr char kSpecial[] = "\"\\";
  JsonToken read = token(Kind::kString, 1);
  const size_t plain = std::strcspn(at_, kSpecial);
  if (at_[plain] == '"') {
    read.text = {at_, plain};
    at_ += plain + 1;
    return read;
  }
  unescaped_.clear();
  for (;;) {
    const size_t run = std::strcspn(at_, kSpecial);
    unescaped_.append(at_, run);
    at_ += run;
    if (*at_ == '"') break;
    if (*at_ == '\0') return error("unexpected end of string");
    if (const char* fault = read_escape(); fault != nullptr) return error(fault);
  }
  at_++;
  read.text = unescaped_;
  return read;
}

// At a backslash. Null when all is well, else what is wrong, and nothing is read.
const char* JsonLexer::read_escape() {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  if (at_[1] == 'u') return read_unicode_escape();
  const size_t index = at_[1] == '\0' ? std::string_view::npos : kNames.find(at_[1]);
  if (index == std::string_view::npos) return "invalid escape code";
  unescaped_ += kValues[index];
  at_ += 2;
  return nullptr;
}

// A code of the Basic Multilingual Plane, or a pair of surrogates.
const char* JsonLexer::read_unicode_escape() {
  constexpr size_t kLength = 6;
  int code = read_code_unit(at_ + 2);
  size_t length = kLength;
  if (code < 0 || (code & 0xfc00) == 0xdc00) return kBadCode;
  if ((code & 0xfc00) == 0xd800) {
    if (at_[kLength] != '\\' || at_[kLength + 1] != 'u') return kBadCode;
    const int low = read_code_unit(at_ + kLength + 2);
    if (low < 0 || (low & 0xfc00) != 0xdc00) return kBadCode;
    code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
    length += kLength;
  }
  add_utf8(unescaped_, code);
  at_ += length;
  return nullptr;
}

}  // namespace lockstep
