#include "server/net/socket_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "protocol/error_texts.h"
#include "server/base/check.h"
#include "server/net/address.h"
#include "server/net/config_rewrite.h"
#include "server/net/live_settings.h"

namespace lockstep::net {
namespace {

// What a turn may spend on deadlines, so that a million keys due at once never stall the clients; and how
// many fire before the clock is looked at again.
constexpr int64_t kSweepBudgetUs = 2000;
constexpr size_t kSweepStep = 64;

sockaddr_storage peer_of(const uv_tcp_t& tcp) {
  sockaddr_storage address{};
  int size = sizeof(address);
  uv_tcp_getpeername(&tcp, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

sockaddr_storage local_end_of(const uv_tcp_t& tcp) {
  sockaddr_storage address{};
  int size = sizeof(address);
  uv_tcp_getsockname(&tcp, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

Endpoint endpoint_of(const Listener& listener, const Connection& connection) {
  Endpoint endpoint;
  endpoint.descriptor = connection.descriptor();
  endpoint.unix_socket = listener.unix_socket;
  if (listener.unix_socket) {
    endpoint.address = endpoint.local_address = listener.address + ":0";
  } else {
    endpoint.address = to_text(peer_of(connection.tcp()));
    endpoint.local_address = to_text(local_end_of(connection.tcp()));
  }
  return endpoint;
}

// With redis-cli, at the first of the addresses.
std::string command_to_try(const Listener& listener, const Settings& settings) {
  std::string command = "redis-cli";
  if (listener.unix_socket) {
    command += " -s " + listener.address;
  } else {
    const std::string_view place = std::string_view(listener.url).substr(std::strlen("redis://"));
    const size_t colon = place.rfind(':');
    std::string host(place.substr(0, colon));
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    if (host != "127.0.0.1") command += " -h " + host;
    command += " -p " + std::string(place.substr(colon + 1));
  }
  if (!settings.text("requirepass").empty()) command += " --askpass";
  return command + " SET lock:demo me NX PX 30000";
}

}  // namespace

SocketServer::SocketServer(Engine& engine, SystemClock& clock, Log& log)
    : engine_(engine),
      clock_(clock),
      log_(log),
      listeners_(loop_, [this](Listener& listener) { accept(listener); }),
      slab_(new char[kSlabBytes]) {
  LOCKSTEP_CHECK(uv_loop_init(&loop_) == 0);
  uv_prepare_init(&loop_, &before_sleep_);
  uv_idle_init(&loop_, &script_slice_);
  uv_timer_init(&loop_, &deadline_timer_);
  uv_timer_init(&loop_, &second_timer_);
  uv_signal_init(&loop_, &terminate_);
  uv_signal_init(&loop_, &interrupt_);
  engine_.shell() = {
      .apply = [this](const Settings& held, Settings& wanted) { return apply(held, wanted); },
      .rewrite_config = [this](const Settings& settings) {
        return rewrite_config_file(engine_.process().config_file, settings);
      },
      .sleep = pause_for,
  };
  before_sleep_.data = script_slice_.data = deadline_timer_.data = this;
  second_timer_.data = terminate_.data = interrupt_.data = this;
}

SocketServer::~SocketServer() {
  close_everything();
  uv_run(&loop_, UV_RUN_DEFAULT);
  uv_loop_close(&loop_);
}

Problem SocketServer::listen() {
  // First of all, since somebody may have seen enough as soon as it can connect.
  uv_signal_start(&terminate_, [](uv_signal_t* handle, int) { of(handle->data).stop("Received SIGTERM"); }, SIGTERM);
  uv_signal_start(&interrupt_, [](uv_signal_t* handle, int) { of(handle->data).stop("Received SIGINT"); }, SIGINT);
  if (auto problem = listeners_.open(engine_.settings())) return problem;
  const int port = listeners_.tcp_port();
  engine_.process().tcp_port = port;
  engine_.process().listeners = listeners_.descriptions();
  const std::string word = std::to_string(port);  // what "auto" came to
  engine_.settings().set("port", {&word, 1});
  return std::nullopt;
}

std::optional<OptionRefusal> SocketServer::apply(const Settings& held, Settings& wanted) {
  auto refusal = apply_settings(held, wanted, listeners_, log_);
  engine_.process().tcp_port = listeners_.tcp_port();
  return refusal;
}

void SocketServer::announce() {
  log_.write(LogLevel::kNotice, "Ready to accept connections");
  for (const Listener* listener : listeners_.all())
    if (listener->unix_socket)
      log_.write(LogLevel::kNotice, "The server is now ready to accept connections at " + listener->address);
  log_.write(LogLevel::kNotice,
             "Try it: " + command_to_try(*listeners_.all().front(), engine_.settings()));
  for (const Listener* listener : listeners_.all()) std::printf("lockstep ready %s\n", listener->url.c_str());
  std::fflush(stdout);
}

void SocketServer::run() {
  uv_prepare_start(&before_sleep_, [](uv_prepare_t* handle) { of(handle->data).end_turn(); });
  uv_timer_start(&second_timer_, [](uv_timer_t* handle) { of(handle->data).every_second(); }, 1000, 1000);
  uv_run(&loop_, UV_RUN_DEFAULT);
}

// Clients ---------------------------------------------------------------------------------------------

void SocketServer::accept(Listener& listener) {
  auto* connection = new Connection(*this, loop_, listener.unix_socket);
  if (connection->accept(listener.stream) != 0) return connection->close();
  const std::string_view refused = refusal(listener, *connection);
  if (!refused.empty()) {
    ++engine_.stats().connections_rejected;
    return connection->reject("-" + std::string(refused) + "\r\n");
  }
  if (!listener.unix_socket) keep_alive(*connection);
  move_time();
  const SessionId id = engine_.open(endpoint_of(listener, *connection));
  if (connections_.size() <= id.slot) connections_.resize(id.slot + 1);
  connections_[id.slot] = connection;
  ++connection_count_;
  if (connection->start(id, *engine_.session(id)) != 0) connection->close();
}

std::string_view SocketServer::refusal(const Listener& listener, const Connection& connection) {
  const Settings& settings = engine_.settings();
  if (connection_count_ >= static_cast<size_t>(settings.integer("maxclients"))) return errors::kMaxClients;
  if (!listener.unix_socket && settings.boolean("protected-mode") && settings.text("requirepass").empty() &&
      !is_loopback(peer_of(connection.tcp())))
    return errors::kProtectedMode;
  return {};
}

// A peer that is gone without a word is noticed after tcp-keepalive seconds and some more.
void SocketServer::keep_alive(Connection& connection) {
  uv_tcp_nodelay(&connection.tcp(), 1);
  const int idle_s = static_cast<int>(engine_.settings().integer("tcp-keepalive"));
  if (idle_s == 0) return;
  const auto option = [&](int level, int name, int value) {
    setsockopt(connection.descriptor(), level, name, &value, sizeof(value));
  };
  option(SOL_SOCKET, SO_KEEPALIVE, 1);
  option(IPPROTO_TCP, TCP_KEEPIDLE, idle_s);
  option(IPPROTO_TCP, TCP_KEEPINTVL, std::max(idle_s / 3, 1));
  option(IPPROTO_TCP, TCP_KEEPCNT, 3);
}

uv_buf_t SocketServer::read_slab() { return uv_buf_init(slab_.get(), kSlabBytes); }

void SocketServer::received(Connection& connection, std::string_view bytes) {
  move_time();
  engine_.stats().input_bytes += bytes.size();
  ++engine_.stats().reads;
  connection.session().feed(bytes);
#ifdef LOCKSTEP_CHECKED
  std::memset(slab_.get(), 0xdb, bytes.size());  // whoever kept a view into it shall see
#endif
}

void SocketServer::closing(Connection& connection) {
  connections_[connection.id().slot] = nullptr;
  --connection_count_;
  engine_.close(connection.id());
}

void SocketServer::closed(Connection& connection) { delete &connection; }

// Time ------------------------------------------------------------------------------------------------

// Before anything runs, so that it meets no key past its deadline. More than a few deadlines are left to
// sweep(): whoever looks at such a key meanwhile finds it gone all the same.
void SocketServer::move_time() {
  if (!turn_begun_) begin_turn();
  if (engine_.suspended()) return;
  if (!engine_.advance_to(clock_.now(), behind_ ? 0 : kSweepStep)) behind_ = true;
}

// What came due while the loop slept, or was left over. The replies of this turn need not wait for it.
void SocketServer::sweep() {
  flush_dirty();
  move_time();
  Instant now = clock_.now();
  const Instant end{now.us + kSweepBudgetUs};
  while (behind_ && now < end && !engine_.suspended()) {
    now = clock_.now();
    behind_ = !engine_.advance_to(now, kSweepStep);
  }
}

void SocketServer::begin_turn() {
  turn_begun_ = true;
  turn_started_us_ = SystemClock::stopwatch_us();
  const std::optional<int64_t> change_ms = clock_.sample_wall_offset();
  if (!change_ms) return;
  engine_.set_wall_offset_ms(clock_.wall_offset_ms());
  log_.write(LogLevel::kWarning, "The wall clock was set by " + std::to_string(*change_ms) +
                                     " ms. Locks that are held keep their time.");
}

// Just before the loop sleeps, whatever woke it: one write a client for all that the turn has produced.
void SocketServer::end_turn() {
  flush_dirty();
  if (turn_begun_) {
    ++engine_.stats().turns;
    engine_.stats().turns_us += static_cast<uint64_t>(SystemClock::stopwatch_us() - turn_started_us_);
  }
  turn_begun_ = false;
  if (engine_.shutdown_requested()) return stop("SHUTDOWN was called");
  attend_script();
  arm_deadline_timer();
}

void SocketServer::attend_script() {
  if (!engine_.suspended()) {
    uv_idle_stop(&script_slice_);
  } else if (!uv_is_active(reinterpret_cast<uv_handle_t*>(&script_slice_))) {
    log_.write(LogLevel::kWarning, "A script runs for longer than busy-reply-threshold. Clients are told that the "
                                   "server is busy; SCRIPT KILL ends the script if it has not written yet.");
    uv_idle_start(&script_slice_, [](uv_idle_t* handle) {
      if (of(handle->data).engine_.suspended()) of(handle->data).engine_.resume();
    });
  }
}

void SocketServer::flush_dirty() {
  for (const SessionId id : engine_.take_dirty()) {
    Connection* connection = id.slot < connections_.size() ? connections_[id.slot] : nullptr;
    if (connection != nullptr && connection->id() == id) connection->flush();
  }
}

// A timer that is early wakes us for nothing and is armed again; so deadlines that come and go, as those
// of short locks do, cost no re-arming.
void SocketServer::arm_deadline_timer() {
  if (engine_.suspended()) return;  // none fires; there will be a turn when the script has ended
  const Instant due = engine_.next_deadline();
  if (due >= armed_ && !behind_) return;
  armed_ = due;
  const int64_t wait_us = std::max(due.us - clock_.now().us, int64_t{0});
  uv_timer_start(
      &deadline_timer_,
      [](uv_timer_t* handle) {
        of(handle->data).armed_ = Instant::never();
        of(handle->data).sweep();
      },
      static_cast<uint64_t>((wait_us + 999) / 1000), 0);
}

// The loop's timers stand still while the machine sleeps, the engine's time does not: looking at it each
// second fires what came due meanwhile.
void SocketServer::every_second() {
  if (engine_.suspended()) return;  // whoever waits for the script is not idle
  move_time();
  engine_.every_second();
  const auto timeout_ms = static_cast<uint64_t>(engine_.settings().integer("timeout")) * 1000;
  if (timeout_ms == 0) return;
  for (Connection* connection : connections_) {
    if (connection == nullptr || uv_now(&loop_) - connection->last_active_ms() <= timeout_ms) continue;
    const Session& session = connection->session();
    if (session.blocked() || session.state().subscription_count() > 0) continue;
    log_.write(LogLevel::kVerbose, "Closing idle client " + session.state().endpoint.address);
    connection->close();
  }
}

// The end ---------------------------------------------------------------------------------------------

void SocketServer::stop(std::string_view reason) {
  log_.write(LogLevel::kWarning, std::string(reason) + ", shutting down");
  flush_dirty();
  close_everything();
}

void SocketServer::close_everything() {
  listeners_.close();
  for (Connection* connection : connections_)
    if (connection != nullptr) connection->close();
  for (void* handle : std::initializer_list<void*>{&before_sleep_, &script_slice_, &deadline_timer_, &second_timer_,
                                                   &terminate_, &interrupt_})
    if (!uv_is_closing(static_cast<uv_handle_t*>(handle))) uv_close(static_cast<uv_handle_t*>(handle), nullptr);
}

}  // namespace lockstep::net
