"""Steps and replies in the notation of tests/scripts/README.md, so that a shrunk history can become a
transcript as it is printed. Used by report.py only."""

from steps import IdOf

SHORTEST_RUN = 64  # a longer run of one byte is written "x"*N
BARE = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.,-+*?[]()|/@=<>")
NAMED_ESCAPES = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"}


def is_printable(data):
    return all(0x20 <= byte < 0x7F for byte in data)


def quote(data):
    """As one double-quoted argument of printable ASCII."""
    is_run = len(data) >= SHORTEST_RUN and data.count(data[:1]) == len(data)
    text = "".join(NAMED_ESCAPES.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}")
                   for byte in (data[:1] if is_run else data))
    return f'"{text}"' + (f"*{len(data)}" if is_run else "")


def word(argument):
    """An argument of a command."""
    if isinstance(argument, IdOf):
        return id_name(argument.connection)
    if argument and BARE.issuperset(argument):
        return argument.decode()
    return quote(argument)


def id_name(connection):
    return f"<{connection.lower()}_id>"


def asks_id(connection):
    """The two lines by which a transcript learns a connection's id."""
    return [f"{connection}> CLIENT ID", f'{connection}<~ :{id_name(connection)[:-1]}:[0-9]+>']


def step_lines(step):
    """What is sent, a line each."""
    if step.closes:
        return [f"{step.connection} close"]
    if step.raw or step.form != "array":
        pieces = step.pieces(lambda connection: id_name(connection).encode())
        return [f"{step.connection}>raw {quote(piece)}" for piece in pieces]
    line = f"{step.connection}> " + " ".join(word(argument) for argument in step.words)
    if isinstance(step.until, int):
        return [line, f"# and {step.until} ms pass", f"{step.connection}> " + " ".join(map(word, step.then))]
    return [line]


def simple(data, nested):
    """A status or error, quoted where its end would not be seen."""
    ambiguous = nested and any(byte in b",[]{}" for byte in data)
    if not data or data != data.strip(b" ") or data.startswith(b'"') or ambiguous or not is_printable(data):
        return quote(data)
    return data.decode()


def reply(it, nested=False):
    """A reply on one line."""
    kind, value = it
    if kind == "_":
        return "null"
    if value is None:
        return {"$": "nil", "*": "nil*"}.get(kind, kind + "-1")
    if kind in "+-":
        return kind + simple(value, nested)
    if kind in ":(,#":
        return kind + value.decode("latin-1")
    if kind == "$":
        return quote(value)
    if kind == "!":
        return "!" + quote(value)
    if kind == "=":
        return "=" + value[:4].decode("latin-1") + quote(value[4:])
    if kind == "%":
        pairs = zip(value[::2], value[1::2])
        return "{" + ", ".join(f"{reply(k, True)} => {reply(v, True)}" for k, v in pairs) + "}"
    return kind.replace("*", "") + "[" + ", ".join(reply(element, True) for element in value) + "]"
