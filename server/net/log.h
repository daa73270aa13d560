// The server's log, with lines as Redis prints them: `PID:M 30 Nov 2026 20:44:37.123 * text`. To
// standard output, or appended to a file; each line is flushed. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/engine/script_host.h"
#include "server/net/problem.h"

namespace spdlog {
class logger;
}

namespace lockstep::net {

class Log {
 public:
  // Until open() succeeds, nothing is written.
  Log();
  ~Log();

  // `threshold`: debug, verbose, notice, warning or nothing. An empty path means standard output.
  Problem open(std::string_view threshold, const std::string& path);
  void set_threshold(std::string_view threshold);
  void write(LogLevel level, std::string_view text);

 private:
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace lockstep::net
