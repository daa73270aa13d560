"""Waiting for a lock without polling: the release publishes, waiters subscribe and try again when told.
A waiter also wakes when the holder's TTL is over, since a crashed holder publishes nothing."""

import threading
import uuid

from lockstep_server import eventually
from redis_case import RedisTestCase

RELEASE_AND_TELL = """
if redis.call("get", KEYS[1]) ~= ARGV[1] then
    return 0
end
redis.call("del", KEYS[1])
redis.call("publish", KEYS[2], "released")
return 1
"""


class SignalLock:
    def __init__(self, client, name, ttl_ms):
        self.client = client
        self.key, self.channel = f"lock:{name}", f"lock:{name}:released"
        self.ttl_ms = ttl_ms
        self.token = uuid.uuid4().hex
        self.attempts = 0

    def try_acquire(self):
        self.attempts += 1
        return bool(self.client.set(self.key, self.token, nx=True, px=self.ttl_ms))

    def acquire(self):
        if self.try_acquire():
            return
        with self.client.pubsub() as pubsub:
            pubsub.subscribe(self.channel)
            pubsub.get_message(timeout=20)  # the subscription stands: no release is missed from here on
            while not self.try_acquire():
                remaining_ms = self.client.pttl(self.key)
                pubsub.get_message(timeout=max(remaining_ms, 1) / 1000)

    def release(self):
        return self.client.eval(RELEASE_AND_TELL, 2, self.key, self.channel, self.token) == 1


class SignalLockTest(RedisTestCase):
    def lock(self, ttl_ms=60_000):
        return SignalLock(self.connect(), "sneakers", ttl_ms)

    def listeners(self):
        return dict(self.client.pubsub_numsub(self.lock().channel))[b"lock:sneakers:released"]

    def start(self, work):
        thread = threading.Thread(target=work)
        thread.start()
        self.addCleanup(thread.join, 20)
        return thread

    def test_waiter_wakes_by_the_release(self):
        holder, waiter = self.lock(), self.lock()
        holder.acquire()
        thread = self.start(waiter.acquire)
        eventually(lambda: waiter.attempts == 2 and self.listeners() == 1, "the waiter has subscribed and tried again")
        self.assertTrue(holder.release())
        thread.join(20)
        self.assertEqual(self.client.get(waiter.key).decode(), waiter.token)
        self.assertEqual(waiter.attempts, 3, "before subscribing, after it, and once when told")

    def test_waiter_wakes_when_a_crashed_holder_expires(self):
        self.lock(ttl_ms=200).acquire()
        waiter = self.lock()
        waiter.acquire()
        self.assertEqual(self.client.get(waiter.key).decode(), waiter.token)
        self.assertLess(waiter.attempts, 20, "it waits for the time that is left, it does not poll")

    def test_all_waiters_get_their_turn(self):
        holder, order = self.lock(), []
        holder.acquire()

        def work():
            lock = self.lock()
            lock.acquire()
            order.append(lock.token)
            self.assertTrue(lock.release())

        threads = [self.start(work) for _ in range(5)]
        eventually(lambda: self.listeners() == 5, "five waiters listen")
        self.assertEqual(order, [])
        self.assertTrue(holder.release())
        for thread in threads:
            thread.join(20)
        self.assertEqual(len(set(order)), 5)
        self.assertEqual(self.client.exists(holder.key), 0)

    def test_nobody_is_told_by_a_release_that_did_nothing(self):
        holder, stranger = self.lock(), self.lock()
        holder.acquire()
        pubsub = self.client.pubsub(ignore_subscribe_messages=True)
        self.addCleanup(pubsub.close)
        pubsub.subscribe(holder.channel)
        eventually(lambda: self.listeners() == 1, "we listen")
        self.assertFalse(stranger.release())
        self.assertTrue(holder.release())
        messages = []
        eventually(lambda: messages.append(pubsub.get_message()) or any(messages), "the holder's message")
        self.client.publish(holder.channel, "end")
        eventually(lambda: messages.append(pubsub.get_message()) or messages[-1], "the last message")
        self.assertEqual([m["data"] for m in messages if m], [b"released", b"end"])
