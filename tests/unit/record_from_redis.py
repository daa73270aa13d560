#!/usr/bin/env python3
"""Asks a real redis-server what it does and writes the answers down as tables for the unit tests:
base/glob_cases.inc (KEYS) and protocol/inline_cases.inc (inline commands). Run by hand, in this folder,
when cases are added; the tests read the tables only. Starts a redis-server of its own and ends it."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
import time

HERE = os.path.dirname(os.path.abspath(__file__))

GLOB_TEXTS = [
    b"", b"a", b"b", b"A", b"*", b"?", b"[", b"]", b"\\", b"^", b"-", b"a]", b"[a]", b"ab", b"ba", b"aab",
    b"abc", b"a*c", b"a?c", b"axc", b"a\\c", b"a-c", b"a[c", b"abcabc", b"abab", b"lock:1", b"lock:12",
    b"lock:a:b", b"Lock:1", b"x\x00y", b"x\ny", b"\xff", b"\xc3\xa9", b"z", b"0", b"5", b"aaaaaaaab",
]
GLOB_PATTERNS = [
    b"", b"*", b"**", b"?", b"??", b"*?", b"?*", b"a", b"A", b"a*", b"*a", b"*a*", b"a**c", b"*b*c", b"a?c",
    b"a\\?c", b"a\\*c", b"\\a", b"\\", b"a\\", b"\\\\", b"a\\\\c", b"\\[a]", b"[a]", b"[ab]", b"[^a]",
    b"[^ab]", b"[a-c]", b"[c-a]", b"[^a-c]", b"[a-]", b"[-a]", b"[a-c", b"[", b"[^", b"[]", b"[]a]", b"[^]",
    b"[^]a]", b"[\\]]", b"[\\]a]", b"[a\\-c]", b"[\\", b"[\\a", b"[a\\", b"[a-\\c]", b"[*]", b"[?]", b"[[]",
    b"[^[]", b"]", b"a]", b"[a]]", b"a[b]c", b"a[^b]c", b"a[b-x]c", b"a[x-b]c", b"[0-9]", b"[0-9a-z]",
    b"lock:*", b"lock:?", b"lock:*:*", b"l*:*b", b"*:1", b"*[0-9]", b"*[^0-9]", b"x?y", b"x*y", b"x\x00*",
    b"?\xa9", b"[\xff]", b"[\x80-\xff]", b"[\xff-\x80]", b"[a-z]*", b"[A-z]", b"[^^]", b"[\\^a]", b"a[", b"a[b",
    b"*[", b"*[a", b"*[a-", b"[a-b-c]", b"[--a]", b"[a-b]*[b-c]", b"*a*a*a*b", b"*ab", b"*ab*", b"?*?", b"a*b*c*",
    b"*\\", b"*\\*", b"*\\**", b"[]-a]", b"[^-]", b"[^\\]]",
]
INLINE_LINES = [
    b"", b" ", b"a", b"a b", b"  a   b  ", b"a\tb", b"a\x0bb", b"a\x0cb", b"a\rb", b'""', b"''", b'"a b"',
    b"'a b'", b'"a"b', b"'a'b", b'a"b"', b"a'b'", b'a"b"c', b'a"b c" d', b'"a', b"'a", b'a"', b"a'", b'"',
    b"'", b'"a""b"', b"'a''b'", b'"a" "b"', b'"a"\t"b"', b'"a\\"b"', b"'a\\'b'", b"'a\\\\'", b'"a\\\\"',
    b'"\\n\\r\\t\\b\\a"', b"'\\n\\r\\t'", b"\\n", b'\\"a', b"a\\ b", b'"\\q"', b'"\\x41"', b'"\\xfF"',
    b'"\\x4"', b'"\\x"', b'"\\xg1"', b'"\\x00"', b'"\\x0041"', b'"a\\"', b'"a\\', b"'a\\", b"'a\\'", b"\\x41",
    b"'\\x41'", b'"a\nb"', b"\xff\xc3\xa9", b'"\xff"', b"'\"'", b'"\'"', b"a'b c'd", b"a=b 'c d' \"e\\tf\"",
    b'""""', b"''''", b'"" ""', b'x ""', b"x ''", b'"a"\'b\'', b"#a", b"*1", b"$1", b"a\\", b"\\",
    b"\x0ba", b"\x0c\x0b", b"a \x0b b", b'"a"\x0bb', b'"a"\x0b', b"'a'\x0cb",
]


def start_server(folder):
    path = os.path.join(folder, "s")
    server = subprocess.Popen(
        ["redis-server", "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder],
        stdout=subprocess.DEVNULL)
    for _ in range(200):
        try:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
            return server, connection
        except OSError:
            connection.close()
            time.sleep(0.02)
    sys.exit("redis-server did not start")


class Client:
    def __init__(self, connection):
        self.connection = connection
        self.input = connection.makefile("rb")

    def send(self, *words):
        request = b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words)
        return self.raw(request)

    def raw(self, request):
        self.connection.sendall(request)
        return self.reply()

    def reply(self):
        line = self.input.readline()[:-2]
        kind, rest = line[:1], line[1:]
        if kind == b"$":
            return None if rest == b"-1" else self.input.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.reply() for _ in range(int(rest))]
        return line


def literal(text):
    """A string_view literal; octal escapes take three digits, so nothing behind them is taken in."""
    escapes = {ord('"'): '\\"', ord("\\"): "\\\\"}
    body = "".join(escapes.get(c, chr(c) if 32 <= c < 127 else "\\%03o" % c) for c in text)
    return f'"{body}"sv'


def write(name, about, lines):
    with open(os.path.join(HERE, name), "w", encoding="ascii") as file:
        file.write(f"// {about}\n// Written by tests/unit/record_from_redis.py; do not edit.\n")
        for line in lines:
            file.write(textwrap.fill(line, 110, subsequent_indent="    ", break_long_words=False,
                                     break_on_hyphens=False) + "\n")


def record_globs(client):
    for text in GLOB_TEXTS:
        client.send(b"SET", text, b"1")
    lines = []
    for pattern in GLOB_PATTERNS:
        found = client.send(b"KEYS", pattern)
        matches = ", ".join(literal(text) for text in GLOB_TEXTS if text in found)
        lines.append(f"{{{literal(pattern)}, {{{matches}}}}},")
    texts = ", ".join(literal(text) for text in GLOB_TEXTS)
    lines.append(f"{{kEveryText, {{{texts}}}}},")
    write("base/glob_cases.inc", "Pattern, and which of the texts of the last row KEYS finds by it.", lines)


def record_inline(connect):
    lines = []
    for line in INLINE_LINES:
        if b"\n" in line:
            continue
        client = connect()
        # A script that answers its arguments shows how the line was split.
        answer = client.raw(b"eval 'return ARGV' 0 " + line + b"\r\n")
        if isinstance(answer, list):
            words = ", ".join(literal(word) for word in answer)
            lines.append(f"{{{literal(line)}, true, {{{words}}}}},")
        else:
            assert answer == b"-ERR Protocol error: unbalanced quotes in request", answer
            lines.append(f"{{{literal(line)}, false, {{}}}},")
        client.connection.close()
    write("protocol/inline_cases.inc", "Line, whether its quotes are balanced, its words.", lines)


def main():
    folder = tempfile.mkdtemp()
    server, connection = start_server(folder)
    try:
        def connect():
            fresh = socket.socket(socket.AF_UNIX)
            fresh.connect(os.path.join(folder, "s"))
            return Client(fresh)
        record_globs(Client(connection))
        record_inline(connect)
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
