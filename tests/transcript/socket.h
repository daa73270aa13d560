// One TCP connection of the socket driver: sends everything, collects what comes.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::transcript {

class Socket {
 public:
  Socket(const std::string& host, const std::string& port);
  ~Socket();
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  void send(std::string_view bytes);
  // Reads what is there; waits for it up to the deadline. False when nothing came, not even the close.
  bool receive(int timeout_ms);
  std::string_view received() const { return std::string_view(input_).substr(consumed_); }
  void consume(std::size_t size);
  bool is_closed() const { return closed_; }

 private:
  int descriptor_ = -1;
  std::string input_;
  std::size_t consumed_ = 0;
  bool closed_ = false;
};

}  // namespace lockstep::transcript
