"""Small pools from which arguments are drawn, so that commands meet on the same keys, fields and values, and
the numbers at which something changes. Used by calls.py and episodes.py.

Times: both servers run on real clocks, a little apart. So a time to live is long, or over already; short
ones are made only by episodes.py, which then waits until they are over."""

# The values of a family live under keys of their own most of the time; WRONGTYPE comes from the rest.
KEYS_OF_GROUP = {
    "string": (b"s1", b"s2", b"s3"), "hash": (b"h1", b"h2"), "list": (b"l1", b"l2", b"l3"),
    "set": (b"e1", b"e2", b"e3"), "sorted-set": (b"z1", b"z2"), "stream": (b"x1", b"x2"),
}
ODD_KEYS = (b"", b"k\x00\r\n\xff", b"{tag}k", b"lock:a", b"K" * 40)
FIELDS = (b"f", b"g", b"n", b"", b"\xfe\x00", b"a field longer than the sixty-four bytes that a small one has at most")
# A NUL never makes two words equal up to it: SORT ALPHA would stop there (DIFFERENCES.md).
VALUES = (b"v", b"token", b"1", b"41", b"-5", b"3.5", b"", b"9223372036854775807", b"-9223372036854775808",
          b"q\x00\r\nb",
          b"\xf0\x9f\x94\x92", b" 1", b"1e3", b"0", b"07", b"+1", b"w" * 70, b"long value " * 30)
MEMBERS = (b"a", b"b", b"c", b"1", b"2", b"10", b"", b"q\x00\r\nb", b"m" * 70)
CHANNELS = (b"c1", b"c2", b"news", b"", b"__keyspace@0__:s1", b"__keyevent@0__:set", b"__keyevent@0__:del",
            b"__keyspace@1__:l1")
PATTERNS = (b"*", b"c*", b"?1", b"[sl]1", b"[^s]*", b"[a-k]1", b"\\*", b"", b"*1*", b"__key*__:*", b"__keyevent@0__:*",
            b"[", b"s[", b"**?")

SMALL = (b"0", b"1", b"2", b"3", b"-1", b"-2", b"5", b"10")
INTEGERS = SMALL * 4 + (
    b"100", b"-100", b"2147483647", b"-2147483648", b"4294967296", b"9223372036854775807", b"-9223372036854775808",
    b"9223372036854775808", b"-9223372036854775807", b"18446744073709551616")
NO_INTEGERS = (b"", b"x", b"1.5", b" 1", b"1 ", b"01", b"+1", b"-0", b"0x10", b"1e2", b"7\x00", b"--1")
DOUBLES = (b"0", b"1", b"-1", b"0.1", b"3.0e3", b"1.5", b"-2.25", b"10.0", b"1e15", b"123456789.125", b"inf", b"-inf",
           b"+inf", b"infinity", b"5.5e-3", b"1e17", b"0.3333333333333333")
NO_DOUBLES = (b"", b"x", b"nan", b" 1", b"1 ", b"1e", b"0x10", b"1e5000", b"1,5", b"(1", b"(", b"-", b"+", b".", b"1.",
              b".5")

HUGE_TIMES = (b"9223372036854775807", b"9223372036854775", b"-9223372036854775808", b"18446744073709561",
              b"92233720368547758070")
OVER_TIMES = (b"0", b"-1", b"-1000")
LONG_TIMES = {"seconds": (1000, 10**9), "milliseconds": (1_000_000, 10**12)}  # never the same: GT would tell by chance
UNIX_SECONDS = (b"4000000000", b"5000000000")
UNIX_MILLISECONDS = (b"4000000000000", b"5000000000001")
PAST = (b"1", b"1000000000")

# By the name that COMMAND DOCS gives an argument. What is not here goes by its type.
BY_NAME = {
    "index": SMALL + (b"100", b"-100"), "db": (b"0", b"1", b"2", b"15", b"16", b"-1"),
    "field": FIELDS, "member": MEMBERS, "element": MEMBERS, "pivot": MEMBERS,
    "value": VALUES, "message": VALUES, "increment": INTEGERS + DOUBLES, "decrement": INTEGERS,
    "channel": CHANNELS, "pattern": PATTERNS, "cursor": (b"0",) * 6 + (b"1", b"x", b"-1", b"18446744073709551616"),
    "unix-time-seconds": UNIX_SECONDS * 3 + PAST + OVER_TIMES + HUGE_TIMES,
    "unix-time-milliseconds": UNIX_MILLISECONDS * 3 + PAST + OVER_TIMES + HUGE_TIMES,
    "timeout": (b"0",) * 16 + (b"1000", b"-1", b"x", b"1e30", b"inf", b"nan", b"0x0", b"9223372036854775807", b"2.5e3"),
    "protover": (b"2", b"3", b"3", b"2", b"1", b"4", b"x", b"3.0"), "username": (b"default", b"default", b"nobody"),
    "password": (b"secret", b""), "connection-name": (b"me", b"", b"with space", b"other"),
    "clientname": (b"me", b"with space"),
    "libname": (b"lib", b"my lib", b"", b"lib(x)"), "libver": (b"1.2", b"1 2", b""),
    "client-id": (b"999999", b"0", b"-1", b"x", b"999998"), "ip:port": (b"127.0.0.1:1", b"x", b""),
    "maxage": (b"1000000", b"0x", b"-1", b"99999999"), "normal": (b"pubsub",), "section": (b"server", b"nothing"),
    "offset": SMALL + (b"100", b"536870912", b"-9223372036854775808", b"9223372036854775807"),
    "parameter": (b"notify-keyspace-events", b"databases", b"nothing*"), "category": (b"string", b"nothing", b"write"),
}
# Of what is drawn by chance: a negative count asks for that many, so it must stay small.
COUNTS_BY_CHANCE = (b"0", b"1", b"2", b"-1", b"-3", b"100", b"-100", b"-9223372036854775808", b"x")
LONGEST_SHORT = 64  # bytes; a longer element makes Redis change the encoding, and with it the order
EVENT_CLASSES = (b"KEA", b"", b"AKE", b"Kg$", b"El", b"KEhx", b"KEA", b"m", b"KEn", b"KExyz", b"gxE")
DATABASES = (b"0",) * 5 + (b"1",) * 3 + (b"2", b"15", b"16", b"-1", b"x", b"4294967296", b"9223372036854775808")
ANYTHING = VALUES + FIELDS + NO_INTEGERS + NO_DOUBLES + (b"GET", b"EX", b"NX", b"COUNT", b"KEYS", b"*", b"LEFT")


class Words:
    """Draws arguments for one episode. `unused`: words that an older oracle takes for something else."""

    def __init__(self, random, groups, only_short, unused=frozenset()):
        self.random = random
        self.only_short = only_short
        self.unused = unused
        self.families = [KEYS_OF_GROUP[group] for group in sorted(groups & KEYS_OF_GROUP.keys())]
        self.keys = [key for family in self.families for key in family]

    def choose(self, pool):
        word = self.random.choice(pool)
        while word in self.unused or self.only_short and len(word) > LONGEST_SHORT:
            word = self.random.choice(pool)
        return word

    def key(self, group):
        dice = self.random.random()
        if group in KEYS_OF_GROUP and dice < 0.85:
            return self.choose(KEYS_OF_GROUP[group])
        return self.choose(ODD_KEYS if dice > 0.97 else self.keys)

    def anything(self):
        return self.choose(ANYTHING)

    def value(self, command, argument):
        """A value for an argument of COMMAND DOCS."""
        return self.key(command.group) if argument.kind == "key" else self.choose(self._pool(command, argument))

    def _pool(self, command, argument):
        if command.name == "config|set" and argument.name == "value":
            return EVENT_CLASSES
        if command.name == "select":
            return DATABASES
        if argument.name == "count" and "rand" in command.name:
            return COUNTS_BY_CHANCE
        if argument.name in LONG_TIMES and self.random.random() < 0.6:
            return (b"%d" % self.random.randint(*LONG_TIMES[argument.name]),)
        if argument.name in LONG_TIMES:
            return OVER_TIMES + HUGE_TIMES
        if argument.name in BY_NAME:
            return BY_NAME[argument.name]
        if argument.kind == "integer":
            return INTEGERS if self.random.random() < 0.93 else NO_INTEGERS
        if argument.kind == "double":
            return DOUBLES if self.random.random() < 0.9 else NO_DOUBLES
        if argument.kind == "unix-time":
            return BY_NAME["unix-time-milliseconds"]
        return PATTERNS if argument.kind == "pattern" else VALUES
