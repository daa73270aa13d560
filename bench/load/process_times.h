// What a process used of its core and what it was kept from. Read by main.cc around the measured phase, for
// the server and for the generator itself.
#pragma once

#include <sys/types.h>

namespace lockstep::bench {

struct ProcessTimes {
  // User and system time of all threads, from the scheduler's nanosecond count (the process CPU clock of
  // clock_getcpuclockid), not from the 10 ms ticks of /proc/PID/stat.
  double cpu_us = 0;
  // Time in which the main thread could have run but another process had the core (second field of
  // /proc/PID/schedstat; 0 where the kernel does not keep it).
  double waited_us = 0;
};

// Throws std::runtime_error when there is no such process. Pid 0 is this process.
ProcessTimes read_times(pid_t pid);

ProcessTimes operator-(const ProcessTimes& after, const ProcessTimes& before);

}  // namespace lockstep::bench
