"""The two figures of expiry as rows; how they are measured is in expiry_delay.py and expiry_stall.py."""

from comparison.figures import expiry_delay, expiry_stall
from comparison.rounds import Case, Metric

NAMES = ("expiry-delay", "expiry-stall")
# Keys that expire, and other keys that have a TTL and do not.
DELAYS = ((1_000, 0), (100_000, 0), (1_000, 1_000_000))
QUICK_DELAYS = ((1_000, 0), (1_000, 200_000))
STALL_KEYS = 1_000_000
QUICK_STALL_KEYS = 200_000

DELAY_METRICS = (Metric("p50_ms", "deadline to event, p50", "ms", False, 2),
                 Metric("p99_ms", "deadline to event, p99", "ms", False, 2))
STALL_METRICS = (Metric("longest_ms", "longest PING", "ms", False, 2),
                 Metric("gone_s", "first deadline to empty", "s", False, 2))


def delay_case(keys, others, options):
    spans = expiry_delay.QUICK if options.quick else expiry_delay.FULL
    return Case("figure", "expiry-delay", {"keys": keys, "other keys": others}, DELAY_METRICS, options.figure_rounds,
                lambda program: expiry_delay.measure(program, options.server_core, keys, others, spans),
                lambda medians: expiry_delay.remark(medians, keys, spans))


def stall_case(keys, options):
    return Case("figure", "expiry-stall", {"keys": keys}, STALL_METRICS, options.figure_rounds,
                lambda program: expiry_stall.measure(program, options.server_core, keys))


def cases(names, options):
    if "expiry-delay" in names:
        yield from (delay_case(*case, options) for case in (QUICK_DELAYS if options.quick else DELAYS))
    if "expiry-stall" in names:
        yield stall_case(QUICK_STALL_KEYS if options.quick else STALL_KEYS, options)
