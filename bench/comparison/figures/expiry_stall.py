"""How long a PING waits while very many locks expire within one second, and when all are gone."""

import gc
import time

from comparison.errors import BenchError
from comparison.figures.locks import hold
from comparison.process import Watch
from comparison.servers import running

KEYS_PER_SECOND = 100_000  # that can be set in time even on a slow machine
SPARE_SECONDS = 2
BEFORE_SECONDS = 0.2  # the first deadline, when the PINGs begin
PATIENCE_SECONDS = 60
COUNT_SECONDS = 0.1  # between two looks at how many are left
STRIDE = 617  # neighbours in memory are not due one after the other


def hold_until_one_second(client, keys, name):
    """Sets the keys, and gives the first deadline in seconds of the wall clock."""
    first_ms = int((time.time() + SPARE_SECONDS + keys / KEYS_PER_SECOND) * 1000)
    hold(client, range(keys), b"PXAT", lambda i: first_ms + i * STRIDE % 1000)
    if time.time() > first_ms / 1000 - BEFORE_SECONDS:
        raise BenchError(f"{name}: setting {keys} keys took longer than {keys / KEYS_PER_SECOND:.0f} s")
    if client.command("DBSIZE") != keys:
        raise BenchError(f"{name} does not hold {keys} keys")
    return first_ms / 1000


def ping_until_empty(pinger, counter, first_s, name):
    """(longest PING in seconds, wall clock when nothing was left)"""
    longest_s, count_at = 0, first_s
    while (now := time.time()) < first_s + PATIENCE_SECONDS:
        if now >= count_at:
            if counter.command("DBSIZE") == 0:
                return longest_s, now
            count_at = now + COUNT_SECONDS
        sent_s = time.perf_counter()
        reply = pinger.command("PING")
        longest_s = max(longest_s, time.perf_counter() - sent_s)
        if reply != "PONG":
            raise BenchError(f"{name} answered PING with {reply!r}")
    raise BenchError(f"{name} still has keys {PATIENCE_SECONDS} s after the first deadline")


def measure(program, core, keys):
    with running(program, core) as server, server.client() as pinger, server.client() as counter:
        first_s = hold_until_one_second(pinger, keys, server.name)
        time.sleep(max(0, first_s - BEFORE_SECONDS - time.time()))
        gc.disable()
        watch = Watch(server.pid)
        try:
            longest_s, empty_s = ping_until_empty(pinger, counter, first_s, server.name)
        finally:
            gc.enable()
        return {"longest_ms": longest_s * 1000, "gone_s": empty_s - first_s, **watch.shares()}
