// The quoted strings of transcripts: arguments written as for redis-cli, and bytes printed back.
// Used by the parser, the decoder of replies and the players; knows nothing of sessions or replies.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::transcript {

// Splits a line into arguments as redis-cli does: bare words, 'single quotes' (only \' is special)
// and "double quotes" with \n \r \t \b \a \\ \" \xHH. One thing is added: a quoted argument may be
// followed by *N, N times the string, since limits of the protocol need large arguments.
// Nothing when quotes are not balanced or not followed by a space.
std::optional<std::vector<std::string>> split_arguments(std::string_view line);

// The arguments of a line, one after the other: raw bytes are written in several parts.
std::string joined_arguments(std::string_view line);

// The bytes as one double-quoted argument of printable ASCII; a long run of a single byte as "x"*N.
std::string quote(std::string_view bytes);

bool is_printable_ascii(std::string_view text);

}  // namespace lockstep::transcript
