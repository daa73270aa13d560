// The command line of the load generator. Used by main.cc only.
#pragma once

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace lockstep::bench {

struct Options {
  std::string workload;
  std::uint16_t port = 0;
  pid_t server_pid = 0;  // 0: do not measure the server
  std::size_t depth = 1;
  std::size_t connections = 50;
  std::uint64_t operations = 100'000;
  std::uint32_t keys = 100'000;  // existing keys of `get` and of the random workloads
  double max_seconds = 10;
};

// Throws std::invalid_argument with one clear line.
Options parse_options(int argc, char** argv);

const char* usage();

}  // namespace lockstep::bench
