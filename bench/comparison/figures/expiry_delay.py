"""From a key's deadline to its `expired` event at a subscriber. Keys are set with absolute times (PXAT), so that
their deadlines are known to the client; each event must name a key that was due, once."""

import dataclasses
import random
import socket
import time

from comparison.errors import BenchError, NotSupported
from comparison.figures.locks import hold, key
from comparison.process import Watch
from comparison.servers import running

EVENTS_ON = ("--notify-keyspace-events", "Ex")
CHANNEL = b"__keyevent@0__:expired"
MESSAGE_HEAD = b"*3\r\n$7\r\nmessage\r\n$22\r\n" + CHANNEL + b"\r\n$13\r\n"  # then a key of 13 bytes
MESSAGE_SIZE = len(MESSAGE_HEAD) + 15
PROBE_SECONDS = 5
LEAD_SECONDS = 2  # to set the keys before the first is due
OTHERS_TTL_MS = 600_000
EARLY_MS = 5  # by which the clocks of two processes may differ


@dataclasses.dataclass(frozen=True)
class Spans:
    deadlines_s: int  # over which the deadlines are spread
    patience_s: int  # after the last of them


FULL = Spans(10, 15)
QUICK = Spans(3, 5)


def subscribe(subscriber, name):
    reply = subscriber.command("SUBSCRIBE", CHANNEL)
    if reply != [b"subscribe", CHANNEL, 1]:
        raise BenchError(f"{name} answered SUBSCRIBE with {reply}")


def require_events(client, subscriber, name, probe):
    """One lock that expires at once, to see whether the server has such events at all."""
    hold(client, [probe], b"PX", lambda _: 1)
    if not listen(subscriber.socket, {key(probe): 0}, (time.time() + PROBE_SECONDS) * 1000):
        raise NotSupported(f"not supported by {name}: no event of an expired key within {PROBE_SECONDS} s")


def spread_deadlines(keys, spans):
    """Key -> wall clock in ms, evenly over the span, in no order."""
    first_ms = int((time.time() + LEAD_SECONDS) * 1000)
    places = random.Random(1).sample(range(keys), keys)
    return {key(i): first_ms + place * spans.deadlines_s * 1000 // keys for i, place in enumerate(places)}


def take_events(data, now_ms, pending, delays):
    """Takes whole messages off `data` and gives what is left."""
    whole = len(data) - len(data) % MESSAGE_SIZE
    for at in range(0, whole, MESSAGE_SIZE):
        message = data[at:at + MESSAGE_SIZE]
        name = message[len(MESSAGE_HEAD):-2]
        deadline = pending.pop(name, None)
        if not message.startswith(MESSAGE_HEAD) or deadline is None or now_ms < deadline - EARLY_MS:
            raise BenchError(f"not an event that was due: {message!r}")
        delays.append(now_ms - deadline)
    return data[whole:]


def listen(subscriber, pending, end_ms):
    """Delays of the events that come by end_ms; `pending` keeps the keys whose event has not come."""
    delays, data = [], b""
    while pending and (rest_ms := end_ms - time.time() * 1000) > 0:
        subscriber.settimeout(rest_ms / 1000)
        try:
            received = subscriber.recv(1 << 16)
        except socket.timeout:
            break
        if not received:
            raise BenchError("the server closed the subscriber's connection")
        data = take_events(data + received, time.time() * 1000, pending, delays)
    return delays


def percentile(values, share):
    return sorted(values)[int(share * (len(values) - 1))]


def measure(program, core, keys, others, spans):
    with running(program, core, EVENTS_ON) as server, server.client() as client, server.client() as subscriber:
        subscribe(subscriber, server.name)
        require_events(client, subscriber, server.name, keys + others)
        hold(client, range(keys, keys + others), b"PX", lambda _: OTHERS_TTL_MS)
        pending = spread_deadlines(keys, spans)
        first_ms, last_ms = min(pending.values()), max(pending.values())
        hold(client, range(keys), b"PXAT", lambda i: pending[key(i)])
        if time.time() * 1000 > first_ms:
            raise BenchError(f"{server.name}: setting {keys} keys took longer than {LEAD_SECONDS} s")
        watch = Watch(server.pid)
        end_ms = last_ms + spans.patience_s * 1000
        delays = listen(subscriber.socket, pending, end_ms)
        shares = watch.shares()
    # What has not come counts as coming now: a bound from below.
    delays += [end_ms - deadline for deadline in pending.values()]
    return {"p50_ms": percentile(delays, 0.5), "p99_ms": percentile(delays, 0.99), "missing": len(pending), **shares}


def remark(medians, keys, spans):
    missing = medians["missing"]
    return missing and f"{missing:,.0f} of {keys:,} events had not come {spans.patience_s} s after the last deadline"
