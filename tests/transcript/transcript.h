// A transcript file as data: scenarios of steps, with the lines they stand on. The notation is
// described in tests/scripts/README.md. Parsing only; conversation.h performs the steps.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::transcript {

struct Step {
  enum class Kind {
    send,            // A> arguments
    send_raw,        // A>raw "bytes"
    close,           // A close
    advance,         // +50ms
    reply,           // A< notation
    matching_reply,  // A<~ regular expression
    raw_reply,       // A<raw "bytes"
    closed,          // A< closed
    nothing,         // A<-
  };
  Kind kind;
  int line = 0;         // from 1
  std::string session;  // empty for advance
  std::string text;     // what follows the mark, as written
  std::int64_t advance_us = 0;

  bool is_expectation() const { return kind >= Kind::reply; }
};

struct Scenario {
  std::string name;
  int line = 0;
  std::string since;      // the first version of Redis that answers like this, or empty
  std::string not_redis;  // why no Redis answers like this, or empty
  std::vector<std::pair<std::string, std::string>> settings;  // options of the server
  std::vector<Step> steps;

  bool needs_manual_clock() const;
};

struct Transcript {
  std::string path;
  std::vector<std::string> lines;  // as in the file, for rewriting
  std::vector<Scenario> scenarios;
};

// A fault of a file; what() says "file:line: fault".
struct TranscriptError : std::runtime_error {
  TranscriptError(const std::string& path, int line, const std::string& fault)
      : std::runtime_error(path + ":" + std::to_string(line) + ": " + fault) {}
};

Transcript parse_transcript(const std::string& path, std::string_view text);
Transcript read_transcript(const std::string& path);

// "7.0.15" against "7.2": compares number by number.
bool version_at_least(std::string_view version, std::string_view least);

}  // namespace lockstep::transcript
