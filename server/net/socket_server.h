// The shell around one engine: the libuv loop, its clients, and the time that it moves. Made by main;
// knows no command. Everything happens on the thread that calls run().
//
// A turn of the loop: time moves, and what is due fires; what arrived is fed to its session; then all
// output leaves, once; then the loop sleeps until bytes arrive or the engine's next deadline. While a script is
// suspended the loop does not sleep, and each turn begins with a slice of it.
#pragma once

#include <uv.h>

#include <memory>
#include <string>
#include <vector>

#include "server/engine/engine.h"
#include "server/net/connection.h"
#include "server/net/listeners.h"
#include "server/net/log.h"
#include "server/net/problem.h"
#include "server/net/wall_clock.h"

namespace lockstep::net {

class SocketServer final : private ConnectionOwner {
 public:
  // All three must outlive the server.
  SocketServer(Engine& engine, SystemClock& clock, Log& log);
  ~SocketServer();
  SocketServer(const SocketServer&) = delete;
  SocketServer& operator=(const SocketServer&) = delete;

  // Opens what the engine's settings ask for; clients can connect from then on.
  Problem listen();
  // Says so: in the log as Redis does, and on standard output one line a listener for tools.
  void announce();
  // Serves until SHUTDOWN, SIGTERM or SIGINT. All sockets are closed when it returns.
  void run();

 private:
  static constexpr unsigned kSlabBytes = 64 << 10;
  static SocketServer& of(void* data) { return *static_cast<SocketServer*>(data); }

  // ConnectionOwner
  uv_buf_t read_slab() override;
  void received(Connection& connection, std::string_view bytes) override;
  void sent(size_t bytes) override {
    engine_.stats().output_bytes += bytes;
    ++engine_.stats().writes;
  }
  void closing(Connection& connection) override;
  void closed(Connection& connection) override;

  void accept(Listener& listener);
  // Empty when the client may come in; else what it is told.
  std::string_view refusal(const Listener& listener, const Connection& connection);
  void keep_alive(Connection& connection);
  std::optional<OptionRefusal> apply(const Settings& held, Settings& wanted);

  void move_time();
  void sweep();
  void begin_turn();
  void end_turn();
  // Keeps the loop awake while a script is suspended.
  void attend_script();
  void flush_dirty();
  void arm_deadline_timer();
  void every_second();
  void stop(std::string_view reason);
  void close_everything();

  Engine& engine_;
  SystemClock& clock_;
  Log& log_;
  uv_loop_t loop_;
  uv_prepare_t before_sleep_;
  uv_idle_t script_slice_;
  uv_timer_t deadline_timer_;
  uv_timer_t second_timer_;
  uv_signal_t terminate_;
  uv_signal_t interrupt_;
  Listeners listeners_;
  std::unique_ptr<char[]> slab_;
  std::vector<Connection*> connections_;  // by their session's slot
  size_t connection_count_ = 0;
  Instant armed_ = Instant::never();      // what deadline_timer_ waits for
  int64_t turn_started_us_ = 0;
  bool turn_begun_ = false;
  bool behind_ = false;                   // deadlines have passed that have not fired yet
};

}  // namespace lockstep::net
