"""Resident memory: of an idle server, for each lock, for each connection."""

import contextlib
import socket
import time

from comparison.errors import BenchError
from comparison.figures.locks import hold
from comparison.process import open_files, rss_bytes
from comparison.rounds import Case, Metric
from comparison.servers import running

NAMES = ("idle-rss", "lock-rss", "connection-rss")
IDLE_SECONDS = 1
LOCKS = 1_000_000
QUICK_LOCKS = 200_000
LOCK_TTL_MS = 600_000  # none expires meanwhile
CONNECTIONS = 10_000
CONNECTIONS_TO_SPARE = 100
ACCEPT_SECONDS = 10
UNDISTURBED = {"server_waited": 0, "load_waited": 0}  # who has the core changes no size

IDLE_METRICS = (Metric("rss_kb", "RSS", "kB", False, 0),)
LOCK_METRICS = (Metric("lock_bytes", "RSS for each", "B", False, 1),)
CONNECTION_METRICS = (Metric("new_bytes", "RSS for each, new", "B", False, 0),
                      Metric("pinged_bytes", "RSS for each, after a PING", "B", False, 0))


def idle(program, core):
    with running(program, core) as server:
        time.sleep(IDLE_SECONDS)
        return {"rss_kb": rss_bytes(server.pid) / 1024, **UNDISTURBED}


def per_lock(program, core, locks):
    with running(program, core) as server, server.client() as client:
        before = rss_bytes(server.pid)
        hold(client, range(locks), b"PX", lambda _: LOCK_TTL_MS)
        held = client.command("DBSIZE")
        if held != locks:
            raise BenchError(f"{server.name} holds {held} of {locks} locks")
        return {"lock_bytes": (rss_bytes(server.pid) - before) / locks, **UNDISTURBED}


def settled_files(server, client):
    """Open files of the server when it has closed the connections that are gone: at the latest in the turn of its
    loop in which it answers the first PING, so before it answers the second."""
    for _ in range(2):
        client.command("PING")
    return open_files(server.pid)


def wait_accepted(server, files):
    """A connection is the client's before the server has taken it."""
    deadline = time.monotonic() + ACCEPT_SECONDS
    while open_files(server.pid) < files:
        if time.monotonic() > deadline:
            raise BenchError(f"{server.name} has not accepted all connections after {ACCEPT_SECONDS} s")
        time.sleep(0.02)


def ping(connection, name):
    connection.sendall(b"PING\r\n")
    reply = connection.recv(64)
    if reply != b"+PONG\r\n":
        raise BenchError(f"{name} answered PING with {reply!r}")


def per_connection(program, core, count):
    limit = ("--maxclients", str(count + CONNECTIONS_TO_SPARE))
    with running(program, core, limit) as server, server.client() as client, contextlib.ExitStack() as stack:
        files, before = settled_files(server, client), rss_bytes(server.pid)
        connections = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port), ACCEPT_SECONDS))
                       for _ in range(count)]
        wait_accepted(server, files + count)
        new = rss_bytes(server.pid)
        for connection in connections:
            ping(connection, server.name)
        return {"new_bytes": (new - before) / count, "pinged_bytes": (rss_bytes(server.pid) - before) / count,
                **UNDISTURBED}


def cases(names, options):
    core, locks = options.server_core, QUICK_LOCKS if options.quick else LOCKS
    known = {
        "idle-rss": ({}, IDLE_METRICS, lambda program: idle(program, core)),
        "lock-rss": ({"locks": locks}, LOCK_METRICS, lambda program: per_lock(program, core, locks)),
        "connection-rss": ({"connections": CONNECTIONS}, CONNECTION_METRICS,
                           lambda program: per_connection(program, core, CONNECTIONS)),
    }
    for name in names:
        labels, metrics, measure = known[name]
        yield Case("figure", name, labels, metrics, options.figure_rounds, measure)
