#!/usr/bin/env python3
"""Tests of the differential test's own parts, without servers: what is taken for equal, what is not, what is
never sent, and whether the table of exceptions and DIFFERENCES.md say the same. Run by ctest."""

import sys
import unittest
from pathlib import Path
from random import Random

sys.dont_write_bytecode = True

import calls  # noqa: E402
import notation  # noqa: E402
import wire  # noqa: E402
from command_table import Argument, Command, only_known, read  # noqa: E402
from comparison import Answers, Dialogue, compare  # noqa: E402
from differences import CHANCE, EXCLUDED, LOOSE, ORACLE, Rules  # noqa: E402
from episodes import Episode, Setting  # noqa: E402
from shrink import Shrinker  # noqa: E402
from steps import IdOf, Step  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
NOW, BEFORE = Rules((8, 0, 2)), Rules((7, 0, 15))


def asked(*commands):
    dialogue = Dialogue()
    for command in commands:
        dialogue.sent(tuple(word.encode() for word in command.split()))
    return dialogue.asked


def bulk(text):
    return b"$%d\r\n%s\r\n" % (len(text), text)


def message(*words, push=False):
    return (b">" if push else b"*") + b"%d\r\n" % len(words) + b"".join(map(bulk, words))


class WireTest(unittest.TestCase):
    def test_parses_what_servers_send(self):
        data = b"+OK\r\n$-1\r\n*2\r\n:1\r\n$3\r\na\r\n\r\n%1\r\n+k\r\n_\r\n,1.5\r\n=7\r\ntxt:abc\r\n"
        kinds = [reply.kind for reply in wire.parse_all(data)]
        self.assertEqual(kinds, ["+", "$", "*", "%", ",", "="])
        self.assertEqual(wire.parse(b"*2\r\n:1\r\n$3\r\na\r\n\r\n")[0].value[1].value, b"a\r\n")

    def test_incomplete_is_not_malformed(self):
        for data in (b"", b"+OK", b"$3\r\nab", b"*2\r\n:1\r\n"):
            self.assertRaises(wire.Incomplete, wire.parse, data)
        for data in (b"\r\n", b"$x\r\n", b"?\r\n"):
            self.assertRaises(wire.Malformed, wire.parse, data)

    def test_pushes_come_out_of_arrays(self):
        push = message(b"message", b"c", b"x", push=True)
        rest, pushes = wire.without_pushes(b"*1\r\n" + push + b":1\r\n", lambda _: True)
        self.assertEqual((rest, len(pushes)), (b"*1\r\n:1\r\n", 1))

    def test_inline_is_quoted(self):
        self.assertEqual(wire.encode_inline([b"SET", b'a"\n']), b'"SET" "a\\x22\\x0a"\r\n')


class NotationTest(unittest.TestCase):
    def test_words(self):
        written = {b"lock:1": "lock:1", b"": '""', b"a b": '"a b"', b"\x00\r\n\xff": '"\\x00\\r\\n\\xff"',
                   b"x" * 70: "x" * 70}
        for word, text in written.items():
            self.assertEqual(notation.word(word), text)
        self.assertEqual(notation.quote(b"x" * 70), '"x"*70')

    def test_replies(self):
        line = notation.reply(wire.parse(b"*4\r\n$1\r\na\r\n:5\r\n$-1\r\n-ERR a, b\r\n")[0])
        self.assertEqual(line, '["a", :5, nil, -"ERR a, b"]')

    def test_ids_are_patterns(self):
        step = Step("A", (b"CLIENT", b"KILL", b"ID", IdOf("B")))
        self.assertEqual(notation.step_lines(step), ["A> CLIENT KILL ID <b_id>"])
        self.assertEqual(notation.asks_id("B"), ["B> CLIENT ID", "B<~ :<b_id:[0-9]+>"])


class ComparisonTest(unittest.TestCase):
    def same(self, commands, ours, theirs, rules=NOW, **more):
        return compare(asked(*commands), ours, theirs, rules, **more) is None

    def test_bytes_decide(self):
        self.assertFalse(self.same(["INCR k"], b":1\r\n", b":2\r\n"))
        self.assertFalse(self.same(["GET k"], b"$-1\r\n", b"*-1\r\n"))
        self.assertFalse(self.same(["GET k"], b"", b"$-1\r\n"))
        self.assertFalse(self.same(["FOO"], b"-ERR a\r\n", b"-ERR b\r\n"))

    def test_clocks_are_a_little_apart_but_not_for_other_commands(self):
        self.assertTrue(self.same(["INCR k", "PTTL k"], b":1\r\n:99998\r\n", b":1\r\n:99999\r\n"))
        self.assertFalse(self.same(["PTTL k", "INCR k"], b":99998\r\n:1\r\n", b":99999\r\n:2\r\n"))
        self.assertFalse(self.same(["PTTL k"], b":-1\r\n", b":99999\r\n"))
        self.assertFalse(self.same(["PTTL k"], b":50000\r\n", b":99999\r\n"))

    def test_inside_a_transaction(self):
        commands = ["MULTI", "TTL k", "GET k", "EXEC"]
        start = b"+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n"
        self.assertTrue(self.same(commands, start + b":100\r\n$1\r\nv\r\n", start + b":99\r\n$1\r\nv\r\n"))
        self.assertFalse(self.same(commands, start + b":100\r\n$1\r\nv\r\n", start + b":100\r\n$1\r\nw\r\n"))

    def test_order_that_is_chance(self):
        a, b = bulk(b"a"), bulk(b"b")
        self.assertTrue(self.same(["KEYS *"], b"*2\r\n" + a + b, b"*2\r\n" + b + a))
        self.assertFalse(self.same(["LRANGE l 0 -1"], b"*2\r\n" + a + b, b"*2\r\n" + b + a))
        one, two = (message(b"pmessage", pattern, b"c", b"x") for pattern in (b"*", b"c*"))
        self.assertTrue(self.same([], one + two, two + one))
        self.assertFalse(self.same([], message(b"message", b"c", b"1") + message(b"message", b"c", b"2"),
                                   message(b"message", b"c", b"2") + message(b"message", b"c", b"1")))

    def test_unsubscribe_without_names(self):
        def told(first, second):
            start = b"*3\r\n" + bulk(b"unsubscribe")
            return start + bulk(first) + b":1\r\n" + start + bulk(second) + b":0\r\n"
        self.assertTrue(self.same(["UNSUBSCRIBE"], told(b"a", b"b"), told(b"b", b"a")))
        self.assertFalse(self.same(["UNSUBSCRIBE"], told(b"a", b"b"), told(b"a", b"c")))

    def test_messages_to_oneself_come_behind_the_reply(self):
        push = message(b"message", b"c", b"x", push=True)
        self.assertFalse(self.same(["PUBLISH c x"], b":1\r\n" + push, push + b":1\r\n"))
        self.assertTrue(self.same(["PUBLISH c x"], b":1\r\n" + push, push + b":1\r\n", rules=BEFORE))
        self.assertTrue(self.same(["EXISTS k"], push + b":0\r\n", b":0\r\n" + push, times_pass=True))

    def test_a_subscription_in_exec_breaks_out_of_its_array(self):
        start = b"*3\r\n" + bulk(b"subscribe")
        data = b"*2\r\n" + start + bulk(b"a") + b":1\r\n" + start + bulk(b"b") + b":2\r\n:99\r\n"
        entries = asked("MULTI", "SUBSCRIBE a b", "TTL k", "EXEC")[-1:]
        answers = Answers(entries, wire.parse_all(data))
        self.assertEqual([reply.kind for reply in answers.replies[0].value], ["group", ":"])

    def test_nothing_left_to_unsubscribe(self):
        data = b"*3\r\n" + b"*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n" * 2 + b":99\r\n"
        answers = Answers(asked("MULTI", "UNSUBSCRIBE", "UNSUBSCRIBE", "TTL k", "EXEC")[-1:], wire.parse_all(data))
        self.assertEqual([reply.kind for reply in answers.replies[0].value], ["*", "*", ":"])

    def test_silence(self):
        commands = ["CLIENT REPLY SKIP", "GET k", "PTTL k"]
        self.assertTrue(self.same(commands, b":99998\r\n", b":99999\r\n"))

    def test_texts_that_have_changed(self):
        old, new = b"-ERR timeout is negative\r\n", b"-ERR timeout is out of range\r\n"
        self.assertTrue(self.same(["BLPOP l inf"], new, old, rules=BEFORE))
        self.assertFalse(self.same(["BLPOP l inf"], new, old))


class TableTest(unittest.TestCase):
    def test_every_exception_has_its_entry(self):
        text = " ".join((ROOT / "DIFFERENCES.md").read_text(encoding="utf-8").split())
        for row in (*LOOSE, *EXCLUDED):
            self.assertTrue(row.reason in (CHANCE, ORACLE) or row.reason in text, f"not in DIFFERENCES.md: {row.reason}")

    def test_reads_what_a_server_tells(self):
        info = wire.parse(b"*1\r\n*10\r\n$3\r\nget\r\n:2\r\n*1\r\n+fast\r\n:1\r\n:1\r\n:1\r\n*1\r\n+@read\r\n"
                          b"*0\r\n*0\r\n*0\r\n")[0]
        docs = wire.parse(b"*2\r\n$3\r\nget\r\n*4\r\n$5\r\ngroup\r\n$6\r\nstring\r\n$9\r\narguments\r\n*1\r\n*6\r\n"
                          + message(b"name", b"key", b"type", b"key")[4:] + b"$5\r\nflags\r\n*1\r\n+optional\r\n")[0]
        table = read(lambda *words: docs if len(words) > 1 else info)
        self.assertEqual(table["get"].arguments, (Argument("key", "key", optional=True),))
        self.assertEqual((table["get"].arity, table["get"].group), (2, "string"))

    def test_options_that_the_oracle_does_not_know_are_left_out(self):
        options = (Argument("x", "oneof", optional=True,
                            parts=(Argument("new", "pure-token", b"NEW"), Argument("nx", "pure-token", b"NX"))),
                   Argument("ttl", "integer", b"TTL", optional=True))
        kept = only_known(options, {b"NX"})
        self.assertEqual([[part.name for part in each.parts] for each in kept], [["nx"]])


class EpisodeTest(unittest.TestCase):
    def commands(self):
        key = Argument("key", "key")
        ttl = Argument("ttl", "oneof", optional=True, parts=(
            Argument("seconds", "integer", b"EX"), Argument("unix-time-milliseconds", "unix-time", b"PXAT")))
        return {"set": Command("set", "string", -3, frozenset(), (key, Argument("value", "string"), ttl)),
                "blpop": Command("blpop", "list", -3, frozenset({"blocking"}), (key, Argument("timeout", "double"))),
                "client|kill": Command("client|kill", "connection", -3, frozenset(),
                                       (Argument("normal", "string", b"TYPE"),)),
                "shutdown": Command("shutdown", "server", -1, frozenset(), ())}

    def steps(self, seed, number):
        return Episode(Setting(self.commands(), self.commands(), NOW, (8, 0, 2)), seed, number).make(400)

    def test_a_seed_makes_the_same_history_again(self):
        self.assertEqual(self.steps(7, 3), self.steps(7, 3))
        self.assertNotEqual(self.steps(7, 3), self.steps(7, 4))

    def test_nothing_expires_on_its_own_and_nobody_is_ended(self):
        for number in range(20):
            for step in self.steps(1, number):
                words = [word for word in step.words if isinstance(word, bytes)]
                if words and step.until is None and len(words) == len(step.words):
                    self.assertFalse(calls.expires_soon(words), words)
                    self.assertTrue(words[0].upper() != b"SHUTDOWN" or b"ABORT" in words, words)

    def test_what_is_not_safe(self):
        for text in ("SET k v PX 50", "SET k v EX 5", "SET k v PXAT 1", "EXPIRE k 5", "PSETEX k 1 v", "setex k 1 v"):
            self.assertTrue(calls.expires_soon(text.encode().split()), text)
        for text in ("SET k v PX 500000", "SET k 5", "EXPIRE k -1", "GETEX k PXAT 1", "EXPIREAT k 1", "SET k v PX 0"):
            self.assertFalse(calls.expires_soon(text.encode().split()), text)
        for text in ("BLPOP l 1", "BLMPOP 0.5 1 l LEFT", "WAIT 1 1000", "XREAD BLOCK 5 STREAMS x $"):
            self.assertTrue(calls.waits_briefly(text.encode().split()), text)
        for text in ("BLPOP l 0", "BLPOP l x", "WAIT 1 0", "BLPOP l 1000", "BLPOP l -1"):
            self.assertFalse(calls.waits_briefly(text.encode().split()), text)
        for text in ("CLIENT KILL TYPE normal", "CLIENT KILL SKIPME yes", "CLIENT KILL ID 5", "CLIENT PAUSE 100",
                     "CLIENT REPLY OFF", "SHUTDOWN"):
            self.assertFalse(calls.is_safe(text.encode().split()), text)

    def test_options_come_in_any_order(self):
        options = tuple(Argument(name, "pure-token", name.encode(), optional=True) for name in ("A", "B", "C"))
        maker = calls.Calls(Random(5), None, {})
        self.assertGreater(len({tuple(each.name for each in maker._shuffled(options)) for _ in range(100)}), 3)


class ShrinkTest(unittest.TestCase):
    def test_finds_the_steps_that_matter(self):
        history = [Step("A", (b"GET", b"%d" % number)) for number in range(200)]
        history[17] = Step("A", (b"SET", b"k", b"a long value"))
        history[120] = Step("B", (b"INCR", b"k"))

        def fails(steps):
            names = [step.name() for step in steps]
            return "yes" if "set" in names and "incr" in names[names.index("set"):] else None
        small = Shrinker(fails, lambda failure: failure == "yes", lambda new, old: True, 60).shrink(history)
        self.assertEqual([step.words for step in small], [(b"SET",), (b"INCR",)])

    def test_another_failure_is_not_the_one_looked_for(self):
        history = [Step("A", (b"X",)), Step("A", (b"Y",))]
        small = Shrinker(lambda steps: "one" if len(steps) == 2 else "other", lambda failure: failure == "one",
                         lambda new, old: False, 60).shrink(history)
        self.assertEqual(small, history)


if __name__ == "__main__":
    unittest.main()
