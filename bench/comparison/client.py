"""A small blocking RESP2 client for what is not measured per command: control, filling, subscribing. The load
comes from loadgen."""

import socket

TIMEOUT_SECONDS = 10


class ErrorReply(str):
    """An error that the server answered."""


def encode(*args):
    parts = [b"*%d\r\n" % len(args)]
    for arg in args:
        data = arg if isinstance(arg, bytes) else str(arg).encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
    return b"".join(parts)


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._input = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._input.close()
        self.socket.close()

    def command(self, *args):
        self.socket.sendall(encode(*args))
        return self.receive()

    def receive(self):
        line = self._input.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest.decode()
        if kind == b"-":
            return ErrorReply(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == b"-1" else self.read_exactly(int(rest) + 2)[:-2]
        if kind == b"*":
            return None if rest == b"-1" else [self.receive() for _ in range(int(rest))]
        raise ConnectionError(f"not RESP: {line!r}")

    def read_exactly(self, size):
        data = self._input.read(size)
        if len(data) != size:
            raise ConnectionError("the server closed the connection")
        return data
