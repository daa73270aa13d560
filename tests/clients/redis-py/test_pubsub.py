"""Publish and subscribe through redis-py, in both protocols."""

from redis_case import RedisTestCase

TIMEOUT_S = 20


class PubSub(RedisTestCase):
    protocol = 3

    def setUp(self):
        super().setUp()
        self.pubsub = self.connect(protocol=self.protocol).pubsub()
        self.addCleanup(self.pubsub.close)

    def next(self):
        """(type, pattern, channel, data) of the next message."""
        message = self.pubsub.get_message(timeout=TIMEOUT_S)
        self.assertIsNotNone(message, "no message came")
        return message["type"], message["pattern"], message["channel"], message["data"]

    def test_channel(self):
        self.pubsub.subscribe("news", b"\xff\x00")
        self.assertEqual(self.next(), ("subscribe", None, b"news", 1))
        self.assertEqual(self.next(), ("subscribe", None, b"\xff\x00", 2))
        self.assertEqual(self.client.publish("news", "hello"), 1)
        self.assertEqual(self.client.publish(b"\xff\x00", b"\x00\r\n"), 1)
        self.assertEqual(self.client.publish("other", "lost"), 0)
        self.assertEqual(self.next(), ("message", None, b"news", b"hello"))
        self.assertEqual(self.next(), ("message", None, b"\xff\x00", b"\x00\r\n"))

    def test_pattern(self):
        self.pubsub.psubscribe("lock:*")
        self.assertEqual(self.next(), ("psubscribe", None, b"lock:*", 1))
        self.assertEqual(self.client.publish("lock:7", "free"), 1)
        self.assertEqual(self.next(), ("pmessage", b"lock:*", b"lock:7", b"free"))
        self.pubsub.punsubscribe()
        self.assertEqual(self.next(), ("punsubscribe", None, b"lock:*", 0))
        self.assertEqual(self.client.publish("lock:7", "free"), 0)

    def test_channel_and_pattern_both_deliver(self):
        self.pubsub.subscribe("lock:7")
        self.pubsub.psubscribe("lock:?")
        self.assertEqual([self.next()[3] for _ in range(2)], [1, 2])
        self.assertEqual(self.client.publish("lock:7", "free"), 2)
        self.assertEqual([self.next()[0] for _ in range(2)], ["message", "pmessage"])

    def test_ping_while_subscribed(self):
        self.pubsub.subscribe("news")
        self.next()
        self.pubsub.ping("still there?")
        self.assertEqual(self.next(), ("pong", None, None, b"still there?"))

    def test_who_listens(self):
        self.pubsub.subscribe("a", "b")
        self.pubsub.psubscribe("p*")
        self.assertEqual([self.next()[3] for _ in range(3)], [1, 2, 3])
        self.assertEqual(sorted(self.client.pubsub_channels()), [b"a", b"b"])
        self.assertEqual(dict(self.client.pubsub_numsub("a", "none")), {b"a": 1, b"none": 0})
        self.assertEqual(self.client.pubsub_numpat(), 1)

    def test_published_by_a_transaction_and_by_a_script(self):
        self.pubsub.subscribe("news")
        self.next()
        self.assertEqual(self.client.pipeline().publish("news", "1").publish("news", "2").execute(), [1, 1])
        self.assertEqual(self.client.eval("return redis.call('publish', KEYS[1], '3')", 1, "news"), 1)
        self.assertEqual([self.next()[3] for _ in range(3)], [b"1", b"2", b"3"])


class PubSubResp2(PubSub):
    protocol = 2
