#include "server/net/listeners.h"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "server/net/address.h"

namespace lockstep::net {
namespace {

// The family does not exist on this machine: what is left of the addresses will do.
bool family_is_missing(int status) {
  return status == UV_EAFNOSUPPORT || status == UV_EPROTONOSUPPORT || status == UV_ENOPROTOOPT;
}

void close_listener(Listener* listener) {
  uv_close(&listener->handle, [](uv_handle_t* handle) { delete static_cast<Listener*>(handle->data); });
}

std::vector<sockaddr_storage> resolve(const std::string& host, int port, int& status) {
  status = 0;
  if (const auto numeric = parse_address(host, port)) return {*numeric};
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  status = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (status != 0) return {};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> freed(found, &freeaddrinfo);
  std::vector<sockaddr_storage> addresses;
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next)
    std::memcpy(&addresses.emplace_back(), info->ai_addr, info->ai_addrlen);
  return addresses;
}

// Where somebody on this machine connects to.
std::string url_of(sockaddr_storage address) {
  auto& v4 = reinterpret_cast<sockaddr_in&>(address);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address);
  if (address.ss_family == AF_INET && v4.sin_addr.s_addr == htonl(INADDR_ANY))
    v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (address.ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr)) v6.sin6_addr = in6addr_loopback;
  return "redis://" + to_text(address);
}

// A socket file that nobody listens on any more is removed: whoever made it was killed.
Problem make_way(const std::string& path) {
  struct stat info{};
  if (lstat(path.c_str(), &info) != 0) return std::nullopt;
  if (!S_ISSOCK(info.st_mode)) return "it exists and is no socket";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int connected = connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const int reason = errno;
  ::close(probe);
  if (connected == 0) return "another server listens there";
  if (reason == ECONNREFUSED) unlink(path.c_str());
  return std::nullopt;
}

// libuv says "permission denied" for folders that are missing, as on Windows.
int honest_status(int status, const std::string& path) {
  struct stat info{};
  const size_t slash = path.rfind('/');
  if (status != UV_EACCES || slash == path.npos) return status;
  return stat(path.substr(0, slash + 1).c_str(), &info) == 0 ? status : uv_translate_sys_error(errno);
}

std::string absolute(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(realpath(path.c_str(), nullptr), &std::free);
  return resolved ? resolved.get() : path;
}

}  // namespace

Problem Listeners::open(const Settings& settings) {
  const int backlog = static_cast<int>(settings.integer("tcp-backlog"));
  const std::string path(settings.text("unixsocket"));
  if (auto problem = open_tcp(settings)) return problem;
  if (!path.empty())
    if (auto problem = open_unix(path, static_cast<int>(settings.integer("unixsocketperm")), backlog))
      return problem;
  if (all_.empty()) return "there is nothing to listen on: no port, no address of bind, no unixsocket";
  return std::nullopt;
}

// The old ones go first: one for all addresses leaves no room for one of them.
Problem Listeners::reopen(const Settings& held, const Settings& wanted) {
  close_tcp();
  auto problem = open_tcp(wanted);
  if (!problem) return std::nullopt;
  if (const auto lost = open_tcp(held)) *problem += "; and the addresses before are gone: " + *lost;
  return problem;
}

void Listeners::close_tcp() {
  std::erase_if(all_, [](Listener* listener) {
    if (!listener->unix_socket) close_listener(listener);
    return !listener->unix_socket;
  });
  tcp_port_ = 0;
}

std::vector<std::string> Listeners::descriptions() const {
  std::vector<std::string> texts;
  std::string addresses;
  for (const Listener* listener : all_)
    if (!listener->unix_socket) addresses += ",bind=" + listener->address.substr(0, listener->address.rfind(':'));
  if (!addresses.empty()) texts.push_back("name=tcp" + addresses + ",port=" + std::to_string(tcp_port_));
  for (const Listener* listener : all_)
    if (listener->unix_socket) texts.push_back("name=unix,bind=" + listener->address);
  return texts;
}

void Listeners::close() {
  for (Listener* listener : all_) close_listener(listener);
  all_.clear();
}

// All addresses share one port. A free one of the first address may be taken at another: try again.
Problem Listeners::open_tcp(const Settings& settings) {
  constexpr int kTries = 20;
  const int port = static_cast<int>(settings.integer("port"));
  const int backlog = static_cast<int>(settings.integer("tcp-backlog"));
  if (port == 0) return std::nullopt;
  for (int tries = 1;; ++tries) {
    const auto failure = open_addresses(settings.text("bind"), port == kAutoPort ? 0 : port, backlog);
    if (!failure) return std::nullopt;
    close_tcp();
    const bool taken = failure->status == UV_EADDRINUSE && port == kAutoPort;
    if (!taken || tries == kTries) return failure->text;
  }
}

std::optional<Listeners::Failure> Listeners::open_addresses(std::string_view addresses, int port, int backlog) {
  while (!addresses.empty()) {
    const size_t end = std::min(addresses.find(' '), addresses.size());
    std::string host(addresses.substr(0, end));
    addresses.remove_prefix(std::min(end + 1, addresses.size()));
    const bool optional = host.starts_with('-');
    if (optional) host.erase(0, 1);
    const auto failure = open_address(host, tcp_port_ != 0 ? tcp_port_ : port, backlog);
    if (failure && !(optional && failure->status == UV_EADDRNOTAVAIL)) return failure;
  }
  return std::nullopt;
}

std::optional<Listeners::Failure> Listeners::open_address(const std::string& host, int port, int backlog) {
  int status = 0;
  const std::vector<sockaddr_storage> addresses = resolve(host, port, status);
  if (status != 0)
    return Failure{UV_EADDRNOTAVAIL, "cannot listen on '" + host + "': " + gai_strerror(status)};
  for (const sockaddr_storage& address : addresses) {
    status = listen_on(address, backlog);
    if (status == 0 || family_is_missing(status)) continue;
    return Failure{status, "cannot listen on " + to_text(address) + ": " + uv_strerror(status)};
  }
  return std::nullopt;
}

int Listeners::listen_on(const sockaddr_storage& address, int backlog) {
  auto* listener = new Listener;
  listener->unix_socket = false;
  uv_tcp_init(&loop_, &listener->tcp);
  listener->handle.data = listener;
  const unsigned flags = address.ss_family == AF_INET6 ? UV_TCP_IPV6ONLY : 0;
  int status = uv_tcp_bind(&listener->tcp, reinterpret_cast<const sockaddr*>(&address), flags);
  if (status == 0) status = listen(*listener, backlog);
  sockaddr_storage bound{};
  int size = sizeof(bound);
  if (status == 0) status = uv_tcp_getsockname(&listener->tcp, reinterpret_cast<sockaddr*>(&bound), &size);
  if (status != 0) {
    close_listener(listener);
    return status;
  }
  listener->address = to_text(bound);
  listener->url = url_of(bound);
  tcp_port_ = port_of(bound);
  all_.push_back(listener);
  return 0;
}

Problem Listeners::open_unix(const std::string& path, int permissions, int backlog) {
  const std::string failed = "cannot listen on unix socket '" + path + "': ";
  if (path.size() >= sizeof(sockaddr_un::sun_path))
    return failed + "its path is longer than " + std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes";
  if (auto problem = make_way(path)) return failed + *problem;
  auto* listener = new Listener;
  listener->unix_socket = true;
  uv_pipe_init(&loop_, &listener->pipe, 0);
  listener->handle.data = listener;
  int status = uv_pipe_bind(&listener->pipe, path.c_str());
  // Before anybody can connect.
  if (status == 0 && permissions != 0 && chmod(path.c_str(), static_cast<mode_t>(permissions)) != 0)
    status = uv_translate_sys_error(errno);
  if (status == 0) status = listen(*listener, backlog);
  if (status != 0) {
    close_listener(listener);
    return failed + uv_strerror(honest_status(status, path));
  }
  listener->address = path;
  listener->url = "unix://" + absolute(path);
  all_.push_back(listener);
  return std::nullopt;
}

int Listeners::listen(Listener& listener, int backlog) {
  listener.arrival = &arrival_;
  return uv_listen(&listener.stream, backlog, [](uv_stream_t* stream, int status) {
    auto& waited_on = *static_cast<Listener*>(stream->data);
    if (status == 0) (*waited_on.arrival)(waited_on);
  });
}

}  // namespace lockstep::net
