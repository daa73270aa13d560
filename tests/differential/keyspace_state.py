"""Compares what two servers hold: keys, types, values and deadlines of every database. Called by player.py
between batches; reads only."""

from comparison import Difference
from wire import Reply

DATABASES = 16
NEAR_MS = 2000
VALUE_OF = {b"string": (b"GET",), b"hash": (b"HGETALL",), b"list": (b"LRANGE", 0, b"-1"), b"set": (b"SMEMBERS",),
            b"zset": (b"ZRANGE", b"0", b"-1", b"WITHSCORES"), b"stream": (b"XRANGE", b"-", b"+")}


def _read_all(control, requests):
    return control.ask_all(requests) if requests else []


def _value_request(kind, key):
    command, *rest = VALUE_OF[kind]
    return (command, key, *(b"0" if word == 0 else word for word in rest))


def keys_of(control):
    """[(database, key)] of all."""
    replies = control.ask_all([words for number in range(DATABASES)
                               for words in ((b"SELECT", b"%d" % number), (b"KEYS", b"*"), (b"DBSIZE",))])
    found = [(number, key.value) for number in range(DATABASES) for key in replies[3 * number + 1].value]
    sizes = [replies[3 * number + 2] for number in range(DATABASES)]
    return sorted(found), sizes


def _facts(control, places):
    """{place: (type, deadline, value)}"""
    requests = []
    for number, key in places:
        requests += [(b"SELECT", b"%d" % number), (b"TYPE", key), (b"PEXPIRETIME", key)]
    replies = _read_all(control, requests)
    kinds = [reply.value for reply in replies[1::3]]
    deadlines = [int(reply.value) for reply in replies[2::3]]
    requests = []
    for (number, key), kind in zip(places, kinds):
        requests += [(b"SELECT", b"%d" % number), _value_request(kind, key) if kind in VALUE_OF else (b"EXISTS", key)]
    values = _read_all(control, requests)[1::2]
    return {place: (kind, deadline, _settled(kind, value))
            for place, kind, deadline, value in zip(places, kinds, deadlines, values)}


def _settled(kind, value):
    """Sets in order; hashes as pairs in order: their own order is compared by HGETALL."""
    if kind == b"set" and isinstance(value.value, list):
        return sorted(value.value)
    if kind == b"hash" and isinstance(value.value, list):
        return sorted(zip(value.value[::2], value.value[1::2]))
    return value.value


def compare_states(ours, theirs):
    """None, or the first Difference; its command is the one that would show it."""
    (our_keys, our_sizes), (their_keys, their_sizes) = keys_of(ours), keys_of(theirs)
    if our_keys != their_keys:
        number = min(set(our_keys) ^ set(their_keys))[0]
        return Difference((b"KEYS", b"*"), *(_key_list(keys, number) for keys in (our_keys, their_keys)))
    if our_sizes != their_sizes:
        return Difference((b"DBSIZE",), *next((a, b) for a, b in zip(our_sizes, their_sizes) if a != b))
    our_facts, their_facts = _facts(ours, our_keys), _facts(theirs, our_keys)
    for place, mine in our_facts.items():
        difference = _facts_difference(place, mine, their_facts[place])
        if difference:
            return difference
    return None


def _key_list(keys, number):
    return Reply("*", [Reply("$", key) for found, key in keys if found == number])


def _facts_difference(place, mine, other):
    key = place[1]
    if mine[0] != other[0]:
        return Difference((b"TYPE", key), Reply("+", mine[0]), Reply("+", other[0]))
    if mine[1] != other[1] and (mine[1] <= 0 or other[1] <= 0 or abs(mine[1] - other[1]) > NEAR_MS):
        return Difference((b"PEXPIRETIME", key), Reply(":", b"%d" % mine[1]), Reply(":", b"%d" % other[1]))
    if mine[2] != other[2]:
        words = _value_request(mine[0], key)
        return Difference(words, *(Reply("$", repr(value).encode()) for value in (mine[2], other[2])))
    return None
