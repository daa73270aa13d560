"""Runs loadgen once against a running server and reads its line. Used by workloads.py for every row of it."""

import json
import os
import subprocess

from comparison.errors import BenchError

RUN_SECONDS = 120


def generate(server, options, workload, depth, connections, operations):
    """One run on an empty server."""
    server.flush()
    command = [options.load, "--workload", workload, "--depth", str(depth), "--operations", str(operations),
               "--connections", str(connections), "--port", str(server.port), "--server-pid", str(server.pid)]
    what = f"{server.name}: {workload} at depth {depth} with {connections} connections"
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=RUN_SECONDS,
                             preexec_fn=lambda: os.sched_setaffinity(0, {options.load_core}))
    except subprocess.TimeoutExpired:
        raise BenchError(f"{what} was not done after {RUN_SECONDS} s") from None
    if run.returncode != 0:
        raise BenchError(f"{what} failed: {run.stdout}{run.stderr}\nlast lines of its log:\n{server.log()}")
    return json.loads(run.stdout)
