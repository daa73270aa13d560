"""Scenes: several steps that belong together, such as a transaction, a wait and who ends it, a pause, a broken
request. Each is a function of the episode and the connection it begins with. Called by episodes.py."""

from steps import IdOf, Step

# What a broken or odd client sends; the connection does not outlive most of them.
RAW = (
    b"\r\n", b"*0\r\n", b"*-1\r\n", b"\r\n\r\n*1\r\n$4\r\nPING\r\n", b"PING\r\n", b"ping x\r\n",
    b'PING "x\\x41"\r\n', b"  PING  x \r\n", b"*1\r\n$4\r\nPING\r\n\n", b"PING\nPING\n",
    b"*2\r\n$3\r\nGET\r\nx\r\n", b"*1\r\n:1\r\n", b"*x\r\n", b"*1\r\n$-1\r\n", b"*1\r\n$x\r\n", b"*1048577\r\n",
    b"*1\r\n$536870913\r\n", b"SET s1 'v\r\n", b'SET s1 "v"x\r\n', b"GET 's1'\r\n", b"*1\r\n$0\r\n\r\n",
    b"*2147483648\r\n", b"*1\r\n$4\r\nPINGxx*1\r\n$4\r\nPING\r\n", b"*+1\r\n$4\r\nPING\r\n",
    b"*01\r\n$04\r\nPING\r\n", b"* 1\r\n", b"\x80\xff\r\n",
)
PUSH_AND_DELETE = b"redis.call('lpush',KEYS[1],'a') return redis.call('del',KEYS[1])"


def transaction(episode, name):
    episode.add(name, "MULTI")
    for _ in range(episode.one_of(0, 1, 2, 4)):
        episode.call(name)
    episode.add(name, episode.one_of("EXEC", "EXEC", "EXEC", "DISCARD"))


def watched(episode, name):
    other = episode.other(name)
    episode.add(name, "WATCH", *(episode.one_of(*episode.words.keys) for _ in range(episode.one_of(1, 2))))
    for _ in range(episode.one_of(0, 1, 2)):
        episode.call(other)
    transaction(episode, name)


def waiting(episode, name):
    """One or two wait, others do something about it."""
    for waiter in sorted({name, episode.other(name)}):
        episode.add(waiter, *episode.waiting_call(episode.one_of(*episode.blocking)), alone=True)
    for _ in range(episode.one_of(1, 2, 4)):
        key = episode.one_of("l1", "l2", "l3")
        words = episode.one_of(f"RPUSH {key} a b", f"LPUSH {key} c", f"DEL {key}", f"RENAME s1 {key}", f"SET {key} v",
                               f"RPOPLPUSH l1 {key}", f"RENAME l1 {key}", "MULTI", "EXEC", "script").split()
        if words == ["script"]:
            words = ["EVAL", PUSH_AND_DELETE, "1", key]
        episode.add(episode.other(name), *words)


def timed_out(episode, name):
    key = episode.one_of("l1", "nolist")
    words = episode.one_of(f"BLPOP {key} 0.005", f"BRPOP {key} x 0.001", f"BLMOVE {key} l2 LEFT LEFT 0.01",
                           f"BLMPOP 0.005 1 {key} LEFT", f"BRPOPLPUSH {key} l3 0.005").split()
    episode.add(name, *words, alone=True, until="replied")


def unblocked(episode, name):
    other = episode.other(name)
    episode.add(other, "BLPOP", "nolist", "0", alone=True)
    episode.add(name, "CLIENT", "UNBLOCK", IdOf(other), *episode.one_of("", "TIMEOUT", "ERROR", "x").split(), alone=True)


def expired(episode, name):
    """A short time to live, of which the end is waited for; then the key is touched: Redis may not have noticed."""
    key = episode.one_of("s1", "h1", "l1")
    words = episode.one_of(f"SET {key} v PX 3", f"PEXPIRE {key} 3", f"PSETEX {key} 3 v").split()
    episode.add(name, *words, outside=True, until=12, then=(b"EXISTS", key.encode()))


def past(episode, name):
    """A key set with a time that has passed; Redis has it until it is touched."""
    words = episode.one_of("SET s3 v PXAT 1", "SET s3 v EXAT 1").split()
    episode.add(name, *words, outside=True, until=1, then=(b"EXISTS", b"s3"))


def silent(episode, name):
    """CLIENT REPLY, which a RESP2 subscriber may not send."""
    if name in episode.listening:
        return
    episode.add(name, "CLIENT", "REPLY", episode.one_of("OFF", "SKIP", "SKIP"))
    for _ in range(episode.one_of(1, 2, 3)):
        words = episode.one_of("INCR s1", "GET s2", "PING", "NOTHING", "SET s1 1", "CLIENT REPLY SKIP").split()
        episode.add(name, *words)
    episode.add(name, "CLIENT", "REPLY", "ON")


def paused(episode, name):
    """Writes of another connection are held back until the pause ends."""
    other = episode.other(name)
    episode.add(name, "CLIENT", "PAUSE", "100000", "WRITE", alone=True)
    if other != name:
        words = episode.one_of("SET s1 v", "INCR s2", "GET s1", "PUBLISH c1 x", "EVAL return(1) 0").split()
        episode.add(other, *words, alone=True)
    episode.add(name, "GET", "s1")
    episode.add(name, "CLIENT", "UNPAUSE", alone=True)


def broken(episode, name):
    episode.steps.append(Step(name, raw=episode.one_of(*RAW), alone=True))
    if episode.chance(0.5):
        gone(episode, name)


def gone(episode, name):
    episode.steps.append(Step(name, closes=True))


def introduced(episode, name):
    words = episode.one_of("HELLO 3", "HELLO 2", "HELLO", "RESET", "HELLO 3 SETNAME me", "HELLO 2 SETNAME a",
                           "HELLO 3 AUTH default x", "HELLO 3 AUTH nobody x", "AUTH x", "AUTH nobody x",
                           "AUTH default x", "CLIENT GETNAME").split()
    episode.add(name, *words, outside=True)


def heard(episode, name):
    """Somebody listens, somebody speaks, also to himself."""
    words = episode.one_of("SUBSCRIBE c1 c2", "PSUBSCRIBE c* *", "SUBSCRIBE __keyevent@0__:set", "PSUBSCRIBE __key*__:*")
    episode.add(episode.one_of(name, episode.other(name)), *words.split())
    for _ in range(episode.one_of(1, 2, 3)):
        episode.add(name, *episode.one_of("PUBLISH c1 hello", "SET s1 v", "DEL s1 l1", "RPUSH l1 x").split())


def killed(episode, name):
    other = IdOf(episode.other(name))
    filters = episode.one_of(("ID", other), ("ID", other, "SKIPME", "yes"), ("TYPE", "pubsub"),
                             ("ID", other, "USER", "default"))
    episode.add(name, "CLIENT", "KILL", *filters, alone=True)


def other_form(episode, name):
    episode.call(name, form=episode.one_of("inline", "cut"))


ALL = (transaction, watched, waiting, timed_out, unblocked, expired, past, silent, paused, broken, gone, introduced,
       heard, killed, other_form)
