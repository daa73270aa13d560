"""The one table of what is not compared byte for byte, and why. A row names its entry in DIFFERENCES.md, or
says "chance": what two servers of the same kind would not answer alike either (random choice, an order that
comes from a hash seed, two clocks, ids, addresses, memory). Read by comparison.py and episodes.py; checked
against DIFFERENCES.md by differential_test.py."""

import re
from typing import Callable, NamedTuple

CHANCE = "chance"
ORACLE = "a fault of the oracle"


CONTAINERS = ("acl", "client", "cluster", "command", "config", "function", "latency", "memory", "object", "pubsub",
              "script", "slowlog", "xgroup", "xinfo")


class Loose(NamedTuple):
    commands: tuple     # names as in the command table
    same: Callable      # (words, ours, theirs) -> bool, asked when the bytes differ
    reason: str         # words of an entry of DIFFERENCES.md, or CHANCE


class Excluded(NamedTuple):
    command: str
    reason: str


class Older(NamedTuple):
    """Where an oracle before `version` gives an answer that a later one no longer gives: the later is right."""
    version: tuple
    commands: tuple     # empty: any
    same: Callable
    reason: str


def values(reply):
    return reply.value if isinstance(reply.value, list) else []


def both(kinds, ours, theirs):
    return ours.kind in kinds and ours.kind == theirs.kind and ours.value is not None and theirs.value is not None


def near(tolerance):
    """Integers that differ by no more, both above zero."""
    def same(_, ours, theirs):
        if not both(":", ours, theirs):
            return False
        a, b = int(ours.value), int(theirs.value)
        return a > 0 and b > 0 and abs(a - b) <= tolerance
    return same


def any_order(_, ours, theirs):
    return both("*~>", ours, theirs) and sorted(ours.value) == sorted(theirs.value)


def any_pairs(_, ours, theirs):
    """Keys with values, in any order."""
    if not both("*%~", ours, theirs):
        return False
    return sorted(zip(ours.value[::2], ours.value[1::2])) == sorted(zip(theirs.value[::2], theirs.value[1::2]))


def same_scan(words, ours, theirs):
    """A whole walk in one reply: the same elements. Part of a walk: anything of that form."""
    if not both("*", ours, theirs) or len(ours.value) != 2 or len(theirs.value) != 2:
        return False
    if words[1 if words[0].lower() == b"scan" else 2] != b"0":
        return True
    if ours.value[0].value == theirs.value[0].value == b"0":
        return sorted(values(ours.value[1])) == sorted(values(theirs.value[1]))
    return ours.value[0].kind == theirs.value[0].kind and ours.value[1].kind == theirs.value[1].kind


def same_size(_, ours, theirs):
    """As many elements, or one of a kind; when something may be chosen, which is chance."""
    if ours.kind != theirs.kind or (ours.value is None) != (theirs.value is None):
        return False
    if ours.kind == "*":
        return len(ours.value) == len(theirs.value)
    return ours.kind == "$"


def same_kind(_, ours, theirs):
    return ours.kind == theirs.kind and not ours.is_error()


def same_length(_, ours, theirs):
    return both("$", ours, theirs) and len(ours.value) == len(theirs.value)


def either_way(_, ours, theirs):
    """What one server knows and the other does not."""
    return ours.is_error() and theirs.kind == ":"


def same_hello(_, ours, theirs):
    """All but the version, the connection's id and the modules that a Redis was built with."""
    if not both("*%", ours, theirs) or len(ours.value) != len(theirs.value):
        return False
    mine, other = (list(zip(reply.value[::2], reply.value[1::2])) for reply in (ours, theirs))
    varies = (b"version", b"id", b"modules")
    return all(key == other_key and (value == other_value or key.value in varies and value.kind == other_value.kind)
               for (key, value), (other_key, other_value) in zip(mine, other))


def same_compile_error(_, ours, theirs):
    """Both do not compile, for a reason in the same line."""
    start = rb"ERR Error compiling script \(new function\): user_script:\d+: "
    found = [re.match(start, reply.value) for reply in (ours, theirs) if reply.kind == "-"]
    return len(found) == 2 and all(found) and found[0][0] == found[1][0]


def odd_cursor(words, ours, theirs):
    cursor = words[1 if words[0].lower() == b"scan" else 2]
    return not cursor.isdigit() and (ours.is_error() or theirs.is_error())


def same_but_for_version(_, ours, theirs):
    """DUMP: the last ten bytes are the version of the format and a checksum."""
    return both("$", ours, theirs) and ours.value[:-10] == theirs.value[:-10]


LOOSE = (
    Loose(("ttl", "expiretime", "httl", "hexpiretime"), near(1), CHANCE),
    Loose(("pttl", "pexpiretime", "hpttl", "hpexpiretime"), near(2000), CHANCE),
    Loose(("time", "lastsave"), same_kind, CHANCE),
    Loose(("role",), same_size, "Cluster, replication, modules"),  # but for how far the replication has come
    Loose(("keys", "pubsub|channels", "pubsub|shardchannels"), any_order, CHANCE),
    Loose(("hgetall",), any_pairs, "A hash of up to 128 fields"),
    Loose(("hkeys", "hvals"), any_order, "A hash of up to 128 fields"),
    Loose(("scan", "hscan", "sscan", "zscan"), same_scan, "SCAN walks in another order"),
    Loose(("smembers", "sinter", "sunion", "sdiff"), any_order, CHANCE),
    Loose(("hrandfield", "srandmember", "zrandmember", "randomkey"), same_size, CHANCE),
    Loose(("client|id",), same_kind, CHANCE),
    Loose(("client|info", "client|list", "info"), same_kind, "CLIENT LIST and INFO show what there is"),
    Loose(("hello",), same_hello, CHANCE),
    Loose(("command", "command|count", "command|list", "command|docs", "command|info"), same_kind,
          "COMMAND DOCS and HELP are in Lockstep's own words"),
    Loose(tuple(f"{name}|help" for name in CONTAINERS), same_kind, "COMMAND DOCS and HELP are in Lockstep's own words"),
    Loose(("object|idletime",), either_way, "OBJECT IDLETIME"),
    Loose(("object|encoding", "object|refcount"), same_kind, "OBJECT ENCODING"),
    Loose(("dump",), same_length, "A hash of up to 128 fields"),  # whose bytes follow the order
    Loose(("memory|usage", "memory|stats", "memory|doctor"), same_kind, CHANCE),
    Loose(("memory|malloc-stats",), lambda words, ours, theirs: True, "MEMORY MALLOC-STATS has no figures"),
    Loose(("slowlog|get", "slowlog|len", "latency|latest", "latency|history", "latency|doctor", "latency|graph",
           "latency|histogram", "latency|reset"), same_kind, CHANCE),  # what was slow
    Loose(("eval", "eval_ro", "script|load"), same_compile_error, "Some compile errors are worded otherwise"),
    Loose(("config|get",), same_kind, "Options that cannot be kept are refused"),
)

# Not sent at all, except where scenes.py makes something of them.
EXCLUDED = (
    Excluded("monitor", CHANCE),
    *(Excluded(name, "Persistence: nothing survives the process") for name in ("save", "bgsave", "bgrewriteaof")),
    *(Excluded(name, "Cluster, replication, modules") for name in ("replicaof", "slaveof", "failover", "psync", "sync")),
    Excluded("auth", ORACLE),  # Redis 8.0.2 leaves a refused AUTH behind another reply unanswered; alone: scenes.py
    Excluded("spop", CHANCE),  # what is taken by chance changes the state by chance
)

# With an oracle before `version` these are not sent: its other answer would change what follows.
OLDER_EXCLUDED = (
    ((8, 0, 0), "command|getkeys", "another arity, and so another fate of a MULTI"),
    ((8, 0, 0), "command|getkeysandflags", "the same"),
    ((7, 2, 0), "hello", "does what stands before a fault in it; scenes.py sends it without"),
    ((7, 2, 0), "wait", "waits for ever where later ones refuse a huge timeout"),
)
OLDER_UNUSED_WORDS = (
    ((7, 2, 0), b"-9223372036854775808", "LPOS and LREM take it and negate it"),
)
# Texts that have changed, wherever they come up: (version, before, since then).
OLDER_TEXTS = (
    ((7, 2, 0), b"ERR timeout is negative", b"ERR timeout is out of range"),
)
OLDER = (
    Older((7, 2, 0), ("scan", "hscan", "sscan", "zscan"), odd_cursor, "what is taken as a number"),
    Older((7, 4, 0), ("dump",), same_but_for_version, "an older version of the format"),
)


def command_name(words):
    """The name of a row for what is sent: the subcommand where there is one."""
    name = words[0].decode("latin-1").lower() if isinstance(words[0], bytes) else ""
    if name in CONTAINERS and len(words) > 1 and isinstance(words[1], bytes):
        return f"{name}|{words[1].decode('latin-1').lower()}"
    return name


class Rules:
    """The table, for one oracle."""

    def __init__(self, version):
        self.loose = {name: row.same for row in LOOSE for name in row.commands}
        self.older = [row for row in OLDER if version < row.version]
        self.orders_pushes = version >= (7, 2, 0)  # pushes to oneself before the reply: 7.0
        self.hashes_are_small = False  # of up to 128 fields, none longer than 64 bytes: listed as inserted
        self.excluded = {row.command for row in EXCLUDED}
        self.excluded |= {name for until, name, _ in OLDER_EXCLUDED if version < until}
        self.unused_words = frozenset(word for until, word, _ in OLDER_UNUSED_WORDS if version < until)
        self.older_texts = [(before, after) for until, before, after in OLDER_TEXTS if version < until]
        # Before 7.2 a waiting connection is served from the one key, whatever the others have become; later the
        # command runs again, and fails.
        self.waits_for_one_key = version < (7, 2, 0)

    def as_later(self, reply):
        """The oracle's reply with the texts of later versions."""
        if isinstance(reply.value, list):
            return reply._replace(value=[self.as_later(each) for each in reply.value])
        for before, after in self.older_texts:
            if reply.value and before in reply.value:
                return reply._replace(value=reply.value.replace(before, after))
        return reply

    def is_loose(self, name):
        """Whether a script should not call it: what comes out of scripts is compared byte for byte."""
        return name in self.loose

    def same(self, words, ours, theirs):
        name = command_name(words)
        is_ordered = self.hashes_are_small and name in ("hgetall", "hkeys", "hvals", "dump")
        if name in self.loose and not is_ordered and self.loose[name](words, ours, theirs):
            return True
        return any((not row.commands or name in row.commands) and row.same(words, ours, theirs) for row in self.older)
