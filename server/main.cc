// The composition root: reads the settings, builds the parts, and connects them. Nothing below it builds
// a part of its own or knows all of them.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "scripting/script_engine.h"
#include "server/commands/families.h"
#include "server/engine/engine.h"
#include "server/net/config.h"
#include "server/net/log.h"
#include "server/net/process.h"
#include "server/net/socket_server.h"
#include "server/net/wall_clock.h"

namespace lockstep {
namespace {

using net::Problem;

constexpr const char* kHelp =
    "Usage: lockstep [file] [--option value ...] [-]\n"
    "\n"
    "  lockstep                        serve on port 6379\n"
    "  lockstep --port 7000            on another port; 'auto' takes a free one\n"
    "  lockstep --port 0 --unixsocket /run/lockstep.sock\n"
    "  lockstep lockstep.conf          with the options of a file\n"
    "  lockstep - <lockstep.conf       with those of standard input\n"
    "  lockstep --version, -v          what version this is\n"
    "\n"
    "The options are those of Redis; conf/lockstep.conf explains each of them.\n";

int fail(const std::string& problem) {
  std::fprintf(stderr, "lockstep: %s\n", problem.c_str());
  return 1;
}

// In the form of Redis' line, since tools read it: v= is the version of Redis that clients see.
int print_version() {
  std::printf("Lockstep server v=%s lockstep=%s bits=%zu\n", std::string(Settings().text("redis-version")).c_str(),
              LOCKSTEP_VERSION, sizeof(void*) * 8);
  return 0;
}

int print_help() {
  std::fputs(kHelp, stdout);
  return 0;
}

void fit_clients(Settings& settings, net::Log& log) {
  const int64_t wanted = settings.integer("maxclients");
  const int64_t possible = net::make_room_for(wanted);
  if (possible == wanted) return;
  const std::vector<std::string> words = {std::to_string(std::max(possible, int64_t{1}))};
  settings.set("maxclients", words);
  log.write(LogLevel::kWarning, "maxclients is lowered from " + std::to_string(wanted) + " to " + words[0] +
                                    ", since the process may not open more files ('ulimit -n')");
}

EngineConfig engine_config(net::Configuration& configuration, const net::SystemClock& clock, net::Log& log) {
  EngineConfig config;
  config.seed = net::random_seed();
  config.start = clock.now();
  config.wall_offset_ms = clock.wall_offset_ms();
  config.settings = std::move(configuration.settings);
  config.process.executable = net::executable_path();
  config.process.config_file = std::move(configuration.file);
  config.process.os = net::operating_system();
  config.process.process_id = getpid();
  config.process.clock = net::SystemClock::kStopwatchName;
  config.process.use = net::process_use;
  config.process.release_memory = net::release_memory;
  config.stopwatch_us = net::SystemClock::stopwatch_us;
  config.log = [&log](LogLevel level, std::string_view text) { log.write(level, text); };
  return config;
}

Problem open_log(const net::Configuration& configuration, net::Log& log) {
  const Settings& settings = configuration.settings;
  if (auto problem = log.open(settings.text("loglevel"), std::string(settings.text("logfile")))) return problem;
  log.write(LogLevel::kWarning, "Lockstep version=" LOCKSTEP_VERSION ", speaking as Redis " +
                                    std::string(settings.text("redis-version")) +
                                    ", pid=" + std::to_string(getpid()) + ", just started");
  for (const std::string& warning : configuration.warnings) log.write(LogLevel::kWarning, warning);
  return std::nullopt;
}

// As the configuration names them: errors tell where it does.
Problem rename_commands(const net::Configuration& configuration, CommandTable& commands) {
  for (const net::CommandRename& rename : configuration.renames) {
    const std::string_view fault = commands.rename(rename.from, rename.to);
    if (!fault.empty())
      return rename.place + ": option 'rename-command': " + std::string(fault) + ": '" + rename.from + "'";
  }
  return std::nullopt;
}

int serve(std::span<const std::string> arguments) {
  net::Configuration configuration;
  if (auto problem = net::read_configuration(arguments, stdin, configuration)) return fail(*problem);
  CommandTable commands(server_families());
  if (auto problem = rename_commands(configuration, commands)) return fail(*problem);
  Settings& settings = configuration.settings;
  if (auto problem = net::enter_directory(std::string(settings.text("dir")))) return fail(*problem);
  const std::string directory = net::current_directory();
  settings.set("dir", {&directory, 1});
  net::Log log;
  if (auto problem = open_log(configuration, log)) return fail(*problem);
  net::ignore_hangups();
  fit_clients(settings, log);

  net::SystemClock clock;
  EngineConfig config = engine_config(configuration, clock, log);
  auto scripts =
      make_lua_host({.seed = config.seed, .redis_version = std::string(config.settings.text("redis-version"))});
  Engine engine(std::move(config), commands, std::move(scripts));
  net::SocketServer server(engine, clock, log);
  if (auto problem = server.listen()) return fail(*problem);
  net::PidFile pid_file;
  if (auto problem = pid_file.write(std::string(engine.settings().text("pidfile"))))
    log.write(LogLevel::kWarning, *problem);  // as Redis, which goes on without one

  server.announce();
  server.run();
  pid_file.remove();
  log.write(LogLevel::kWarning, "Lockstep is now ready to exit, bye bye...");
#ifndef LOCKSTEP_CHECKED
  // The system frees ten million locks faster than their destructors do; leak checkers want these to run.
  std::exit(0);
#endif
  return 0;
}

int run(std::span<const std::string> arguments) {
  const std::string first = arguments.empty() ? "" : arguments[0];
  if (first == "--version" || first == "-v") return print_version();
  if (first == "--help" || first == "-h") return print_help();
  return serve(arguments);
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  lockstep::net::fill_standard_streams();
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  return lockstep::run(arguments);
}
