// Plays a transcript in process: an engine with the manual clock, built anew for every scenario. What is
// sent can be fed in chunks, since the replies must not depend on how the bytes were cut.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "server/engine/engine.h"
#include "tests/transcript/driver.h"

namespace lockstep::transcript {

class EngineDriver : public Driver {
 public:
  // Feeds `chunk` bytes at a time; 0 feeds all at once.
  explicit EngineDriver(std::size_t chunk);
  ~EngineDriver() override;

  void reset(const Settings& settings) override;
  Session open() override;
  void send(Session session, std::string_view bytes) override;
  void close(Session session) override;
  std::string_view received(Session session) const override;
  void consume(Session session, std::size_t size) override;
  bool receive(Session) override { return false; }  // all that will come has come
  bool is_closed(Session session) const override;
  void settle() override {}
  bool has_manual_clock() const override { return true; }
  void advance_clock(std::int64_t duration_us) override;

 private:
  struct Peer {
    SessionId id;
    std::string received;
    bool closed = false;
  };

  // Carries what the engine has for anybody to its peer.
  void collect();
  void carry(Peer& peer);

  std::size_t chunk_;
  std::unique_ptr<Engine> engine_;
  std::vector<Peer> peers_;
};

}  // namespace lockstep::transcript
