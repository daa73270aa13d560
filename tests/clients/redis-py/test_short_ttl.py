"""A TTL shorter than the work: two owners are inside at once, and what each way of releasing does then.
The naive DEL removes the new owner's lock and lets a third one in; the compared release does not."""

from lockstep_server import eventually
from redis_case import RELEASE, RedisTestCase

KEY = "lock:sneakers"


class ShortTtl(RedisTestCase):
    def setUp(self):
        super().setUp()
        self.inside = set()

    def enter(self, who, ttl_ms):
        if self.client.set(KEY, who, nx=True, px=ttl_ms):
            self.inside.add(who)
            return True
        return False

    def both_inside(self):
        """A takes the lock, works longer than its TTL, and B gets in meanwhile."""
        self.assertTrue(self.enter("A", ttl_ms=60))
        eventually(lambda: self.enter("B", ttl_ms=60_000), "A's lock expires under it")
        self.assertEqual(self.inside, {"A", "B"}, "mutual exclusion has failed")

    def test_naive_release_removes_the_new_owners_lock(self):
        self.both_inside()
        self.assertEqual(self.client.delete(KEY), 1)
        self.assertTrue(self.enter("C", ttl_ms=60_000))
        self.assertEqual(self.inside, {"A", "B", "C"})

    def test_compared_release_leaves_the_new_owners_lock(self):
        self.both_inside()
        self.assertEqual(self.client.eval(RELEASE, 1, KEY, "A"), 0)
        self.assertEqual(self.client.get(KEY), b"B")
        self.assertFalse(self.enter("C", ttl_ms=60_000))
        self.assertEqual(self.client.eval(RELEASE, 1, KEY, "B"), 1)

    def test_checking_and_deleting_in_two_steps_is_not_enough(self):
        """Between GET and DEL the lock may change hands; that is why the release is a script."""
        self.assertTrue(self.enter("A", ttl_ms=60_000))
        self.assertEqual(self.client.get(KEY), b"A", "A still sees its own token")
        self.client.pexpire(KEY, 1)
        eventually(lambda: self.enter("B", ttl_ms=60_000), "A's lock expires")
        self.assertEqual(self.client.delete(KEY), 1, "and A deletes what is B's by now")
        self.assertIsNone(self.client.get(KEY))
