"""The lock class: SET NX EX with a random owner value, released by a script that compares and deletes.
One request handles a payment at a time; a second one for the same payment is turned away."""

import secrets

from redis_case import RELEASE, RedisTestCase


class TokenLock:
    def __init__(self, client, resource, ttl_s=10):
        self.client = client
        self.key = f"lock:dist:{resource}"
        self.token = secrets.token_urlsafe(16)
        self.ttl_s = ttl_s

    def acquire(self):
        return self.client.set(self.key, self.token, nx=True, ex=self.ttl_s) is True

    def release(self):
        return self.client.eval(RELEASE, 1, self.key, self.token) == 1


class TokenLockTest(RedisTestCase):
    def lock(self, resource="payment:42", ttl_s=15):
        return TokenLock(self.connect(), resource, ttl_s)

    def test_acquire_then_release(self):
        lock = self.lock()
        self.assertTrue(lock.acquire())
        self.assertEqual(self.client.get(lock.key).decode(), lock.token)
        self.assertIn(self.client.pttl(lock.key), range(10_000, 15_001))
        self.assertTrue(lock.release())
        self.assertEqual(self.client.exists(lock.key), 0)

    def test_second_request_is_turned_away(self):
        first, second = self.lock(), self.lock()
        self.assertTrue(first.acquire())
        self.assertFalse(second.acquire())
        self.assertFalse(second.release(), "only the owner releases")
        self.assertTrue(first.release())
        self.assertTrue(second.acquire())

    def test_other_resources_are_free(self):
        self.assertTrue(self.lock("payment:1").acquire())
        self.assertTrue(self.lock("payment:2").acquire())

    def test_releasing_twice(self):
        lock = self.lock()
        lock.acquire()
        self.assertTrue(lock.release())
        self.assertFalse(lock.release())

    def test_with_resp2(self):
        first, second = (TokenLock(self.connect(protocol=2), "payment:42") for _ in range(2))
        self.assertEqual((first.acquire(), second.acquire(), second.release(), first.release()),
                         (True, False, False, True))

    def test_payment_runs_once_and_unlocks_after_an_error(self):
        def pay(work):
            lock = self.lock()
            if not lock.acquire():
                return 409
            try:
                return work()
            finally:
                lock.release()

        self.assertEqual(pay(lambda: pay(lambda: 200)), 409, "the same payment, while the first one works on it")
        with self.assertRaises(ZeroDivisionError):
            pay(lambda: 1 // 0)
        self.assertEqual(pay(lambda: 200), 200)
