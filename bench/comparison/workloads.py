"""The workloads: how many operations at which depth over how many connections. What is sent and what must come
back is loadgen's matter."""

from comparison.generator import generate
from comparison.rounds import Case, Metric

DEPTHS = (1, 16, 100)
SHAPES = ((1, 1), (1, 50), (16, 50), (100, 50))  # depth, connections
# About half a second on redis-server for a plain SET. Most operations are about a lock of their own, so the
# counts are also the memory that a run takes.
OPERATIONS = {1: 100_000, 16: 400_000, 100: 500_000}
FEW_CONNECTIONS = 10
FEW_CONNECTIONS_SHARE = 10  # they wait for each other most of the time
QUICK_SHARE = 4
# By how much a workload's count differs.
THROUGHPUT = {"set": 1, "set-random": 1, "get": 1.5, "get-random": 1.5, "del": 1, "eval-release": 0.5,
              "evalsha-release": 0.5, "cycle": 0.5, "hash-cycle": 0.25, "multi": 0.5, "publish": 1.5,
              "publish-subscribed": 1.5}
# Waiters, and hand-overs from client to client in one run.
HANDOVERS = {"blpop-handover": {1: 4_000, 50: 4_000}, "contended-lock": {2: 4_000, 50: 1_000}}
NAMES = (*THROUGHPUT, *HANDOVERS)

THROUGHPUT_METRICS = (
    Metric("ops_per_second", "operations", "/s", True, 0),
    Metric("server_cpu_us_per_op", "server CPU", "us/op", False, 2))
HANDOVER_METRICS = (
    Metric("batch_p50_us", "p50", "us", False, 1),
    Metric("batch_p99_us", "p99", "us", False, 1))


def operation_count(name, depth, connections, quick):
    count = OPERATIONS[depth] * THROUGHPUT[name]
    count /= FEW_CONNECTIONS_SHARE if connections < FEW_CONNECTIONS else 1
    return int(count / (QUICK_SHARE if quick else 1))


def shapes(options):
    """(depth, connections) of the rows that were asked for."""
    if options.connections:
        return [(depth, connections) for depth in options.depth or DEPTHS for connections in options.connections]
    return [shape for shape in SHAPES if not options.depth or shape[0] in options.depth]


def throughput_case(name, depth, connections, options):
    operations = operation_count(name, depth, connections, options.quick)
    return Case("throughput", name, {"depth": depth, "connections": connections}, THROUGHPUT_METRICS, options.rounds,
                lambda server: generate(server, options, name, depth, connections, operations))


def handover_case(name, waiters, options):
    handovers = HANDOVERS[name][waiters] // (QUICK_SHARE if options.quick else 1)
    return Case("handover", name, {"waiters": waiters}, HANDOVER_METRICS, options.rounds,
                lambda server: generate(server, options, name, 1, waiters, handovers))


def cases(names, options):
    for name in names:
        if name in THROUGHPUT:
            yield from (throughput_case(name, *shape, options) for shape in shapes(options))
        else:
            yield from (handover_case(name, waiters, options) for waiters in HANDOVERS[name])


def warm_up(servers, options):
    """Fresh memory and cold code count for nobody."""
    for server in servers:
        generate(server, options, "cycle", 100, 50, OPERATIONS[100] // QUICK_SHARE)
