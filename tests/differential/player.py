"""Plays a history on both servers at once and compares everything that comes back. Neighbouring steps of a
connection go out in one write. A batch has been answered when a control connection has been answered twice
after it: both servers have then read what lay there and written what they had to say to anybody.
Called by shrink.py and differential.py."""

import select
import socket
import time
from typing import NamedTuple

import wire
from comparison import Dialogue, Difference, compare, is_message
from keyspace_state import compare_states
from servers import PATIENCE_S, Asker

LARGEST_BATCH = 40
LARGEST_BATCH_BYTES = 8 << 10  # a server reads more than this at once
READ_SIZE = 1 << 18


class Mismatch(NamedTuple):
    at: int             # the index of the last step that was sent
    connection: str     # who got it, or "" for the state
    difference: Difference

    def command(self):
        words = self.difference.words
        return words[0].decode("latin-1").lower() if words and isinstance(words[0], bytes) else ""


class Client:
    def __init__(self, host, port):
        self.socket = socket.create_connection((host, port), timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = bytearray()
        self.closed = False
        self.id = b""


class Endpoint:
    """One of the two servers, with its connections by name."""

    def __init__(self, server):
        self.server = server
        self._begin()

    def _begin(self):
        self.control = Asker(self.server.port, self.server.host)
        self.clients = {}
        self.by_descriptor = {}
        self.epoll = select.epoll()

    def revived(self):
        """Whether the server had ended by itself; there is a new one then. Connections are new in any case."""
        ended = self.server.has_ended()
        self.end()
        if ended:
            self.server.start()
        self._begin()
        return ended

    def open(self, name):
        client = Client(self.server.host, self.server.port)
        client.socket.sendall(wire.encode([b"CLIENT", b"ID"]))
        client.id = client.socket.recv(100)[1:-2]
        self.clients[name] = client
        self.by_descriptor[client.socket.fileno()] = client
        self.epoll.register(client.socket, select.EPOLLIN)

    def close(self, name):
        client = self.clients.pop(name)
        if not client.closed:
            self._forget(client)

    def _forget(self, client):
        self.epoll.unregister(client.socket)
        del self.by_descriptor[client.socket.fileno()]
        client.socket.close()
        client.closed = True

    def send(self, name, data):
        if self.clients[name].closed:
            return
        try:
            self.clients[name].socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # seen when reading

    def id_of(self, name):
        client = self.clients.get(name)
        return client.id if client and not client.closed else b"999997"

    def start_ping(self):
        self.control.socket.sendall(b"*1\r\n$4\r\nPING\r\n")

    def finish_ping(self):
        left = 7
        while left:
            data = self.control.socket.recv(left)
            if not data:
                raise ConnectionError("the server closed the control connection")
            left -= len(data)

    def collect(self):
        """Reads what is there for anybody; whether there was much of it."""
        much = False
        for descriptor, _ in self.epoll.poll(0):
            client = self.by_descriptor[descriptor]
            try:
                data = client.socket.recv(READ_SIZE)
            except ConnectionResetError:
                data = b""
            if data:
                client.received += data
                much = much or len(data) > LARGEST_BATCH_BYTES
            else:
                self._forget(client)
                much = True
        return much

    def take(self):
        """{connection: (bytes, closed)} of those that got something."""
        taken = {}
        for name, client in self.clients.items():
            if client.received or client.closed:
                taken[name] = (bytes(client.received), client.closed)
                client.received.clear()
        return taken

    def reset(self):
        """No connections, no keys, no scripts."""
        for name in list(self.clients):
            self.close(name)
        self.control.ask_all([(b"CLIENT", b"UNPAUSE"), (b"FLUSHALL",), (b"SCRIPT", b"FLUSH"),
                              (b"CONFIG", b"SET", b"notify-keyspace-events", b"KEA")])

    def end(self):
        for name in list(self.clients):
            self.close(name)
        self.control.close()
        self.epoll.close()


class Player:
    def __init__(self, ours: Endpoint, theirs: Endpoint, rules):
        self.ours, self.theirs, self.rules = ours, theirs, rules
        self.both = (ours, theirs)
        self.dialogues = {}
        self.waiting = set()  # sent something that has no answer yet
        self.record = None    # a list to which what happens is added: for report.py
        self.times_pass = False
        self.commands = 0

    def play(self, steps, state_every=300):
        """The first mismatch, or None. That a server ends is one."""
        self.at = 0
        try:
            return self._play(steps, state_every)
        except OSError as e:
            self._await_end()
            ended = [endpoint.revived() for endpoint in self.both]
            if not any(ended):
                raise RuntimeError(f"no answer after {steps[self.at:batch_end(steps, self.at)]}") from e
            words = steps[self.at].words
            return Mismatch(batch_end(steps, self.at) - 1, "",
                            Difference(words, *(b"ended" if each else None for each in ended)))

    def _await_end(self):
        """A dying process takes a while."""
        end = time.monotonic() + PATIENCE_S / 3
        while time.monotonic() < end and not any(endpoint.server.has_ended() for endpoint in self.both):
            pause(5)

    def _play(self, steps, state_every):
        for endpoint in self.both:
            endpoint.reset()
        self.dialogues.clear()
        self.waiting.clear()
        self._settle(0)
        for endpoint in self.both:
            endpoint.take()
        at, next_state = 0, state_every
        while at < len(steps):
            self.at = at
            end = batch_end(steps, at)
            mismatch = self._play_batch(steps[at:end], end - 1)
            if mismatch:
                return mismatch
            at = end
            if at >= next_state or at == len(steps):
                next_state = at + state_every
                difference = compare_states(self.ours.control, self.theirs.control)
                if difference:
                    return Mismatch(at - 1, "", difference)
        return None

    def _play_batch(self, batch, last):
        name = batch[0].connection
        if batch[0].closes:
            self._close(name)
        elif name in self.waiting or batch[0].outside and self._in_multi(name):
            return None
        else:
            self._send(name, batch)
        if self.record is not None:
            self.record.append(("sent", batch))
        self.times_pass = isinstance(batch[0].until, int)
        mismatch = self._compare(last)
        if batch[0].alone and not mismatch:
            if self.dialogues.get(name) and any(not entry.silent for entry in self.dialogues[name].asked):
                self.waiting.add(name)
        return mismatch

    def _in_multi(self, name):
        return name in self.dialogues and self.dialogues[name].queue is not None

    def _close(self, name):
        self._drop(name)
        self._settle(0)

    def _drop(self, name):
        for endpoint in self.both:
            if name in endpoint.clients:
                endpoint.close(name)
        self.dialogues.pop(name, None)
        self.waiting.discard(name)

    def _send(self, name, batch):
        if name not in self.dialogues:
            for endpoint in self.both:
                endpoint.open(name)
            self.dialogues[name] = Dialogue()
        for step in batch:
            if step.words:
                self.dialogues[name].sent(step.words)
        self.commands += len(batch)
        step = batch[-1]
        if len(batch) == 1 and step.form == "cut":
            pieces = [step.pieces(endpoint.id_of) for endpoint in self.both]
            for endpoint, (first, _) in zip(self.both, pieces):
                endpoint.send(name, first)
            self._settle(0)
            pieces = [second for _, second in pieces]
        else:
            pieces = [b"".join(each.pieces(endpoint.id_of)[0] for each in batch) for endpoint in self.both]
        for endpoint, data in zip(self.both, pieces):
            endpoint.send(name, data)
        self._settle(len(pieces[0]))
        if step.until == "replied":
            self._await_reply(name)
        elif step.until:
            pause(step.until)
            self.dialogues[name].sent(step.then)
            for endpoint in self.both:
                endpoint.send(name, wire.encode(step.then))
            self._settle(0)

    def _await_reply(self, name):
        end = time.monotonic() + PATIENCE_S / 3
        while time.monotonic() < end and not all(e.clients[name].received or e.clients[name].closed for e in self.both):
            pause(2)
            self._settle(0)

    def _settle(self, size):
        rounds = 2 + size // LARGEST_BATCH_BYTES
        while rounds:
            for endpoint in self.both:
                endpoint.start_ping()
            for endpoint in self.both:
                endpoint.finish_ping()
            rounds -= 1
            if not rounds and any([endpoint.collect() for endpoint in self.both]):
                rounds = 1

    def _compare(self, last):
        ours, theirs = self.ours.take(), self.theirs.take()
        if self.record is not None and (ours or theirs):
            self.record.append(("received", ours, theirs))
        for name in sorted(ours.keys() | theirs.keys()):
            (a, a_closed), (b, b_closed) = ours.get(name, (b"", False)), theirs.get(name, (b"", False))
            dialogue = self.dialogues[name]
            difference = compare(dialogue.asked, a, b, self.rules, self.times_pass)
            if difference is None and a_closed != b_closed:
                difference = Difference(dialogue.asked[-1].words if dialogue.asked else (),
                                        b"closed" if a_closed else b"open", b"closed" if b_closed else b"open")
            if difference:
                if not difference.words and dialogue.asked:
                    difference = difference._replace(words=dialogue.asked[-1].words)
                return Mismatch(last, name, difference)
            if a_closed:
                self._drop(name)
            elif not all(map(is_message, wire.parse_all(a))) if name in self.waiting else a:
                dialogue.asked.clear()
                self.waiting.discard(name)
        return None


def batch_end(steps, at):
    """Where the batch that begins at `at` ends: steps of one connection that can go out together."""
    first = steps[at]
    if stands_alone(first):
        return at + 1
    last = min(len(steps), at + LARGEST_BATCH)
    return next((end for end in range(at + 1, last)
                 if steps[end].connection != first.connection or stands_alone(steps[end])), last)


def stands_alone(step):
    return step.alone or step.outside or step.closes or bool(step.raw) or step.form == "cut"


def pause(duration_ms):
    select.select([], [], [], duration_ms / 1000)
