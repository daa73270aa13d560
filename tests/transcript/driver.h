// What plays a transcript: a server reached somehow. The socket driver reaches one over TCP, the
// engine driver holds one in process. Implementations know bytes and sessions, not replies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::transcript {

// The surroundings failed (no connection, a server that cannot be reset): not a fault of a reply.
struct DriverError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Driver {
 public:
  using Session = std::size_t;
  using Settings = std::vector<std::pair<std::string, std::string>>;

  virtual ~Driver() = default;

  // An empty server with these options beside its defaults, no sessions, the clock at its start value.
  virtual void reset(const Settings& settings) = 0;

  virtual Session open() = 0;
  virtual void send(Session session, std::string_view bytes) = 0;
  virtual void close(Session session) = 0;  // by the client; the session is not used again

  // What came and has not been consumed. receive() waits for more, or for the close; it gives up with
  // false when nothing came in bounded time (in process: at once, what is not there will not come).
  virtual std::string_view received(Session session) const = 0;
  virtual void consume(Session session, std::size_t size) = 0;
  virtual bool receive(Session session) = 0;
  virtual bool is_closed(Session session) const = 0;  // by the server; received() may still hold bytes

  // Afterwards everything the server sends because of what was sent so far has been received.
  virtual void settle() = 0;

  virtual bool has_manual_clock() const = 0;
  virtual void advance_clock(std::int64_t duration_us) = 0;
};

}  // namespace lockstep::transcript
