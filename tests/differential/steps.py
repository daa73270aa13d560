"""What a history is made of: steps, each sent by one connection. A history says nothing of answers, so it
can be cut to any part of itself and played again. Made by episodes.py, played by player.py."""

from dataclasses import dataclass, replace

import wire


class IdOf:
    """Stands in a command for the id that the server gave another connection."""

    def __init__(self, connection):
        self.connection = connection

    def __repr__(self):
        return f"<id of {self.connection}>"

    def __eq__(self, other):
        return isinstance(other, IdOf) and other.connection == self.connection

    def __len__(self):
        return 2


@dataclass(frozen=True)
class Step:
    """One thing that a connection does.

    words       the command: bytes, or IdOf
    raw         bytes instead of a command: what a broken or odd client sends
    form        how words are sent: "array", "inline", or "cut" (in two pieces, the second later)
    alone       not in one go with what stands before and after: it waits, or acts on other connections
    until       "replied": nothing else happens until it has an answer, for what times out;
                a number: nothing else happens for so many milliseconds, for what expires
    then        the command that follows such a pause, before anything is compared
    outside     not sent while a MULTI is open
    closes      the client goes away
    """
    connection: str
    words: tuple = ()
    raw: bytes = b""
    form: str = "array"
    alone: bool = False
    until: object = None
    then: tuple = ()
    outside: bool = False
    closes: bool = False

    def with_words(self, words):
        return replace(self, words=tuple(words))

    def name(self):
        """The command's name in lower case; empty where there is none."""
        if self.raw or self.closes or not self.words or isinstance(self.words[0], IdOf):
            return ""
        return self.words[0].decode("latin-1").lower()

    def pieces(self, id_of):
        """The bytes to send, in one piece or two."""
        if self.raw:
            return [self.raw]
        words = [id_of(word.connection) if isinstance(word, IdOf) else word for word in self.words]
        if self.form == "inline":
            return [wire.encode_inline(words)]
        data = wire.encode(words)
        if self.form == "cut":
            middle = len(data) // 2
            return [data[:middle], data[middle:]]
        return [data]
