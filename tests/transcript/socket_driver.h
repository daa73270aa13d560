// Plays a transcript against a server at host:port, a real Redis or Lockstep's own binary. The server
// must be there for this alone: it is emptied before every scenario. Its clock cannot be moved.
#pragma once

#include <memory>
#include <string>

#include "tests/transcript/driver.h"
#include "tests/transcript/player.h"

namespace lockstep::transcript {

class Socket;

class SocketDriver : public Driver {
 public:
  SocketDriver(std::string host, std::string port);
  ~SocketDriver() override;

  // What answers there, from its INFO.
  Target target();

  void reset(const Settings& settings) override;
  Session open() override;
  void send(Session session, std::string_view bytes) override;
  void close(Session session) override;
  std::string_view received(Session session) const override;
  void consume(Session session, std::size_t size) override;
  bool receive(Session session) override;
  bool is_closed(Session session) const override;
  void settle() override;
  bool has_manual_clock() const override { return false; }
  void advance_clock(std::int64_t duration_us) override;

 private:
  // Sends a command on the connection kept for resetting and returns the reply's notation.
  std::string administer(const std::vector<std::string>& arguments);
  void expect_ok(const std::vector<std::string>& arguments);
  void restore_settings();
  void change_setting(const std::string& name, const std::string& value);
  void wait_until_alone();

  std::string host_;
  std::string port_;
  std::unique_ptr<Socket> administrator_;
  std::vector<std::unique_ptr<Socket>> sockets_;  // by session; empty when closed
  Settings settings_before_;                      // what reset() must put back
};

}  // namespace lockstep::transcript
