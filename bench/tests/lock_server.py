"""A scripted server for the tests of loadgen: just enough of the commands that it sends, every request recorded,
replies sent in small pieces and falsified on request. It needs no real server. Used by the tests beside it."""

import collections
import contextlib
import hashlib
import selectors
import socket
import threading


def take_request(data):
    """(arguments, rest) of one complete request, or (None, data)."""
    args, rest = [], data
    line, found, rest = rest.partition(b"\r\n")
    if not found:
        return None, data
    for _ in range(int(line[1:])):
        head, found, rest = rest.partition(b"\r\n")
        size = int(head[1:] or 0)
        if not found or len(rest) < size + 2:
            return None, data
        args.append(rest[:size])
        rest = rest[size + 2:]
    return args, rest


def bulk(value):
    return b"$%d\r\n%s\r\n" % (len(value), value)


class LockServer:
    """`alter` takes a request and its right reply and gives the one that is sent; None closes the connection.
    `alter_push` does the same for what goes to another connection: kind, bytes."""

    def __init__(self, piece=None, alter=lambda args, reply: reply, alter_push=lambda kind, data: data):
        self.piece, self.alter, self.alter_push = piece, alter, alter_push
        self.requests, self.keys, self.scripts = [], {}, {}
        self.subscribers, self.waiters, self.queued = [], collections.deque(), {}
        self.next_waiter = collections.deque.popleft
        self._inputs = {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._waker, self._stopper = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        for readable in (self._listener, self._waker):
            self._selector.register(readable, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._stopper.send(b".")
        self._thread.join()
        for used in (self._selector, self._listener, self._waker, self._stopper, *self._inputs):
            used.close()

    def named(self, name):
        return [args for args in self.requests if args[0] == name]

    def _run(self):
        """One thread, as the servers that it stands for: what came in one read is done before the reply leaves."""
        while True:
            for ready, _ in self._selector.select():
                if ready.fileobj is self._waker:
                    return
                if ready.fileobj is self._listener:
                    self._accept()
                else:
                    self._serve(ready.fileobj)

    def _accept(self):
        connection, _ = self._listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._inputs[connection] = b""
        self._selector.register(connection, selectors.EVENT_READ)

    def _serve(self, connection):
        with contextlib.suppress(OSError):  # the generator may leave before it has read all
            received = connection.recv(65536)
            replies, self._inputs[connection] = self._answer_all(connection, self._inputs[connection] + received)
            if received and replies is not None:
                step = self.piece or len(replies) or 1
                for at in range(0, len(replies), step):
                    connection.sendall(replies[at:at + step])
                return
        self._selector.unregister(connection)
        connection.close()

    def _answer_all(self, connection, data):
        replies = b""
        while True:
            args, data = take_request(data)
            if args is None:
                return replies, data
            self.requests.append(args)
            reply = self.alter(args, self._queue_or_answer(connection, args))
            if reply is None:
                return None, data
            replies += reply

    def _queue_or_answer(self, connection, args):
        if args[0] == b"MULTI":
            self.queued[connection] = []
            return b"+OK\r\n"
        if args[0] == b"EXEC":
            queued = self.queued.pop(connection)
            return b"*%d\r\n" % len(queued) + b"".join(self._answer(connection, each) for each in queued)
        if connection in self.queued:
            self.queued[connection].append(args)
            return b"+QUEUED\r\n"
        return self._answer(connection, args)

    def _answer(self, connection, args):
        return getattr(self, "_" + args[0].decode().lower())(connection, *args[1:])

    def _ping(self, _):
        return b"+PONG\r\n"

    def _set(self, _, key, token, *options):
        if b"NX" in options and key in self.keys:
            return b"$-1\r\n"
        self.keys[key] = token
        return b"+OK\r\n"

    def _get(self, _, key):
        return bulk(self.keys[key])

    def _del(self, _, key):
        return b":%d\r\n" % (self.keys.pop(key, None) is not None)

    def _pexpire(self, _, key, _ttl):
        return b":%d\r\n" % (key in self.keys)

    def _script(self, _, _load, text):
        sha = hashlib.sha1(text).hexdigest().encode()
        self.scripts[sha] = text
        return bulk(sha)

    def _evalsha(self, connection, sha, *args):
        return self._eval(connection, self.scripts[sha], *args)

    def _eval(self, connection, text, keys, *args):
        """By what a script calls one knows which it is."""
        key, rest = args[0], args[int(keys):]
        if b"hincrby" in text and b"hexists" in text and b"pttl" in text:
            self.keys[key] = rest[0]
            return b"$-1\r\n"
        owner = self.keys.get(key) == rest[0]
        if owner:
            del self.keys[key]
            if b"publish" in text and b"hincrby" not in text:
                self._publish(connection, rest[1], b"released")
        return b":%d\r\n" % owner

    def _subscribe(self, connection, channel):
        self.subscribers.append(connection)
        return b"*3\r\n$9\r\nsubscribe\r\n" + bulk(channel) + b":1\r\n"

    def _publish(self, _, channel, message):
        for subscriber in self.subscribers:
            data = b"*3\r\n$7\r\nmessage\r\n" + bulk(channel) + bulk(message)
            subscriber.sendall(self.alter_push("message", data))
        return b":%d\r\n" % len(self.subscribers)

    def _blpop(self, connection, _key, _timeout):
        self.waiters.append(connection)
        return b""

    def _lpush(self, _, key, value):
        waiter = self.next_waiter(self.waiters)
        waiter.sendall(self.alter_push("popped", b"*2\r\n" + bulk(key) + bulk(value)))
        return b":1\r\n"
