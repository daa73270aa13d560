// The driver over TCP, see the header.
#include "tests/transcript/socket_driver.h"

#include <utility>

#include "tests/transcript/conversation.h"
#include "tests/transcript/resp_text.h"
#include "tests/transcript/socket.h"

namespace lockstep::transcript {
namespace {

constexpr int kReplyTimeoutMs = 2'000;
constexpr int kResetAttempts = 2'000;

// Sends the command and returns the bytes of its reply.
std::string exchange(Socket& socket, const std::vector<std::string>& arguments) {
  socket.send(encode_command(arguments));
  for (;;) {
    const Decoded decoded = decode_reply(socket.received());
    if (decoded.state == Decoded::State::complete) {
      std::string bytes(socket.received().substr(0, decoded.size));
      socket.consume(decoded.size);
      return bytes;
    }
    if (decoded.state == Decoded::State::malformed) throw DriverError(decoded.text);
    if (!socket.receive(kReplyTimeoutMs)) throw DriverError("no reply to " + arguments.front());
    if (socket.is_closed() && socket.received().empty()) throw DriverError("closed at " + arguments.front());
  }
}

// The value of "name:value\r\n" in the text of INFO, or nothing.
std::string info_field(const std::string& info, const std::string& name) {
  const std::size_t at = info.find("\n" + name + ":");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return info.substr(begin, info.find('\r', begin) - begin);
}

// The value in the reply of CONFIG GET for one name: the last bulk string.
std::string config_value(const std::string& reply) {
  const std::size_t end = reply.rfind("\r\n");
  const std::size_t begin = reply.rfind("\r\n", end - 1) + 2;
  return reply.substr(begin, end - begin);
}

}  // namespace

SocketDriver::SocketDriver(std::string host, std::string port)
    : host_(std::move(host)),
      port_(std::move(port)),
      administrator_(std::make_unique<Socket>(host_, port_)) {}

SocketDriver::~SocketDriver() {
  try {
    restore_settings();
  } catch (const DriverError&) {
    // The server is gone or broken; whoever started it will see.
  }
}

Target SocketDriver::target() {
  const std::string info = exchange(*administrator_, {"INFO", "server"});
  return {.version = info_field(info, "redis_version"),
          .is_redis = info_field(info, "lockstep_version").empty()};
}

void SocketDriver::reset(const Settings& settings) {
  sockets_.clear();
  wait_until_alone();
  restore_settings();
  expect_ok({"FLUSHALL"});
  expect_ok({"SCRIPT", "FLUSH"});
  for (const auto& [name, value] : settings) {
    settings_before_.emplace_back(name, config_value(administer({"CONFIG", "GET", name})));
    change_setting(name, value);
  }
}

Driver::Session SocketDriver::open() {
  sockets_.push_back(std::make_unique<Socket>(host_, port_));
  return sockets_.size() - 1;
}

void SocketDriver::send(Session session, std::string_view bytes) { sockets_[session]->send(bytes); }

// The server notices in its own time; a barrier makes what follows depend on it.
void SocketDriver::close(Session session) {
  sockets_[session].reset();
  settle();
}

std::string_view SocketDriver::received(Session session) const { return sockets_[session]->received(); }

void SocketDriver::consume(Session session, std::size_t size) { sockets_[session]->consume(size); }

bool SocketDriver::receive(Session session) { return sockets_[session]->receive(kReplyTimeoutMs); }

bool SocketDriver::is_closed(Session session) const { return sockets_[session]->is_closed(); }

// A round trip on another connection shows that the server has read what was sent before it; the
// server may write that round's replies in any order and close connections a turn later, so a
// second and a third round trip show that they are out. A large reply needs us to read in between.
// ECHO without its argument is refused before it runs, so that monitors and slow log do not show it.
void SocketDriver::settle() {
  for (bool came = true; came;) {
    for (int round = 0; round < 3; ++round) administer({"ECHO"});
    came = false;
    for (const auto& socket : sockets_) came |= socket != nullptr && socket->receive(0);
  }
}

void SocketDriver::advance_clock(std::int64_t) { throw DriverError("the clock of a server cannot be moved"); }

std::string SocketDriver::administer(const std::vector<std::string>& arguments) {
  return exchange(*administrator_, arguments);
}

void SocketDriver::expect_ok(const std::vector<std::string>& arguments) {
  const std::string reply = administer(arguments);
  if (reply != "+OK\r\n")
    throw DriverError(arguments.front() + " was answered by " + decode_reply(reply).text);
}

void SocketDriver::restore_settings() {
  for (const auto& [name, value] : settings_before_) change_setting(name, value);
  settings_before_.clear();
}

// One that the server reads at its start must be so already.
void SocketDriver::change_setting(const std::string& name, const std::string& value) {
  if (config_value(administer({"CONFIG", "GET", name})) != value) expect_ok({"CONFIG", "SET", name, value});
}

// Sessions of the scenario before may still be known to the server for a moment.
void SocketDriver::wait_until_alone() {
  for (int attempt = 0; attempt < kResetAttempts; ++attempt) {
    const std::string clients = administer({"CLIENT", "LIST"});
    const std::size_t first = clients.find("id=");
    if (first == std::string::npos || clients.find("\nid=", first) == std::string::npos) return;
  }
  throw DriverError("the server has other clients; transcripts need one of their own");
}

}  // namespace lockstep::transcript
