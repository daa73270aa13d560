#include "server/net/live_settings.h"

#include <string>

#include "server/net/process.h"

namespace lockstep::net {
namespace {

bool differs(const Settings& held, const Settings& wanted, std::string_view option) {
  return held.text(option) != wanted.text(option);
}

std::optional<OptionRefusal> make_room(const Settings& wanted) {
  const int64_t clients = wanted.integer("maxclients");
  const int64_t possible = make_room_for(clients);
  if (possible >= clients) return std::nullopt;
  return OptionRefusal{"maxclients",
                       "The operating system is not able to handle the specified number of clients, try with " +
                           std::to_string(possible)};
}

std::optional<OptionRefusal> change_directory(Settings& wanted) {
  if (const int error = try_directory(std::string(wanted.text("dir"))))
    return OptionRefusal{"dir", error_text(error)};
  const std::string directory = current_directory();
  wanted.set("dir", {&directory, 1});
  return std::nullopt;
}

std::optional<OptionRefusal> listen_anew(const Settings& held, Settings& wanted, Listeners& listeners, Log& log) {
  if (const auto problem = listeners.reopen(held, wanted)) {
    log.write(LogLevel::kWarning, *problem);
    if (differs(held, wanted, "port"))
      return OptionRefusal{"port", "Unable to listen on this port. Check server logs."};
    return OptionRefusal{"bind", "Failed to bind to specified addresses."};
  }
  const std::string port = std::to_string(listeners.tcp_port());
  wanted.set("port", {&port, 1});
  for (const Listener* listener : listeners.all())
    log.write(LogLevel::kNotice, "Accepting connections at " + listener->address);
  return std::nullopt;
}

}  // namespace

std::optional<OptionRefusal> apply_settings(const Settings& held, Settings& wanted, Listeners& listeners, Log& log) {
  if (differs(held, wanted, "maxclients"))
    if (auto refusal = make_room(wanted)) return refusal;
  const bool moved = differs(held, wanted, "dir");
  if (moved)
    if (auto refusal = change_directory(wanted)) return refusal;
  if (differs(held, wanted, "port") || differs(held, wanted, "bind")) {
    if (auto refusal = listen_anew(held, wanted, listeners, log)) {
      if (moved) try_directory(std::string(held.text("dir")));
      return refusal;
    }
  }
  log.set_threshold(wanted.text("loglevel"));
  return std::nullopt;
}

}  // namespace lockstep::net
