// The primitives of Redis' payloads (RDB): lengths, and strings that may stand there as numbers or
// compressed by LZF. Bytes behind the end of the input, or nonsense, latch failed() as in ByteReader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/base/byte_reader.h"

namespace lockstep {

class DumpReader {
 public:
  explicit DumpReader(std::string_view input) : in_(input) {}

  bool failed() const { return in_.failed(); }
  uint8_t byte() { return in_.byte(); }
  // Of a string or of a collection.
  uint64_t length();
  // Good until the next call.
  std::string_view string();

 private:
  struct Head {
    uint64_t value;
    bool encoded;  // no length, but how the string is encoded
  };
  Head head();
  void read_compressed();

  ByteReader in_;
  std::string text_;  // of the last string that did not stand there as it is
};

// Writing the same.
void append_dump_length(std::string& to, uint64_t length);
// As a number if it is the text of one in 32 bits.
void append_dump_string(std::string& to, std::string_view text);

}  // namespace lockstep
