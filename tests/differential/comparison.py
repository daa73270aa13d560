"""Compares what two servers sent on one connection. Equal bytes are equal; otherwise replies are laid beside
the commands they answer, and differences.py says which may differ. Called by player.py."""

from typing import NamedTuple

import wire

MESSAGES = {b"message": "$$", b"pmessage": "$$$", b"smessage": "$$"}  # and the kinds of what follows
CONFIRMATIONS = {b"subscribe", b"unsubscribe", b"psubscribe", b"punsubscribe", b"ssubscribe", b"sunsubscribe"}


class Difference(NamedTuple):
    words: tuple   # the command, if it is known
    ours: object   # Reply, bytes when they cannot be read as replies, None when nothing came
    theirs: object


class Asked(NamedTuple):
    words: tuple
    queued: tuple = ()  # of EXEC: what it runs
    silent: bool = False  # by CLIENT REPLY, unless that was refused


class Dialogue:
    """What a connection has sent and not had answered, and what is queued since MULTI."""

    def __init__(self):
        self.asked = []
        self.queue = None
        self.silent = ""  # "off" or "skip" by CLIENT REPLY

    def sent(self, words):
        name = b" ".join(word.lower() for word in words if isinstance(word, bytes))
        is_silent = bool(self.silent)
        if name.startswith(b"client reply "):
            self.silent = {b"off": "off", b"skip": self.silent or "skip"}.get(name[13:], "")
            is_silent = bool(self.silent)
        elif self.silent == "skip":
            self.silent = ""
        self.asked.append(Asked(words, tuple(self.queue or ()) if name == b"exec" else (), is_silent))
        if name in (b"exec", b"discard", b"reset"):
            self.queue = None
        elif name == b"multi":
            self.queue = self.queue or []
        elif self.queue is not None and not name.startswith((b"watch", b"quit")):
            self.queue.append(words)


def word_of(reply):
    """The first element of what a subscriber is told; None for other replies."""
    if reply.kind not in "*>" or not reply.value or reply.value[0].kind != "$":
        return None
    word, rest = reply.value[0].value, "".join(element.kind for element in reply.value[1:])
    is_told = rest in ("$:", "_:") if word in CONFIRMATIONS else MESSAGES.get(word, "-") == rest
    return word if is_told else None


def is_message(reply):
    return reply.kind == ">" or word_of(reply) in MESSAGES or is_confirmation(reply)


def is_confirmation(reply):
    return word_of(reply) in CONFIRMATIONS


def is_null(reply):
    return reply.kind == "_" or reply.value is None


def run_key(reply):
    """What neighbours share whose order is chance: the patterns that match one message, and the names that
    UNSUBSCRIBE without names leaves."""
    word = word_of(reply)
    if word == b"pmessage":
        return word, *reply.value[2:]
    return (word,) if word in (b"unsubscribe", b"punsubscribe") else None


def in_order(replies):
    """Pattern or name in order within each run of neighbours that share a key, inside arrays too."""
    replies = [reply._replace(value=in_order(reply.value)) if isinstance(reply.value, list) and not is_message(reply)
               else reply for reply in replies]
    at = 0
    while at < len(replies):
        key, end = run_key(replies[at]), at + 1
        while key and end < len(replies) and run_key(replies[end]) == key:
            end += 1
        names = sorted((reply.value[1] for reply in replies[at:end]), key=lambda name: name.value or b"") if key else ()
        for number, name in enumerate(names, at):
            reply = replies[number]
            replies[number] = reply._replace(value=[reply.value[0], name, *reply.value[2:]])
        at = end
    return replies


def subscribes(words):
    """Whether it is answered by confirmations, one a name."""
    return isinstance(words[0], bytes) and words[0].lower() in CONFIRMATIONS


class Answers:
    """Replies laid beside the commands that they answer: messages come unasked and have no owner."""

    def __init__(self, asked, replies):
        self.replies = list(replies)
        self.owners = [None] * len(replies)
        self.at = 0
        for entry in asked:
            if not (subscribes(entry.words) and self._confirmed(len(entry.words) - 1)):
                self._answered(entry)
        self.replies = in_order(self.replies)

    def _skip(self, is_unasked):
        while self.at < len(self.replies) and is_unasked(self.replies[self.at]):
            self.at += 1
        return self.at < len(self.replies)

    def _confirmed(self, names):
        """Goes past the confirmations of (P)SUBSCRIBE and its like, one a name."""
        def is_other_message(reply):
            return word_of(reply) in MESSAGES
        if not self._skip(is_other_message) or not is_confirmation(self.replies[self.at]):
            return False
        for _ in range(max(1, names)):
            self._skip(is_other_message)
            self.at += 1
        return True

    def _answered(self, entry):
        if not self._skip(is_message):
            return
        if any(map(subscribes, entry.queued)) and isinstance(self.replies[self.at].value, list):
            self._regroup(entry)
        self.owners[self.at] = entry
        self.at += 1

    def _regroup(self, entry):
        """Confirmations inside EXEC count for one command each and are more: what belongs into its array stands
        behind it."""
        left = self.replies[self.at].value + self.replies[self.at + 1:]
        elements = []
        for words in entry.queued:
            count = 1
            if subscribes(words) and left and is_confirmation(left[0]):
                count = max(1, len(words) - 1)
                if len(words) == 1:  # all there are; a null name when there are none
                    ends = (number for number, reply in enumerate(left)
                            if word_of(reply) != word_of(left[0]) or is_null(reply.value[1]))
                    count = max(1, next(ends, len(left)))
            if left:
                elements.append(wire.Reply("group", left[:count]) if count > 1 else left[0])
            left = left[count:]
        self.replies[self.at:] = [wire.Reply("*", elements), *left]
        self.owners[self.at:] = [None] * (1 + len(left))


def first_difference(asked, ours, theirs, rules):
    """None, or the first replies that differ and may not."""
    mine, other = Answers(asked, ours), Answers(asked, theirs)
    for number in range(max(len(mine.replies), len(other.replies))):
        a, b = (side.replies[number] if number < len(side.replies) else None for side in (mine, other))
        if a == b or b is not None and a == rules.as_later(b):
            continue
        entry = other.owners[number] if number < len(other.owners) else None
        if a is None or b is None or entry is None or not same_answer(entry, a, b, rules):
            return Difference(entry.words if entry else (), a, b)
    return None


def same_answer(entry, ours, theirs, rules):
    if entry.queued and ours.kind == theirs.kind == "*" and len(ours.value) == len(theirs.value) == len(entry.queued):
        return all(a == b or a == rules.as_later(b) or rules.same(words, a, b)
                   for words, a, b in zip(entry.queued, ours.value, theirs.value))
    return rules.same(entry.words, ours, theirs)


def readable(data, pushes_apart):
    """The replies in `data`; pushes behind the rest where they may come earlier or later."""
    if not pushes_apart:
        return wire.parse_all(data)
    rest, pushes = wire.without_pushes(data, lambda push: not is_confirmation(push))
    return wire.parse_all(rest) + pushes


def compare(asked, ours, theirs, rules, times_pass=False):
    """None when the bytes are equal, or differ in what may differ; else the Difference. `times_pass`: a deadline
    was waited for, of which Redis tells when the key is touched, Lockstep at once."""
    if ours == theirs:
        return None
    try:
        replies = [readable(data, times_pass or not rules.orders_pushes) for data in (ours, theirs)]
    except (wire.Incomplete, wire.Malformed, ValueError):
        return Difference((), ours, theirs)
    difference = first_difference([entry for entry in asked if not entry.silent], *replies, rules)
    if difference and any(entry.silent for entry in asked):
        return first_difference(asked, *replies, rules)
    return difference
