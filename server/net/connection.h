// One accepted client: carries bytes between its socket and its session. Made and owned by SocketServer;
// decides nothing about commands. Its memory goes in the close callback of its handle, nowhere else.
#pragma once

#include <uv.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "server/engine/session.h"

namespace lockstep::net {

class Connection;

// What a connection asks of the loop it lives in.
class ConnectionOwner {
 public:
  // Where all connections read into, one after the other.
  virtual uv_buf_t read_slab() = 0;
  virtual void received(Connection& connection, std::string_view bytes) = 0;
  virtual void sent(size_t bytes) = 0;
  // It sends and receives nothing more; its session is to be closed now.
  virtual void closing(Connection& connection) = 0;
  // Nothing refers to it any more: destroy it.
  virtual void closed(Connection& connection) = 0;

 protected:
  ~ConnectionOwner() = default;
};

class Connection {
 public:
  Connection(ConnectionOwner& owner, uv_loop_t& loop, bool unix_socket);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Takes the client that waits at `listener`. 0 or libuv's error.
  int accept(uv_stream_t& listener);
  // From now on what arrives goes to `session`, which outlives closing().
  int start(SessionId id, Session& session);
  // Says one last thing, as far as the socket takes it at once, and closes.
  void reject(std::string_view text);

  // Sends what the session has ready; ends the connection when the session is done.
  void flush();
  // Any number of times.
  void close();

  SessionId id() const { return id_; }
  Session& session() const { return *session_; }
  uv_tcp_t& tcp() { return tcp_; }
  const uv_tcp_t& tcp() const { return tcp_; }
  int descriptor() const;
  // In the loop's milliseconds.
  uint64_t last_active_ms() const { return last_active_ms_; }

 private:
  // What did not fit into the socket, until the loop has written it. One at a time: the rest stays in
  // the session, where it counts as its output.
  struct PendingWrite {
    static constexpr size_t kBytes = 64 << 10;
    uv_write_t request;
    char bytes[kBytes];
  };

  void read(ssize_t status, const uv_buf_t& slab);
  void write_later();
  void written(int status);
  void consume(size_t bytes);
  void touch() { last_active_ms_ = uv_now(handle_.loop); }

  ConnectionOwner& owner_;
  union {
    uv_tcp_t tcp_;
    uv_pipe_t pipe_;
    uv_stream_t stream_;
    uv_handle_t handle_;
  };
  SessionId id_;
  Session* session_ = nullptr;
  std::unique_ptr<PendingWrite> pending_write_;
  uint64_t last_active_ms_ = 0;
};

}  // namespace lockstep::net
