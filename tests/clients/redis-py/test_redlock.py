"""Redlock over five servers: the lock is held when a majority granted it within its validity time. The
algorithm is written out here; servers really stop, and a reply really gets lost."""

import time
import unittest
import uuid

import redis

from lockstep_server import LockstepServer
from redis_case import HOST, ONE_ATTEMPT, RELEASE

NODES, QUORUM = 5, 3
CLOCK_DRIFT = 0.01


class Redlock:
    def __init__(self, nodes, clock_ms=lambda: time.monotonic() * 1000):
        self.nodes = nodes
        self.clock_ms = clock_ms

    def acquire(self, resource, ttl_ms):
        """(token, validity time in ms), or None. Whatever was granted is given back on failure."""
        token, start = uuid.uuid4().hex, self.clock_ms()
        granted = sum(self._set(node, resource, token, ttl_ms) for node in self.nodes)
        drift_ms = ttl_ms * CLOCK_DRIFT + 2
        validity_ms = ttl_ms - (self.clock_ms() - start) - drift_ms
        if granted >= QUORUM and validity_ms > 0:
            return token, validity_ms
        self.release(resource, token)
        return None

    def release(self, resource, token):
        """On all nodes, also on those that did not answer: they may have the key all the same."""
        return sum(self._release(node, resource, token) for node in self.nodes)

    @staticmethod
    def _set(node, resource, token, ttl_ms):
        try:
            return bool(node.set(resource, token, nx=True, px=ttl_ms))
        except (redis.ConnectionError, redis.TimeoutError):
            return False

    @staticmethod
    def _release(node, resource, token):
        try:
            return node.eval(RELEASE, 1, resource, token)
        except (redis.ConnectionError, redis.TimeoutError):
            return 0


class ReplyLost:
    """A node that sets the key, but whose answer does not arrive."""

    def __init__(self, node):
        self.node = node
        self.eval = node.eval

    def set(self, *args, **kwargs):
        self.node.set(*args, **kwargs)
        raise redis.TimeoutError("the reply was lost")


class RedlockTest(unittest.TestCase):
    def setUp(self):
        self.servers = [LockstepServer() for _ in range(NODES)]
        self.nodes = []
        for server in self.servers:
            server.start()
            self.addCleanup(server.stop)
            node = redis.Redis(HOST, server.port, retry=ONE_ATTEMPT)  # a node that is down must fail at once
            self.addCleanup(node.close)
            self.nodes.append(node)
        self.redlock = Redlock(self.nodes)

    def stop(self, *indexes):
        for i in indexes:
            self.servers[i].stop()

    def owners(self, *indexes):
        return [self.nodes[i].get("lock") for i in indexes or range(NODES)]

    def test_all_up(self):
        token, validity_ms = self.redlock.acquire("lock", 30_000)
        self.assertEqual(self.owners(), [token.encode()] * NODES)
        self.assertLessEqual(validity_ms, 30_000 - 302)
        self.assertGreater(validity_ms, 15_000)
        self.assertEqual(self.redlock.release("lock", token), NODES)
        self.assertEqual(self.owners(), [None] * NODES)

    def test_second_client_is_refused_and_leaves_no_trace(self):
        token, _ = self.redlock.acquire("lock", 30_000)
        self.assertIsNone(Redlock(self.nodes).acquire("lock", 30_000))
        self.assertEqual(self.owners(), [token.encode()] * NODES)

    def test_minority_down(self):
        self.stop(0, 3)
        token, _ = self.redlock.acquire("lock", 30_000)
        self.assertEqual(self.owners(1, 2, 4), [token.encode()] * 3)
        self.assertIsNone(Redlock(self.nodes).acquire("lock", 30_000))
        self.assertEqual(self.redlock.release("lock", token), 3)

    def test_majority_down(self):
        self.stop(0, 1, 2)
        self.assertIsNone(self.redlock.acquire("lock", 30_000))
        self.assertEqual(self.owners(3, 4), [None, None], "what was granted is given back")

    def test_split_vote(self):
        """Another client holds three of five: ours gets two, fails, and takes only its own two back."""
        for i in range(3):
            self.nodes[i].set("lock", "other", px=30_000)
        self.assertIsNone(self.redlock.acquire("lock", 30_000))
        self.assertEqual(self.owners(), [b"other"] * 3 + [None] * 2)

    def test_release_reaches_a_node_whose_reply_was_lost(self):
        redlock = Redlock([ReplyLost(self.nodes[0]), *self.nodes[1:]])
        token, _ = redlock.acquire("lock", 30_000)
        self.assertEqual(self.owners(0), [token.encode()], "granted, though the client cannot know")
        redlock.release("lock", token)
        self.assertEqual(self.owners(), [None] * NODES)

    def test_too_slow_a_majority_is_none(self):
        """The clock says that asking five nodes took longer than the lock lives."""
        times_ms = iter([0, 9_900])
        self.assertIsNone(Redlock(self.nodes, clock_ms=lambda: next(times_ms)).acquire("lock", 10_000))
        self.assertEqual(self.owners(), [None] * NODES)
        times_ms = iter([0, 9_000])
        _, validity_ms = Redlock(self.nodes, clock_ms=lambda: next(times_ms)).acquire("lock", 10_000)
        self.assertEqual(validity_ms, 10_000 - 9_000 - 102)
