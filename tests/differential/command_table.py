"""The commands of a server, as it tells them itself by COMMAND and COMMAND DOCS: names, arity, flags, groups
and the tree of arguments. What is generated comes from here, so a new row takes part from its first day."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Argument:
    name: str
    kind: str  # key, string, integer, double, pattern, unix-time, pure-token, oneof, block
    token: bytes = b""
    optional: bool = False
    multiple: bool = False
    multiple_token: bool = False
    parts: tuple = ()

    def tokens(self):
        """All literal words below, in upper case."""
        own = {self.token.upper()} if self.token else set()
        return own.union(*(part.tokens() for part in self.parts))


@dataclass(frozen=True)
class Command:
    name: str  # "client|kill"
    group: str
    arity: int
    flags: frozenset
    arguments: tuple = ()
    facts: dict = field(default_factory=dict, compare=False)  # what COMMAND INFO says, to be compared

    @property
    def words(self):
        return tuple(word.upper().encode() for word in self.name.split("|"))

    def tokens(self):
        return set().union(*(argument.tokens() for argument in self.arguments))

    def facts_agree(self, other):
        return self.arity == other.arity and self.flags == other.flags


def _text(reply):
    return reply.value.decode("latin-1")


def _pairs(reply):
    return {_text(key): value for key, value in zip(reply.value[::2], reply.value[1::2])}


def _argument(reply):
    entry = _pairs(reply)
    flags = {_text(flag) for flag in entry["flags"].value} if "flags" in entry else set()
    return Argument(name=_text(entry["name"]), kind=_text(entry["type"]),
                    token=entry["token"].value if "token" in entry else b"",
                    optional="optional" in flags, multiple="multiple" in flags,
                    multiple_token="multiple_token" in flags, parts=_arguments(entry))


def _arguments(entry):
    return tuple(_argument(each) for each in entry["arguments"].value) if "arguments" in entry else ()


def _facts(row):
    """What COMMAND INFO says of a command, without its subcommands, tips (not claimed) and order."""
    return {"arity": int(row[1].value), "flags": sorted(map(_text, row[2].value)),
            "keys": [int(number.value) for number in row[3:6]],
            "categories": sorted(map(_text, row[6].value)), "key specs": _sorted(row[8])}


def _sorted(reply):
    """Nested lists without RESP's kinds and without notes, which are words for people; flags in order."""
    if not isinstance(reply.value, list):
        return reply.value
    elements = [_sorted(each) for each in reply.value]
    if elements[:1] == [b"notes"]:
        elements = elements[2:]
    return sorted(elements) if all(each.kind == "+" for each in reply.value) else elements


def _rows(replies):
    for reply in replies:
        row = reply.value
        yield _text(row[0]), _facts(row)
        yield from _rows(row[9].value)


def _commands(docs, facts):
    for name, reply in docs.items():
        entry = _pairs(reply)
        yield from _commands(_pairs(entry["subcommands"]) if "subcommands" in entry else {}, facts)
        if name not in facts or name.count("|") == 0 and "subcommands" in entry and "arguments" not in entry \
                and facts[name]["arity"] == -2:
            continue  # a container is reached through what it contains
        yield Command(name=name, group=_text(entry["group"]), arity=facts[name]["arity"],
                      flags=frozenset(facts[name]["flags"]), arguments=_arguments(entry), facts=facts[name])


def read(ask):
    """{name: Command}. `ask(*words)` sends a command and answers the reply."""
    facts = dict(_rows(ask(b"COMMAND").value))
    docs = ask(b"COMMAND", b"DOCS")
    return {command.name: command for command in _commands(_pairs(docs), facts)}


def only_known(arguments, tokens):
    """The arguments without what needs a literal word that the other server does not know."""
    kept = []
    for argument in arguments:
        if argument.token and argument.token.upper() not in tokens:
            continue
        parts = only_known(argument.parts, tokens)
        if argument.parts and not parts:
            continue
        kept.append(Argument(argument.name, argument.kind, argument.token, argument.optional, argument.multiple,
                             argument.multiple_token, parts))
    return tuple(kept)


def common(ours, theirs):
    """Our commands that the other server has as well, with the options that it has as well."""
    return {name: Command(name, command.group, command.arity, command.flags,
                          only_known(command.arguments, theirs[name].tokens()), command.facts)
            for name, command in ours.items() if name in theirs}


def differing_facts(ours, theirs):
    """[(command, which fact, ours, theirs)] of what COMMAND INFO says of the commands that both have."""
    return [(name, fact, value, theirs[name].facts[fact]) for name in sorted(ours.keys() & theirs.keys())
            for fact, value in ours[name].facts.items() if value != theirs[name].facts[fact]]
