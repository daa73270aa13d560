"""redis.lock.Lock, the lock that redis-py itself brings: blocking, extend, reacquire, ownership."""

import threading

from redis.exceptions import LockError, LockNotOwnedError

from lockstep_server import eventually
from redis_case import RedisTestCase


class RedisLock(RedisTestCase):
    def test_acquire_and_release(self):
        lock = self.client.lock("lock", timeout=30)
        self.assertIs(lock.acquire(blocking=False), True)
        self.assertTrue(lock.locked() and lock.owned())
        self.assertIn(self.client.pttl("lock"), range(20_000, 30_001))
        lock.release()
        self.assertFalse(lock.locked())

    def test_without_timeout_it_stays(self):
        self.client.lock("lock").acquire()
        self.assertEqual(self.client.ttl("lock"), -1)

    def test_second_owner_is_refused(self):
        with self.client.lock("lock", timeout=30):
            other = self.connect().lock("lock", timeout=30)
            self.assertIs(other.acquire(blocking=False), False)
            self.assertIs(other.acquire(blocking_timeout=0.05, sleep=0.01), False)
            self.assertFalse(other.owned())
            with self.assertRaises(LockError):
                with self.connect().lock("lock", blocking_timeout=0.02, sleep=0.01):
                    self.fail("two owners")

    def test_blocking_acquire_gets_the_released_lock(self):
        lock = self.client.lock("lock", timeout=30)
        lock.acquire()
        other = self.connect().lock("lock", timeout=30, sleep=0.01, thread_local=False)
        waiter = threading.Thread(target=other.acquire)
        waiter.start()
        self.assertTrue(lock.owned())
        lock.release()
        waiter.join(20)
        self.assertTrue(other.owned())
        other.release()

    def test_blocking_acquire_gets_the_expired_lock(self):
        self.client.lock("lock", timeout=0.1).acquire()
        other = self.connect().lock("lock", timeout=30, sleep=0.01)
        self.assertIs(other.acquire(blocking_timeout=20), True)

    def test_expired_lock_is_not_ours_to_release(self):
        lock = self.client.lock("lock", timeout=0.05)
        lock.acquire()
        eventually(lambda: not lock.locked(), "the lock expires")
        other = self.connect().lock("lock", timeout=30)
        self.assertIs(other.acquire(blocking=False), True)
        with self.assertRaises(LockNotOwnedError):
            lock.release()
        self.assertTrue(other.owned())

    def test_extend_adds_or_replaces(self):
        lock = self.client.lock("lock", timeout=10)
        lock.acquire()
        self.assertIs(lock.extend(20), True)
        self.assertIn(self.client.pttl("lock"), range(20_001, 30_001))
        self.assertIs(lock.extend(5, replace_ttl=True), True)
        self.assertIn(self.client.pttl("lock"), range(1, 5_001))

    def test_reacquire_starts_over(self):
        lock = self.client.lock("lock", timeout=30)
        lock.acquire()
        self.client.pexpire("lock", 5_000)
        self.assertIs(lock.reacquire(), True)
        self.assertIn(self.client.pttl("lock"), range(20_000, 30_001))

    def test_lost_lock_cannot_be_extended_or_reacquired(self):
        lock = self.client.lock("lock", timeout=30)
        lock.acquire()
        self.client.set("lock", "somebody else", px=5_000)
        with self.assertRaises(LockNotOwnedError):
            lock.extend(20)
        with self.assertRaises(LockNotOwnedError):
            lock.reacquire()
        self.assertIn(self.client.pttl("lock"), range(1, 5_001))

    def test_releasing_twice(self):
        lock = self.client.lock("lock", timeout=30)
        lock.acquire()
        lock.release()
        with self.assertRaises(LockError):
            lock.release()

    def test_its_scripts_come_back_after_script_flush(self):
        lock = self.client.lock("lock", timeout=30)
        lock.acquire()
        self.client.script_flush()
        self.assertIs(lock.reacquire(), True)
        self.client.script_flush()
        lock.release()
        self.assertEqual(self.client.exists("lock"), 0)

    def test_threads_exclude_each_other(self):
        inside, seen = [], []

        def work():
            with self.client.lock("lock", timeout=30, sleep=0.005):
                inside.append(1)
                seen.append(len(inside))
                self.client.incr("work")
                inside.pop()

        threads = [threading.Thread(target=work) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(seen, [1] * 20)
        self.assertEqual(self.client.get("work"), b"20")
