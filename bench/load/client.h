// One blocking connection of a client that looks at each reply. Used by the hand-overs, to load scripts and to
// subscribe; the closed loop has connections of its own, which do not wait.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::bench {

// Every failure (refused, closed, silent for 5 s, not RESP, another reply than expected) is a std::runtime_error.
class Client {
 public:
  explicit Client(std::uint16_t port);
  ~Client();
  Client(Client&& other) noexcept;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  int fd() const { return fd_; }

  void send(std::string_view request);
  std::string receive();                    // the next reply, whole
  std::optional<std::string> receive_now();  // the same if it is there without waiting
  void expect(std::string_view reply);      // receive() must give this

  std::string ask(std::string_view request) {
    send(request);
    return receive();
  }

 private:
  void read_more(int flags);
  std::optional<std::string> take_reply();

  int fd_;
  std::string input_;
};

}  // namespace lockstep::bench
