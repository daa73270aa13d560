"""From exec to the first PONG: wall time and CPU. `start` is what a test suite pays for each server."""

import os
import statistics
import struct
import tempfile
import time

from comparison.process import cpu_ns, waited_ns
from comparison.rounds import Case, Metric
from comparison.servers import Server

NAMES = ("start",)
STARTS = 5  # of which the median is one run
METRICS = (Metric("wall_ms", "exec to PONG, wall", "ms", False, 2),
           Metric("cpu_ms", "exec to PONG, CPU", "ms", False, 2))


def start_once(program, core, directory):
    """Times are counted from the exec: what this process does in the child before it is not the server's."""
    reader, writer = os.pipe()
    server = Server(program, core, directory, before_exec=lambda: os.write(
        writer, struct.pack("qqq", time.monotonic_ns(), time.process_time_ns(), waited_ns("self"))))
    try:
        server.wait_ready()
        ready_ns = time.monotonic_ns()
        cpu_at_ready_ns, waited_at_ready_ns = cpu_ns(server.pid), waited_ns(server.pid)
    finally:
        server.stop()
        os.close(writer)
    exec_ns, cpu_before_ns, waited_before_ns = struct.unpack("qqq", os.read(reader, 24))
    os.close(reader)
    wall_ns = ready_ns - exec_ns
    return {"wall_ms": wall_ns / 1e6, "cpu_ms": (cpu_at_ready_ns - cpu_before_ns) / 1e6,
            "server_waited": (waited_at_ready_ns - waited_before_ns) / wall_ns}


def measure(program, core):
    with tempfile.TemporaryDirectory(prefix="lockstep-bench-") as directory:
        starts = [start_once(program, core, directory) for _ in range(STARTS)]
    return {"load_waited": 0, **{key: statistics.median(start[key] for start in starts) for key in starts[0]}}


def cases(names, options):
    for name in names:
        yield Case("figure", name, {}, METRICS, options.figure_rounds,
                   lambda program: measure(program, options.server_core))
