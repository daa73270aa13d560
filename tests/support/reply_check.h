// Whether bytes are whole replies, in RESP2 or RESP3: what a client must be able to count on.
#pragma once

#include <cstddef>
#include <string_view>

namespace lockstep::tests {

// True for nothing at all, too.
bool are_whole_replies(std::string_view bytes);

}  // namespace lockstep::tests
