"""Many clients, large replies, clients that do not read, and bytes in the worst of portions."""

import resource
import threading
import unittest

from server_process import Server, ServerTest, eventually

MEGABYTE = 1 << 20


def raise_file_limit(wanted):
    """How many files this process may have open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted


class Load(ServerTest):
    def test_byte_by_byte(self):
        command = b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\n\r\n\r\n\r\nPING\r\n"
        with Server() as server, server.connect() as client:
            client.socket.setsockopt(6, 1, 1)  # TCP_NODELAY
            for i in range(len(command)):
                client.send(command[i:i + 1])
            self.assertEqual([client.line(), client.line()], [b"+OK", b"+PONG"])
            self.assertEqual(client.ask("GET", "k"), b"\r\n\r\n")

    def test_a_deep_pipeline(self):
        count = 20000
        with Server() as server, server.connect() as client:
            writer = threading.Thread(
                target=lambda: client.send(b"".join(b"SET k%d %d\r\nGET k%d\r\n" % (i, i, i) for i in range(count))))
            writer.start()
            for i in range(count):
                value = b"%d" % i
                expected = b"+OK\r\n$%d\r\n%s\r\n" % (len(value), value)
                self.assertEqual(client.receive(len(expected)), expected)
            writer.join()

    def test_large_replies_to_a_slow_reader(self):
        value = bytes(range(256)) * (8 * MEGABYTE // 256)
        with Server() as server, server.connect() as client, server.connect() as other:
            self.assertEqual(client.ask("SET", "k", value), b"+OK")
            client.send(b"GET k\r\n" * 6)
            self.assertEqual(other.ask("PING"), b"+PONG")  # the others do not wait for it
            for _ in range(6):
                self.assertTrue(client.reply() == value)
            self.assertEqual(client.ask("PING"), b"+PONG")

    def test_a_slow_reader_that_says_quit(self):
        value = b"x" * (4 * MEGABYTE)
        with Server() as server, server.connect() as client, server.connect() as other:
            self.assertEqual(client.ask("SET", "k", value), b"+OK")
            client.send(b"GET k\r\nGET k\r\nQUIT\r\n")
            self.assertEqual(other.ask("PING"), b"+PONG")
            self.assertTrue(client.reply() == value)
            self.assertTrue(client.reply() == value)
            self.assertEqual(client.line(), b"+OK")
            self.assertTrue(client.at_end())

    def test_a_subscriber_that_never_reads_is_cut_off(self):
        message = b"x" * MEGABYTE
        with Server() as server, server.connect() as deaf, server.connect() as speaker:
            deaf.send(b"SUBSCRIBE news\r\n")
            eventually(lambda: speaker.ask("PUBLISH", "news", "begin") == b":1", "it listens")
            heard = 0
            while speaker.ask("PUBLISH", "news", message) == b":1":
                heard += 1
                self.assertLess(heard, 100, "32 MB and what the kernel buffers would be less")
            self.assertGreaterEqual(heard, 32)
            server.wait_for_line("it does not read its replies")
            self.assertEqual(speaker.ask("PING"), b"+PONG")

    def test_many_clients(self):
        count = min(2000, raise_file_limit(2200) - 200)
        with Server("--tcp-backlog", "2000") as server:
            clients = [self.enterContext(server.connect()) for _ in range(count)]
            for client in clients:
                client.send(b"INCR counter\r\n")
            counts = sorted(int(client.line()[1:]) for client in clients)
            self.assertEqual(counts, list(range(1, count + 1)))

    def test_many_keys_due_at_once_do_not_stall_the_others(self):
        with Server() as server, server.connect() as client:
            for start in range(0, 100000, 10000):
                client.send(b"".join(b"SET k%d v PX 3000\r\n" % i for i in range(start, start + 10000)))
                self.assertEqual(client.receive(5 * 10000), b"+OK\r\n" * 10000)
            client.ask("SET", "stays", "v")
            eventually(lambda: client.ask("GET", "stays") == b"v" and client.ask("DBSIZE") == b":1", "all expire")


if __name__ == "__main__":
    unittest.main()
