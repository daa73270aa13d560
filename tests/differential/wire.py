"""RESP as a client sees it: requests to bytes, bytes to replies. Used by everything here that speaks to a
server; shares nothing with the server's own reader and writer, whose bytes it checks."""

from typing import NamedTuple


class Reply(NamedTuple):
    """One reply as it came. `kind` is RESP's first character; `value` is bytes, or None for a null, or a
    list for * ~ > and % (where keys and values take turns)."""
    kind: str
    value: object

    def is_error(self):
        return self.kind in "-!"


class Incomplete(Exception):
    """The bytes end inside a reply."""


class Malformed(Exception):
    """The bytes are no reply."""


LINES = "+-:,#_("
BULKS = "$!="
AGGREGATES = "*~>%"


def encode(arguments):
    """A request: an array of bulk strings."""
    return b"*%d\r\n" % len(arguments) + b"".join(b"$%d\r\n%s\r\n" % (len(a), a) for a in arguments)


def encode_inline(arguments):
    """The same as one line, for people; quoted throughout."""
    return b" ".join(b'"' + b"".join(_escaped(byte) for byte in a) + b'"' for a in arguments) + b"\r\n"


def _escaped(byte):
    if byte in b'"\\' or not 0x20 <= byte < 0x7F:
        return b"\\x%02x" % byte
    return bytes([byte])


def parse(data, at=0):
    """(reply, where it ends)."""
    end = data.find(b"\r\n", at)
    if end < 0:
        raise Incomplete
    if end == at:
        raise Malformed(bytes(data[at:at + 80]))
    kind, line, at = chr(data[at]), bytes(data[at + 1:end]), end + 2
    if kind in LINES:
        return Reply(kind, line), at
    if kind not in BULKS and kind not in AGGREGATES or not line.removeprefix(b"-").isdigit():
        raise Malformed(kind.encode() + line)
    count = int(line)
    if count < 0:
        return Reply(kind, None), at
    if kind in BULKS:
        if len(data) < at + count + 2:
            raise Incomplete
        return Reply(kind, bytes(data[at:at + count])), at + count + 2
    elements = []
    for _ in range(count * (2 if kind == "%" else 1)):
        element, at = parse(data, at)
        elements.append(element)
    return Reply(kind, elements), at


def parse_all(data):
    """All replies in `data`, which must end with a reply."""
    replies, at = [], 0
    while at < len(data):
        reply, at = parse(data, at)
        replies.append(reply)
    return replies


def without_pushes(data, is_apart):
    """(`data` without the pushes that `is_apart`, these): wherever they stand, inside an array too."""
    rest, pushes, at = bytearray(), [], 0
    while at < len(data):
        if data[at:at + 1] == b">":
            push, end = parse(data, at)
            if is_apart(push):
                pushes.append(push)
            else:
                rest += data[at:end]
            at = end
            continue
        end = data.find(b"\r\n", at)
        if end < 0:
            raise Incomplete
        end += 2
        if data[at:at + 1] in (b"$", b"!", b"=") and data[at + 1:at + 2] != b"-":
            end += int(data[at + 1:end - 2]) + 2
        rest += data[at:end]
        at = end
    return bytes(rest), pushes
