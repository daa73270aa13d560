"""A hundred buyers at once for ten pairs of sneakers: each takes the lock, reads the stock, writes it back.
Ten get a pair, ninety are told that it is sold out, and the stock was never below zero."""

import random
import threading
import time
import uuid

from redis_case import RELEASE, RedisTestCase

BUYERS, STOCK = 100, 10
LOCK, STOCK_KEY = "lock:sneakers", "stock:sneakers"


class Crowd(RedisTestCase):
    def acquire(self, token):
        """A spin lock, as long as it takes."""
        end = time.monotonic() + 60
        while not self.client.set(LOCK, token, nx=True, px=30_000):
            self.assertLess(time.monotonic(), end, "never got the lock")
            time.sleep(random.uniform(0.005, 0.025))

    def buy(self):
        token = uuid.uuid4().hex
        self.acquire(token)
        try:
            stock = int(self.client.get(STOCK_KEY))
            if stock < 1:
                return "sold out"
            self.client.set(STOCK_KEY, stock - 1)
            return stock - 1
        finally:
            self.assertEqual(self.client.eval(RELEASE, 1, LOCK, token), 1, "the lock was still ours")

    def test_never_oversold(self):
        self.client.set(STOCK_KEY, STOCK)
        results, start = [], threading.Barrier(BUYERS)

        def buyer():
            start.wait()
            results.append(self.buy())

        threads = [threading.Thread(target=buyer) for _ in range(BUYERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results.count("sold out"), BUYERS - STOCK)
        self.assertEqual(sorted(r for r in results if r != "sold out"), list(range(STOCK)), "each number once")
        self.assertEqual(self.client.get(STOCK_KEY), b"0")
        self.assertEqual(self.client.exists(LOCK), 0)
