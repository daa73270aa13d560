"""From the command line to the exit status: checks what is needed, measures what was chosen, writes reports."""

import contextlib
import datetime
import json
import os
import pathlib
import platform
import re
import resource
import signal
import sys

from comparison import figures, markdown, report, servers, workloads
from comparison.errors import BenchError
from comparison.options import parse
from comparison.rounds import rows_of

LOAD_REMEDY = ("`cmake --preset bench && cmake --build --preset bench --target loadgen` builds it, "
               "--load names another one")
LOCKSTEP_REMEDY = "`cmake --preset release && cmake --build --preset release` builds it, --lockstep names another one"


def chosen_programs(options):
    """Every server, the baseline first."""
    redis = servers.require_program(options.redis, "redis-server",
                                    "install Debian's redis-server or name one with --redis")
    if options.calibrate:
        return [servers.redis_like("redis", redis), servers.redis_like("redis-again", redis)]
    lockstep = servers.require_program(options.lockstep, "Lockstep", LOCKSTEP_REMEDY)
    programs = [servers.redis_like("redis", redis), servers.lockstep("lockstep", lockstep)]
    for path in options.other:
        path = servers.require_program(path, "server", "--other takes the path of a Redis-compatible server")
        programs.append(servers.redis_like(os.path.basename(path), path))
    if len({program.name for program in programs}) < len(programs):
        raise BenchError("two servers have the same name")
    return programs


def machine():
    model = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return {"cpu": model.group(1) if model else platform.machine(), "cores": os.cpu_count(),
            "system": platform.freedesktop_os_release().get("PRETTY_NAME", "unknown system"),
            "kernel": platform.release(), "load_average": os.getloadavg()}


def settle_on_cores(options):
    """The servers get a core, all that loads them the other, this process included."""
    cores = os.sched_getaffinity(0)
    if not {options.server_core, options.load_core} <= cores or options.server_core == options.load_core:
        raise BenchError(f"--server-core and --load-core must be two different ones of {sorted(cores)}")
    os.sched_setaffinity(0, {options.load_core})


def allow_many_files():
    """For this process and the servers that it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def measure_workloads(programs, options):
    """Rows, as they come. All servers are up together, one at a time has work."""
    with contextlib.ExitStack() as stack:
        up = [stack.enter_context(servers.running(program, options.server_core)) for program in programs]
        workloads.warm_up(up, options)
        for case in workloads.cases(options.workload, options):
            yield from rows_of(case, up)


def measure_figures(programs, options):
    for case in figures.cases(options.figure, options):
        yield from rows_of(case, programs)


def measure(programs, options):
    baseline, rows = programs[0].name, []
    report.print_head(baseline)
    parts = [measure_workloads] if options.workload else []
    parts += [measure_figures] if options.figure else []
    for part in parts:
        for row in part(programs, options):
            rows.append(row)
            report.print_row(row, baseline)
    return rows


def write_reports(results, options):
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    if options.markdown:
        pathlib.Path(options.markdown).write_text(markdown.render(results))


def compare(options):
    if options.workload:
        options.load = servers.require_program(options.load, "load generator", LOAD_REMEDY)
    programs = chosen_programs(options)
    settle_on_cores(options)
    allow_many_files()
    results = {"quick": options.quick, "date": datetime.date.today().isoformat(), "machine": machine(),
               "versions": {program.name: program.version() for program in programs},
               "rounds": options.rounds, "figure_rounds": options.figure_rounds, "baseline": programs[0].name}
    results["rows"] = measure(programs, options)
    write_reports(results, options)
    if options.check is None:
        return 0
    return report.verdict([row for row in results["rows"] if row["server"] == programs[1].name], options.check)


def end_by_signal(number, frame):
    sys.exit(128 + number)  # unwinds, so that the servers end too


def main(arguments):
    signal.signal(signal.SIGTERM, end_by_signal)
    try:
        return compare(parse(arguments))
    except (BenchError, OSError) as error:  # OSError: too few open files allowed, a server that hangs up
        print(f"compare: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
