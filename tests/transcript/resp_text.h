// Replies as transcripts print them: RESP2 and RESP3 bytes -> one line of notation (see
// tests/scripts/README.md). Used by the players; it must not share code with the server's writers,
// whose bytes it checks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::transcript {

struct Decoded {
  enum class State { incomplete, complete, malformed };
  State state = State::incomplete;
  std::string text;      // the notation, or what is wrong with the bytes
  std::size_t size = 0;  // bytes of the reply when complete
};

// Decodes the first reply in `bytes`. An incomplete one is tried again when more has come.
Decoded decode_reply(std::string_view bytes);

}  // namespace lockstep::transcript
