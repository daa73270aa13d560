"""Prints a mismatch: the shrunk history in the notation of tests/scripts with the oracle's answers, what
Lockstep answers instead, and the command to see it again. Called by differential.py."""

import notation
import wire
from steps import IdOf

LONGEST = 60  # lines of a history that could not be shrunk


def reply_lines(name, data, closed):
    """What a connection got, a line each."""
    lines, at = [], 0
    while at < len(data):
        try:
            reply, at = wire.parse(data, at)
        except (wire.Incomplete, wire.Malformed, ValueError):
            return lines + [f"{name}<raw {notation.quote(data[at:])}"]
        is_hello = isinstance(reply.value, list) and reply.value[:1] == [wire.Reply("$", b"server")]
        lines.append(f'{name}<~ ".*"' if is_hello else f"{name}< {notation.reply(reply)}")
    return lines + ([f"{name}< closed"] if closed else [])


def transcript(record):
    """Lines of a recorded play; where Lockstep answers otherwise, its lines stand below as comments."""
    lines, known = [], set()
    for what, *rest in record:
        if what == "sent":
            for step in rest[0]:
                for word in step.words:
                    if isinstance(word, IdOf) and word.connection not in known:
                        known.add(word.connection)
                        lines += notation.asks_id(word.connection)
                lines += notation.step_lines(step)
            continue
        ours, theirs = rest
        for name in sorted(ours.keys() | theirs.keys()):
            expected = reply_lines(name, *theirs.get(name, (b"", False))) or [f"{name}<-"]
            actual = reply_lines(name, *ours.get(name, (b"", False))) or [f"{name}<-"]
            lines += expected
            if len(actual) == len(expected):
                actual = [mine for mine, other in zip(actual, expected) if mine != other]
            if actual != expected:
                lines += ["#   lockstep: " + line for line in actual]
    if len(lines) > LONGEST:
        lines = [f"# ({len(lines) - LONGEST} lines left out)", *lines[-LONGEST:]]
    return lines


def one_line(it):
    if it is None:
        return "(nothing)"
    return notation.quote(it)[:400] if isinstance(it, bytes) else notation.reply(it)[:400]


def outcome(mismatch, oracle, again):
    words = " ".join(notation.word(word) for word in mismatch.difference.words)[:200]
    return [f"# on {words}", f"#   {oracle}: {one_line(mismatch.difference.theirs)}",
            f"#   lockstep: {one_line(mismatch.difference.ours)}", f"# again: {again}", ""]


def describe(mismatch, record, oracle, again):
    """The whole message, as text."""
    lines = [f"== differs from {oracle}: {mismatch.command()}", "@config notify-keyspace-events KEA"]
    lines += transcript(record)
    if not mismatch.connection:
        lines.append("# then the keys differ:")
    return "\n".join(lines + outcome(mismatch, oracle, again))


def seen_once(mismatch, oracle, again):
    """The message when the same history did not show it a second time."""
    return "\n".join([f"== differed once from {oracle}: {mismatch.command()}", *outcome(mismatch, oracle, again)])
