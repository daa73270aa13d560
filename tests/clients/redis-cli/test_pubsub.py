"""SUBSCRIBE and PSUBSCRIBE in redis-cli, with a publisher beside it."""

from cli_case import CliTestCase
from lockstep_server import eventually


class PubSub(CliTestCase):
    def test_channels(self):
        subscriber = self.start_cli("SUBSCRIBE", "news", "lock:7")
        self.expect(subscriber, "subscribe", "news", "1", "subscribe", "lock:7", "2")
        self.assertEqual(self.cli("PUBLISH", "lock:7", "released"), "1")
        self.assertEqual(self.cli("PUBLISH", "other", "lost"), "0")
        self.assertEqual(self.cli("PUBLISH", "news", "two words"), "1")
        self.expect(subscriber, "message", "lock:7", "released", "message", "news", "two words")

    def test_pattern_with_resp3(self):
        subscriber = self.start_cli("-3", "PSUBSCRIBE", "lock:*")
        self.expect(subscriber, "psubscribe", "lock:*", "1")
        self.assertEqual(self.cli("EVAL", "return redis.call('publish', 'lock:7', 'released')", 0), "1")
        self.expect(subscriber, "pmessage", "lock:*", "lock:7", "released")

    def test_a_subscriber_that_leaves_is_forgotten(self):
        subscriber = self.start_cli("SUBSCRIBE", "news")
        self.expect(subscriber, "subscribe", "news", "1")
        self.assertEqual(self.lines("PUBSUB", "NUMSUB", "news"), ["news", "1"])
        subscriber.kill()
        eventually(lambda: self.lines("PUBSUB", "NUMSUB", "news") == ["news", "0"], "the server sees it go")
