#include "server/engine/monitors.h"

#include <algorithm>

#include "server/base/numbers.h"
#include "server/engine/command.h"

namespace lockstep {
namespace {

void append_quoted(std::string& line, std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  static constexpr std::string_view kSpecial = "\\\"\n\r\t\a\b";
  static constexpr std::string_view kLetters = "\\\"nrtab";
  line += '"';
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (const size_t at = kSpecial.find(c); at != kSpecial.npos) {
      line.append("\\") += kLetters[at];
    } else if (byte >= 0x20 && byte < 0x7f) {
      line += c;
    } else {
      line.append("\\x") += kHex[byte >> 4];
      line += kHex[byte & 15];
    }
  }
  line += '"';
}

// "127.0.0.1:60866", "unix:/run/lockstep.sock", or "lua" for what a script calls.
std::string place_of(const Call& call) {
  if (call.in_script()) return "lua";
  const Endpoint& endpoint = call.session.endpoint;
  if (!endpoint.unix_socket) return endpoint.address;
  return "unix:" + endpoint.address.substr(0, endpoint.address.rfind(':'));
}

}  // namespace

bool Monitors::add(SessionState& session) {
  if (session.monitors) return false;
  session.monitors = true;
  session.refresh_gates();
  sessions_.push_back(&session);
  return true;
}

void Monitors::remove(SessionState& session) {
  if (!session.monitors) return;
  session.monitors = false;
  session.refresh_gates();
  std::erase(sessions_, &session);
}

void Monitors::tell(const Call& call, int64_t unix_us) {
  const std::string fraction = integer_text(1'000'000 + unix_us % 1'000'000).substr(1);
  std::string line = integer_text(unix_us / 1'000'000) + "." + fraction;
  line += " [" + integer_text(call.session.database) + " " + place_of(call) + "]";
  for (size_t i = 0; i < call.args.size(); ++i) {
    line += ' ';
    append_quoted(line, call.hides(i) ? "(redacted)" : call.args[i]);
  }
  bool wanted = false;
  for (SessionState* session : sessions_) wanted |= pubsub_.expect(*session, line.size());
  if (wanted) outbox_.tell_monitors(line);
}

}  // namespace lockstep
