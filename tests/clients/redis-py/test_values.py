"""Values and keys through redis-py: binary safety, long pipelines, iterating, expiry, error replies."""

import redis

from lockstep_server import eventually
from redis_case import RedisTestCase

ALL_BYTES = bytes(range(256))


class Values(RedisTestCase):
    def test_binary_keys_and_values(self):
        for protocol in (2, 3):
            with self.subTest(protocol=protocol):
                client = self.connect(protocol=protocol)
                client.set(ALL_BYTES, b"\r\n$3\r\n" + ALL_BYTES)
                self.assertEqual(client.get(ALL_BYTES), b"\r\n$3\r\n" + ALL_BYTES)
                self.assertEqual(client.keys(), [ALL_BYTES])

    def test_empty_and_large_values(self):
        large = ALL_BYTES * 4096 * 4  # 4 MiB: many reads and writes
        self.client.mset({"empty": b"", b"": "the empty key", "large": large})
        self.assertEqual(self.client.mget("empty", "", "large", "none"), [b"", b"the empty key", large, None])
        self.assertEqual(self.client.strlen("large"), len(large))

    def test_decoded_replies(self):
        client = self.connect(decode_responses=True)
        client.set("schlüssel", "größe")
        self.assertEqual(client.get("schlüssel"), "größe")

    def test_set_with_get(self):
        self.assertIsNone(self.client.set("k", "1", get=True))
        self.assertEqual(self.client.set("k", "2", get=True), b"1")
        self.assertIsNone(self.client.set("k", "3", nx=True))
        self.assertIs(self.client.set("k", "3", xx=True, keepttl=True), True)

    def test_counters(self):
        self.assertEqual(self.client.incr("n"), 1)
        self.assertEqual(self.client.incrby("n", 41), 42)
        self.assertEqual(self.client.decr("n", 2), 40)
        self.client.set("word", "x")
        with self.assertRaisesRegex(redis.ResponseError, "^value is not an integer or out of range$"):
            self.client.incr("word")

    def test_unknown_command(self):
        with self.assertRaisesRegex(redis.ResponseError, "^unknown command 'NOSUCH', with args beginning with: 'a' 'b' $"):
            self.client.execute_command("NOSUCH", "a", "b")

    def test_wrong_arity_and_syntax(self):
        with self.assertRaisesRegex(redis.ResponseError, "^wrong number of arguments for 'get' command$"):
            self.client.execute_command("GET")
        with self.assertRaisesRegex(redis.ResponseError, "^syntax error$"):
            self.client.execute_command("SET", "k", "v", "NX", "XX")
        with self.assertRaisesRegex(redis.ResponseError, "^invalid expire time in 'set' command$"):
            self.client.set("k", "v", px=0)

    def test_time(self):
        seconds, microseconds = self.client.time()
        self.assertGreater(seconds, 1_600_000_000)
        self.assertIn(microseconds, range(1_000_000))


class Pipelines(RedisTestCase):
    def test_thousand_commands(self):
        for protocol in (2, 3):
            with self.subTest(protocol=protocol):
                pipeline = self.connect(protocol=protocol).pipeline(transaction=False)
                for i in range(1000):
                    pipeline.set(f"k{i}", i)
                for i in range(1000):
                    pipeline.get(f"k{i}")
                replies = pipeline.execute()
                self.assertEqual(replies, [True] * 1000 + [b"%d" % i for i in range(1000)])

    def test_an_error_stops_nothing(self):
        pipeline = self.client.pipeline(transaction=False)
        pipeline.set("word", "x").incr("word").get("word")
        ok, error, value = pipeline.execute(raise_on_error=False)
        self.assertIs(ok, True)
        self.assertIsInstance(error, redis.ResponseError)
        self.assertEqual(value, b"x")


class Iterating(RedisTestCase):
    def setUp(self):
        super().setUp()
        self.locks = {f"lock:{i}" for i in range(500)}
        self.client.mset({key: 1 for key in self.locks} | {f"stock:{i}": 1 for i in range(500)})

    def test_scan_meets_every_key(self):
        self.assertEqual(len(set(self.client.scan_iter())), 1000)
        self.assertEqual({k.decode() for k in self.client.scan_iter(match="lock:*", count=50)}, self.locks)

    def test_scan_by_type(self):
        self.assertEqual(len(set(self.client.scan_iter(_type="string"))), 1000)
        self.assertEqual(list(self.client.scan_iter(_type="list")), [])

    def test_keys_and_dbsize(self):
        self.assertEqual({k.decode() for k in self.client.keys("lock:*")}, self.locks)
        self.assertEqual(self.client.dbsize(), 1000)
        self.assertEqual(self.client.delete(*self.locks), 500)
        self.assertEqual(self.client.dbsize(), 500)


class Expiry(RedisTestCase):
    def test_times_to_live(self):
        self.client.set("k", "v", px=60_000)
        self.assertIn(self.client.pttl("k"), range(30_000, 60_001))
        self.assertIn(self.client.ttl("k"), range(30, 61))
        self.assertIs(self.client.persist("k"), True)
        self.assertEqual((self.client.ttl("k"), self.client.ttl("none")), (-1, -2))

    def test_absolute_time(self):
        seconds, _ = self.client.time()
        self.client.set("k", "v", pxat=(seconds + 100) * 1000)
        self.assertEqual(self.client.pexpiretime("k"), (seconds + 100) * 1000)
        self.assertIs(self.client.expireat("k", seconds - 1), True)
        self.assertEqual(self.client.exists("k"), 0)

    def test_conditions(self):
        self.client.set("k", "v", ex=100)
        self.assertIs(self.client.expire("k", 50, gt=True), False)
        self.assertIs(self.client.expire("k", 200, gt=True), True)
        self.assertIs(self.client.expire("k", 300, nx=True), False)
        self.assertIn(self.client.ttl("k"), range(150, 201))

    def test_keys_go_with_nobody_touching_them(self):
        for i in range(50):
            self.client.set(f"k{i}", "v", px=50)
        eventually(lambda: self.client.dbsize() == 0, "50 keys expire")
