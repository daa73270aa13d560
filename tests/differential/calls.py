"""Makes calls of commands from the syntax that COMMAND DOCS tells: with and without each option, in any order
and case, and one in six spoiled. Used by episodes.py and lua_scripts.py; knows no connections."""

import hashlib
import time

from words import Words

SPOILED = 1 / 6
# Where a time to live stands: the word before it, or its place; and how long in its unit is too short to be safe.
SHORT_MS, SHORT_S = 120_000, 120
RELATIVE_AFTER = {b"EX": SHORT_S, b"PX": SHORT_MS}
RELATIVE_AT = {"expire": (2, SHORT_S), "pexpire": (2, SHORT_MS), "setex": (2, SHORT_S), "psetex": (2, SHORT_MS),
               "hexpire": (2, SHORT_S), "hpexpire": (2, SHORT_MS), "restore": (2, SHORT_MS)}
ABSOLUTE_AFTER = {b"EXAT": 1, b"PXAT": 1000}
# Where a command says how long it waits, and in which part of a second.
TIMEOUT_AT = {"blpop": (-1, 1), "brpop": (-1, 1), "blmove": (-1, 1), "brpoplpush": (-1, 1), "blmpop": (1, 1),
              "bzpopmin": (-1, 1), "bzpopmax": (-1, 1), "bzmpop": (1, 1), "wait": (-1, 1000), "waitaof": (-1, 1000)}
LONG_WAIT_S = 1000


def integer(word):
    text = word.strip()
    return int(text) if text.removeprefix(b"-").isdigit() and len(text) < 21 else None


def expires_soon(words):
    """Whether a key would go within the run, or (SET with a past time) has gone but for its next use."""
    name = words[0].lower().decode("latin-1")
    if name in RELATIVE_AT:
        at, short = RELATIVE_AT[name]
        ttl = integer(words[at]) if len(words) > at else None
        if ttl is not None and 0 < ttl < short:
            return True
    soon = time.time() + SHORT_S
    for before, word in zip(words, words[1:]):
        number = integer(word)
        if number is None or number <= 0:
            continue
        option = before.upper()
        if number < RELATIVE_AFTER.get(option, 0):
            return True
        if option in ABSOLUTE_AFTER and number < soon * ABSOLUTE_AFTER[option] and name != "getex":
            return True
    return False


def is_script(words):
    return words[0].lower().startswith((b"eval", b"fcall"))


def names_deadline(words):
    """Whether a script may set a time to live, which then must stay what it is."""
    text = b" ".join(words).lower()
    return is_script(words) and (b"sha" in words[0].lower() or any(word in text for word in (b"ex", b"px", b"restore")))


def waits_briefly(words):
    """Whether it would time out within the run, at another moment on each server."""
    name = words[0].lower().decode("latin-1")
    at, unit = TIMEOUT_AT.get(name, (None, 0))
    timeouts = [(words[at], unit)] if at is not None and len(words) > 1 else []
    timeouts += [(after, 1000) for word, after in zip(words, words[1:]) if word.upper() == b"BLOCK"]
    for word, unit_per_s in timeouts:
        try:
            if 0 < float(word) < LONG_WAIT_S * unit_per_s:
                return True
        except ValueError:
            continue
    return False


def harms_few(filters):
    """Whether CLIENT KILL leaves the connections be, or most of them."""
    selective = {b"999999", b"999998", b"127.0.0.1:1", b"1000000", b"99999999", b"pubsub", b"master", b"replica"}
    return bool(filters & selective) and not filters & {b"normal", b"default", b"no", b"laddr"}


def is_safe(words):
    """Not what would end a server, cut off the connection that watches, or stop replies without notice."""
    name = words[0].lower()
    if name == b"client" and len(words) > 2:
        what = words[1].lower()
        numbers = [integer(word) or 0 for word in words[2:]]
        if what in (b"kill", b"unblock", b"list") and any(0 < number < 100_000 for number in numbers):
            return False
        if what == b"pause" and max(numbers) > 0:
            return False
        if what == b"kill" and not harms_few({word.lower() for word in words[2:]}):
            return False
        if what == b"no-touch":  # Redis 8.0.2 crashes when it serves a waiting connection after that
            return words[2].lower() != b"on"
        return what != b"reply" or words[2].lower() not in (b"off", b"skip")
    if name == b"hello":
        # A refused AUTH: see EXCLUDED.
        return all(after == b"default" for word, after in zip(words, words[1:]) if word.upper() == b"AUTH")
    if name == b"shutdown":
        return any(word.lower() in (b"abort", b"bad") for word in words)
    return True


class Calls:
    """Makes calls for one episode."""

    def __init__(self, random, words: Words, foreign_tokens):
        self.random = random
        self.words = words
        self.foreign_tokens = foreign_tokens  # {command: options that the oracle has, whoever else has them}
        self.scripts = []  # (text, keys, arguments) used so far, for EVALSHA
        self.make_script = lambda: (b"return 1", [], [])

    def of(self, command):
        """A call that is safe to send, as a list of words."""
        while True:
            words = self._one(command)
            if not expires_soon(words) and not waits_briefly(words) and is_safe(words):
                return words

    def _one(self, command):
        if command.name in ("eval", "eval_ro", "evalsha", "evalsha_ro"):
            words = self._script_call(command)
        else:
            words = [self._cased(word) for word in command.words]
            self._append_all(command, self._shuffled(command.arguments), words)
        if command.name == "shutdown":
            words.append(b"ABORT")
        if self.random.random() < SPOILED and not (is_script(words) and names_deadline(words)):
            self._spoil(command, words)
        return words

    def _cased(self, word):
        dice = self.random.random()
        if dice < 0.7:
            return word
        return word.lower() if dice < 0.85 else word.swapcase() if dice < 0.9 else word.title()

    def _shuffled(self, arguments):
        """Neighbouring options in another order, now and then."""
        arguments = list(arguments)
        first = 0
        while first < len(arguments):
            last = first
            while last < len(arguments) and arguments[last].optional and arguments[last].tokens():
                last += 1
            if last - first > 1 and self.random.random() < 0.5:
                run = arguments[first:last]
                self.random.shuffle(run)
                arguments[first:last] = run
            first = last + 1
        return arguments

    def _append_all(self, command, arguments, words):
        count_at = None
        for argument in arguments:
            if argument.optional and self.random.random() < 0.55:
                continue
            if argument.name == "numkeys":
                count_at = len(words)
                words.append(b"1")
                continue
            before = len(words)
            self._append(command, argument, words)
            if count_at is not None and argument.kind == "key":
                count = len(words) - before
                odd = self.random.random() < 0.05
                words[count_at] = self.random.choice((b"0", b"-1", b"x", b"7")) if odd else b"%d" % count

    def _append(self, command, argument, words):
        times = self.random.choice((1, 1, 2, 3)) if argument.multiple else 1
        for time_now in range(times):
            if argument.token and (time_now == 0 or argument.multiple_token):
                words.append(self._cased(argument.token))
            if argument.kind == "oneof":
                self._append(command, self.random.choice(argument.parts), words)
            elif argument.kind == "block":
                self._append_all(command, argument.parts, words)
            elif argument.kind != "pure-token":
                words.append(self._value(command, argument))

    def _value(self, command, argument):
        if argument.name == "script":
            return self.make_script()[0]
        if argument.name == "sha1":
            return self.sha1()
        if argument.name in ("command", "command-name"):
            return self.random.choice((b"get", b"set", b"blmpop", b"eval", b"client|kill", b"nothing", b"lmove"))
        return self.words.value(command, argument)

    def sha1(self):
        if self.scripts and self.random.random() < 0.9:
            digest = hashlib.sha1(self.random.choice(self.scripts)[0]).hexdigest()
            return (digest.upper() if self.random.random() < 0.1 else digest).encode()
        return self.random.choice((b"f" * 40, b"", b"x", b"F" * 40, b"0" * 41))

    def _script_call(self, command):
        """EVAL and its like with the keys and arguments that the script expects."""
        words = [self._cased(command.words[0])]
        if "sha" in command.name and self.scripts:
            text, keys, arguments = self.random.choice(self.scripts)
            words.append(hashlib.sha1(text).hexdigest().encode() if self.random.random() < 0.9 else self.sha1())
        else:
            text, keys, arguments = self.make_script()
            words.append(text)
            self.scripts.append((text, keys, arguments))
        words += [b"%d" % len(keys), *keys, *arguments]
        if self.random.random() < 0.03 and not names_deadline(words):
            words[2] = b"%d" % self.random.choice((0, 1, len(keys) + 1))
        return words

    def _spoil(self, command, words):
        first = len(command.words)
        at = self.random.randrange(first, len(words)) if len(words) > first else first
        kind = self.random.randrange(6)
        if kind == 0 and len(words) > first:
            del words[at]
        elif kind == 1:
            words.insert(at, self.words.anything())
        elif kind == 2 and len(words) > first:
            words[at] = self.words.anything()
        elif kind == 3 and len(words) > first + 1:
            other = self.random.randrange(first, len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == 4 and len(words) > first:
            words.append(words[at])
        elif self.foreign_tokens.get(command.name):
            words.append(self.random.choice(self.foreign_tokens[command.name]))
        else:
            words.append(self.words.anything())
