// Reads a command's options in whatever order they come. The first fault latches; later reads do
// nothing; finish() answers it. So a handler states its grammar once and looks at errors once.
//
//   ArgReader options(call, 3);
//   while (options.more()) {
//     if (options.word("NX")) nx = true;
//     else if (options.time("PX", ttl)) continue;
//     else options.fail(errors::kSyntax);
//   }
//   if (!options.finish()) return;
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/base/ascii.h"
#include "server/engine/command.h"

namespace lockstep {

// What a connection may call itself or its library: visible ASCII, so that CLIENT LIST stays readable.
bool valid_client_text(std::string_view text);

class ArgReader {
 public:
  // Starts at call.args[first]; there may be none.
  ArgReader(Call& call, size_t first) : call_(call), at_(std::min(first, call.args.size())) {}

  bool more() const { return error_.empty() && at_ < call_.args.size(); }
  // The next argument is this word, in any case: it is taken.
  bool word(std::string_view name);
  // The next argument is this word and another follows: both are taken.
  bool value(std::string_view name, std::string_view& into);
  bool integer(std::string_view name, int64_t& into);
  std::string_view next() { return call_.args[at_++]; }
  std::string_view peek() const { return call_.args[at_]; }
  size_t left() const { return call_.args.size() - at_; }

  void fail(std::string_view error) {
    if (error_.empty()) error_ = error;
  }
  // False after having answered the first fault.
  bool finish();

 private:
  Call& call_;
  size_t at_;
  std::string error_;
};

// Answers the error and gives nothing when `text` is no integer.
std::optional<int64_t> read_integer(Call& call, std::string_view text);

// Where a scan goes on; answers the error and gives nothing when `text` is no cursor.
std::optional<uint64_t> read_cursor(Call& call, std::string_view text);

// How commands write times: until when, or for how long.
enum class TimeUnit : uint8_t { kSeconds, kMilliseconds };
enum class TimeBase : uint8_t { kFromNow, kUnix };

struct TimeArgument {
  std::string_view text;
  TimeUnit unit;
  TimeBase base;
};

// The deadline on the engine's time line, in ms. A relative one starts at now rounded down to the
// millisecond. Answers the error ("invalid expire time in 'set' command") and gives nothing for what
// no deadline can be made of; for times not after zero, too, unless `past_allowed`.
std::optional<int64_t> read_deadline(Call& call, const TimeArgument& time, bool past_allowed);

// Gives a key that deadline, or deletes it when it has come, and announces what it did.
void set_deadline(Call& call, Keyspace::Location& at, int64_t deadline_ms);

}  // namespace lockstep
