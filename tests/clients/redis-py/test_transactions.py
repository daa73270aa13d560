"""Transactions through redis-py: MULTI and EXEC, WATCH that aborts, and the optimistic way of guarding a stock."""

import threading

import redis

from redis_case import RedisTestCase


class Transactions(RedisTestCase):
    def test_all_replies_at_once(self):
        for protocol in (2, 3):
            with self.subTest(protocol=protocol):
                client = self.connect(protocol=protocol)
                client.delete("n")
                self.assertEqual(client.pipeline().incr("n").incr("n").get("n").execute(), [1, 2, b"2"])

    def test_an_error_inside_does_not_roll_back(self):
        pipeline = self.client.pipeline().set("word", "x").incr("word").set("after", "y")
        with self.assertRaises(redis.ResponseError):
            pipeline.execute()
        self.assertEqual(self.client.get("after"), b"y")

    def test_a_command_that_is_wrong_aborts(self):
        pipeline = self.client.pipeline().set("k", "v")
        pipeline.execute_command("NOSUCH")
        with self.assertRaises(redis.ResponseError):
            pipeline.execute()
        self.assertEqual(self.client.exists("k"), 0)

    def test_execabort(self):
        connection = self.connect(single_connection_client=True)
        connection.execute_command("MULTI")
        with self.assertRaises(redis.ResponseError):
            connection.execute_command("GET")
        with self.assertRaises(redis.exceptions.ExecAbortError):
            connection.execute_command("EXEC")

    def test_watched_key_that_changed(self):
        for protocol in (2, 3):
            with self.subTest(protocol=protocol), self.connect(protocol=protocol).pipeline() as pipeline:
                pipeline.watch("k")
                self.client.set("k", "somebody else")
                pipeline.multi()
                pipeline.set("k", "mine")
                with self.assertRaises(redis.WatchError):
                    pipeline.execute()
                self.assertEqual(self.client.get("k"), b"somebody else")

    def test_unwatch_forgets(self):
        with self.client.pipeline() as pipeline:
            pipeline.watch("k")
            self.client.set("k", "somebody else")
            pipeline.unwatch()
            pipeline.multi()
            pipeline.set("k", "mine")
            self.assertEqual(pipeline.execute(), [True])


class OptimisticStock(RedisTestCase):
    """No lock: read stock and version, write both only if the version is still the same, else start again."""

    def setUp(self):
        super().setUp()
        self.client.mset({"product:1:stock": 10, "product:1:version": 3})

    def buy(self, client, quantity=1, after_read=lambda attempt: None):
        """The number of attempts it took, or None when the stock is too small."""
        attempt = 0
        with client.pipeline() as pipeline:
            while True:
                attempt += 1
                pipeline.watch("product:1:version")
                stock, version = (int(v) for v in pipeline.mget("product:1:stock", "product:1:version"))
                if stock < quantity:
                    return None
                after_read(attempt)
                pipeline.multi()
                pipeline.mset({"product:1:stock": stock - quantity, "product:1:version": version + 1})
                try:
                    pipeline.execute()
                    return attempt
                except redis.WatchError:
                    continue

    def stock_and_version(self):
        return [int(v) for v in self.client.mget("product:1:stock", "product:1:version")]

    def test_without_conflict(self):
        self.assertEqual(self.buy(self.client), 1)
        self.assertEqual(self.stock_and_version(), [9, 4])

    def test_conflict_means_a_second_attempt_with_fresh_data(self):
        def somebody_else_is_faster(attempt):
            if attempt == 1:
                self.assertEqual(self.buy(self.connect(), quantity=4), 1)

        self.assertEqual(self.buy(self.client, after_read=somebody_else_is_faster), 2)
        self.assertEqual(self.stock_and_version(), [5, 5])

    def test_conflict_that_sells_out(self):
        self.assertIsNone(self.buy(self.client, after_read=lambda attempt: self.buy(self.connect(), quantity=10)))
        self.assertEqual(self.stock_and_version(), [0, 4])

    def test_many_buyers_never_oversell(self):
        results = []
        buyers = [threading.Thread(target=lambda: results.append(self.buy(self.client))) for _ in range(30)]
        for buyer in buyers:
            buyer.start()
        for buyer in buyers:
            buyer.join()
        self.assertEqual(len(results), 30)
        self.assertEqual(sum(attempts is not None for attempts in results), 10)
        self.assertEqual(self.stock_and_version(), [0, 13])
