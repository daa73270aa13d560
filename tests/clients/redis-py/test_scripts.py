"""Scripts through redis-py: EVAL, registered scripts and their way through NOSCRIPT, replies, errors."""

import redis

from redis_case import RELEASE, RedisTestCase


class Scripts(RedisTestCase):
    def test_replies(self):
        for protocol in (2, 3):
            with self.subTest(protocol=protocol):
                evaluate = self.connect(protocol=protocol).eval
                self.assertEqual(evaluate("return 3.99", 0), 3)
                self.assertEqual(evaluate("return {1, 2.5, 'x', false, true, nil, 7}", 0), [1, 2, b"x", None, 1])
                self.assertEqual(evaluate("return redis.status_reply('FINE')", 0), b"FINE")
                self.assertEqual(evaluate("return {KEYS[1], ARGV[1], ARGV[2]}", 1, "k", b"\x00\xff", ""),
                                 [b"k", b"\x00\xff", b""])
                self.assertIsNone(evaluate("return redis.call('get', KEYS[1])", 1, "none"))
                self.assertIsNone(evaluate("return nil", 0))

    def test_registered_script_is_loaded_when_missing(self):
        release = self.client.register_script(RELEASE)
        self.client.set("lock", "mine")
        self.assertEqual(self.client.script_exists(release.sha), [False])
        self.assertEqual(release(keys=["lock"], args=["other"]), 0)
        self.assertEqual(self.client.script_exists(release.sha), [True])
        self.client.script_flush()
        self.assertEqual(release(keys=["lock"], args=["mine"]), 1)
        self.assertEqual(self.client.exists("lock"), 0)

    def test_registered_script_in_a_pipeline(self):
        release = self.client.register_script(RELEASE)
        pipeline = self.client.pipeline()
        pipeline.set("lock", "mine")
        release(keys=["lock"], args=["mine"], client=pipeline)
        self.assertEqual(pipeline.execute(), [True, 1])

    def test_noscript(self):
        with self.assertRaisesRegex(redis.exceptions.NoScriptError, "No matching script"):
            self.client.evalsha("f" * 40, 0)

    def test_load_gives_the_sha1(self):
        self.assertEqual(self.client.script_load("return 1"), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db")
        self.assertEqual(self.client.evalsha("E0E1F9FABFC9D4800C877A703B823AC0578FF8DB", 0), 1)

    def test_errors(self):
        with self.assertRaisesRegex(redis.ResponseError, "^My own error$"):
            self.client.eval("return redis.error_reply('My own error')", 0)
        with self.assertRaisesRegex(redis.ResponseError, r"^user_script:1: boom script: [0-9a-f]{40}, on @user_script:1\.$"):
            self.client.eval("error('boom')", 0)
        with self.assertRaisesRegex(redis.ResponseError, "^Error compiling script"):
            self.client.eval("return (", 0)
        with self.assertRaisesRegex(redis.ResponseError, "^Number of keys can't be greater than number of args$"):
            self.client.eval("return 1", 2, "k")

    def test_failing_call_names_its_line(self):
        self.client.set("word", "x")
        error = r"^value is not an integer or out of range script: [0-9a-f]{40}, on @user_script:2\.$"
        with self.assertRaisesRegex(redis.ResponseError, error):
            self.client.eval("local n = 1\nreturn redis.call('incr', KEYS[1])", 1, "word")
        self.assertIn(b"not an integer", self.client.eval("return redis.pcall('incr', KEYS[1]).err", 1, "word"))

    def test_read_only_form(self):
        self.client.set("k", "v")
        self.assertEqual(self.client.eval_ro("return redis.call('get', KEYS[1])", 1, "k"), b"v")
        with self.assertRaisesRegex(redis.ResponseError, "Write commands are not allowed from read-only scripts"):
            self.client.eval_ro("return redis.call('del', KEYS[1])", 1, "k")
