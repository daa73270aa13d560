"""What the kernel says about a process: CPU, memory, time in which it was kept from its core. Used for servers
and for this process itself; it starts and ends nothing."""

import pathlib
import time

_PROCESS_CLOCK = 2  # CPUCLOCK_SCHED, in the clock ids that Linux makes of process ids


def cpu_ns(pid):
    """User and system time of all threads, as clock_getcpuclockid has it."""
    return time.clock_gettime_ns((~pid << 3) | _PROCESS_CLOCK)


def waited_ns(pid):
    """Time in which it could have run but somebody else had the core."""
    return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[1])


def rss_bytes(pid):
    """Counted page by page; VmRSS of /proc/PID/status may be off by some hundred kilobytes."""
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Rss:"):
            return int(line.split()[1]) * 1024
    raise OSError(f"no Rss in /proc/{pid}/smaps_rollup")


def open_files(pid):
    return sum(1 for _ in pathlib.Path(f"/proc/{pid}/fd").iterdir())


class Watch:
    """How much of a span the server and this process were kept from their cores."""

    def __init__(self, server_pid):
        self._pids = {"server_waited": server_pid, "load_waited": "self"}
        self._started_ns = time.monotonic_ns()
        self._before = self._waited()

    def _waited(self):
        return {key: waited_ns(pid) for key, pid in self._pids.items()}

    def shares(self):
        span_ns = time.monotonic_ns() - self._started_ns
        return {key: (waited - self._before[key]) / span_ns for key, waited in self._waited().items()}
