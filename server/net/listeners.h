// The sockets that wait for clients: one for each address of `bind`, and the Unix socket. Opened once by
// SocketServer; knows nothing of what happens to a client once it has been accepted.
#pragma once

#include <uv.h>

#include <functional>
#include <string>
#include <vector>

#include "server/engine/settings.h"
#include "server/net/problem.h"

namespace lockstep::net {

struct Listener {
  union {
    uv_tcp_t tcp;
    uv_pipe_t pipe;
    uv_stream_t stream;
    uv_handle_t handle;
  };
  std::string address;  // "127.0.0.1:6379", "/run/lockstep.sock"
  std::string url;      // where a client on this machine reaches it: "redis://127.0.0.1:6379", "unix:///run/..."
  bool unix_socket = false;
  const std::function<void(Listener&)>* arrival = nullptr;  // a client waits to be accepted
};

class Listeners {
 public:
  Listeners(uv_loop_t& loop, std::function<void(Listener&)> arrival)
      : loop_(loop), arrival_(std::move(arrival)) {}
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  Problem open(const Settings& settings);
  // Other addresses or another port, in place of those of `held`. When they cannot be had, all stays as it is.
  Problem reopen(const Settings& held, const Settings& wanted);
  // The listeners' memory goes in the loop's next turns; so does the Unix socket's file.
  void close();

  const std::vector<Listener*>& all() const { return all_; }
  // As INFO tells of them: "name=tcp,bind=127.0.0.1,bind=::1,port=6379".
  std::vector<std::string> descriptions() const;
  int tcp_port() const { return tcp_port_; }  // 0 without

 private:
  struct Failure {
    int status;
    std::string text;
  };

  void close_tcp();
  Problem open_tcp(const Settings& settings);
  std::optional<Failure> open_addresses(std::string_view addresses, int port, int backlog);
  std::optional<Failure> open_address(const std::string& host, int port, int backlog);
  int listen_on(const sockaddr_storage& address, int backlog);
  Problem open_unix(const std::string& path, int permissions, int backlog);
  int listen(Listener& listener, int backlog);

  uv_loop_t& loop_;
  std::function<void(Listener&)> arrival_;
  std::vector<Listener*> all_;
  int tcp_port_ = 0;
};

}  // namespace lockstep::net
