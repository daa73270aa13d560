"""Scripts that never end: the server goes on answering, and ends when it is told to."""

import signal
import unittest

from server_process import Server, ServerTest, eventually

BUSY = b"-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."
FOR_EVER = "while true do end"
WRITES = "redis.call('SET', 'k', 'v') while true do end"


class Busy(ServerTest):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server("--lua-time-limit", "20"))
        self.owner = self.enterContext(self.server.connect())
        self.other = self.enterContext(self.server.connect())

    def send(self, client, *words):
        client.send(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words))

    def start(self, script):
        self.send(self.owner, "EVAL", script, "0")
        eventually(lambda: self.other.ask("PING") == BUSY, "the server is busy")

    def test_others_are_told_so_until_it_is_killed(self):
        self.start(FOR_EVER)
        with self.server.connect() as fresh:
            self.assertEqual(fresh.ask("GET", "k"), BUSY)
            self.assertEqual(fresh.ask("SCRIPT", "KILL"), b"+OK")
        self.assertRegex(self.owner.line(), rb"^-ERR Script killed by user with SCRIPT KILL\.\.\. script: "
                                            rb"[0-9a-f]{40}, on @user_script:1\.$")
        self.assertEqual(self.other.ask("PING"), b"+PONG")
        self.assertEqual(self.other.ask("SCRIPT", "KILL"), b"-NOTBUSY No scripts in execution right now.")
        self.assertEqual(self.owner.ask("EVAL", "return 7", "0"), b":7")
        self.server.wait_for_line("busy-reply-threshold")

    def test_it_may_end_by_itself(self):
        self.start("local t = redis.call('TIME')[1] for i = 1, 3e7 do end return redis.call('SET', 'k', t)")
        self.assertEqual(self.owner.line(), b"+OK")
        self.assertEqual(self.other.ask("EXISTS", "k"), b":1")

    def test_inside_pcall_coroutine_sort_and_pattern(self):
        for script in ("while true do pcall(function() while true do end end) end",
                       "coroutine.wrap(function() while true do end end)()",
                       "table.sort({1, 2, 3}, function() while true do end end)",
                       "return string.find(('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40))"):
            self.start(script)
            self.assertEqual(self.other.ask("SCRIPT", "KILL"), b"+OK")
            self.assertTrue(self.owner.line().startswith(b"-ERR Script killed by user"))

    def test_in_a_transaction(self):
        for words in (["MULTI"], ["SET", "k", "v"], ["EVAL", FOR_EVER, "0"], ["GET", "k"]):
            self.owner.ask(*words)
        self.send(self.owner, "EXEC")
        eventually(lambda: self.other.ask("PING") == BUSY, "the server is busy")
        self.assertEqual(self.other.ask("SCRIPT", "KILL"), b"+OK")
        self.assertEqual([self.owner.line(), self.owner.line()], [b"*3", b"+OK"])
        self.assertTrue(self.owner.line().startswith(b"-ERR Script killed by user"))
        self.assertEqual(self.owner.reply(), b"v")

    def test_its_client_leaves(self):
        self.start("for i = 1, 3e7 do end redis.call('SET', 'k', 'v')")
        self.owner.socket.close()
        eventually(lambda: self.other.ask("EXISTS", "k") == b":1", "the script has ended all the same")

    def test_one_that_has_written_can_only_be_ended_with_the_server(self):
        self.start(WRITES)
        self.assertTrue(self.other.ask("SCRIPT", "KILL").startswith(b"-UNKILLABLE "))
        self.assertEqual(self.other.ask("SHUTDOWN"), BUSY)
        self.send(self.other, "SHUTDOWN", "NOSAVE")
        self.assertTrue(self.other.at_end())
        self.assertEqual(self.server.end(), 0)
        self.server.wait_for_line("bye bye")

    def test_deadlines_wait_for_it(self):
        self.assertEqual(self.other.ask("SET", "lock", "token", "PX", "1"), b"+OK")
        with self.server.connect() as waiter:
            self.start("for i = 1, 3e7 do end return 1")
            self.assertEqual(self.owner.line(), b":1")
            self.assertEqual(waiter.ask("BLPOP", "none", "0.01"), b"*-1")
        self.assertEqual(self.other.ask("EXISTS", "lock"), b":0")

    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            for script in (FOR_EVER, WRITES):
                with Server("--busy-reply-threshold", "20", "--pidfile", self.path("pid")) as server:
                    with server.connect() as owner, server.connect() as other:
                        self.send(owner, "EVAL", script, "0")
                        eventually(lambda: other.ask("PING") == BUSY, "the server is busy")
                        self.assertEqual(server.end(number), 0)
                        server.wait_for_line(f"Received {number.name}")
                        server.wait_for_line("bye bye")


if __name__ == "__main__":
    unittest.main()
