// The words of a JSON text, as cjson.decode reads them: what Redis takes beyond JSON's own rules (hexadecimal
// numbers, leading zeros, infinities, control characters in strings), it takes too. Used by json_reader.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

struct JsonToken {
  enum class Kind : uint8_t {
    kObjectBegin,
    kObjectEnd,
    kArrayBegin,
    kArrayEnd,
    kString,
    kNumber,
    kTrue,
    kFalse,
    kNull,
    kColon,
    kComma,
    kEnd,
    kError,
  };
  Kind kind;
  size_t at;               // where it begins; of an error, where it is
  std::string_view text;   // of a string, until the next token is read
  double number = 0;
  const char* error = "";  // what is wrong

  // As error texts call it.
  const char* name() const;
};

class JsonLexer {
 public:
  // `text` ends with a NUL behind it, as Lua's strings do; the first NUL ends the JSON text.
  JsonLexer(std::string_view text, bool allows_invalid_numbers)
      : start_(text.data()), at_(text.data()), allows_invalid_numbers_(allows_invalid_numbers) {}

  JsonToken next();

 private:
  JsonToken token(JsonToken::Kind kind, size_t length);
  JsonToken error(const char* what) const;
  JsonToken read_word();
  JsonToken read_number();
  JsonToken read_string();
  const char* read_escape();
  const char* read_unicode_escape();
  size_t offset() const { return static_cast<size_t>(at_ - start_); }

  const char* const start_;
  const char* at_;
  const bool allows_invalid_numbers_;
  std::string unescaped_;
};

}  // namespace lockstep
