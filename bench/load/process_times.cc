#include "bench/load/process_times.h"

#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>

namespace lockstep::bench {

ProcessTimes read_times(pid_t pid) {
  ProcessTimes times;
  clockid_t clock{};
  timespec cpu{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &cpu) != 0) {
    throw std::runtime_error("no process " + std::to_string(pid));
  }
  times.cpu_us = static_cast<double>(cpu.tv_sec) * 1e6 + static_cast<double>(cpu.tv_nsec) / 1e3;

  std::ifstream schedstat("/proc/" + (pid == 0 ? "self" : std::to_string(pid)) + "/schedstat");
  double ran_ns = 0;
  double waited_ns = 0;
  if (schedstat >> ran_ns >> waited_ns) times.waited_us = waited_ns / 1e3;
  return times;
}

ProcessTimes operator-(const ProcessTimes& after, const ProcessTimes& before) {
  return {after.cpu_us - before.cpu_us, after.waited_us - before.waited_us};
}

}  // namespace lockstep::bench
