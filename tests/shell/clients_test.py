"""What the server does with one client at a time: whom it lets in, when it closes, what it does with half a
command. Error texts are redis-server's."""

import time
import unittest

from server_process import Server, ServerTest, eventually

NO_AUTH = b"-NOAUTH Authentication required."


def connected_clients(client):
    info = client.ask("INFO", "clients").decode()
    return int(next(line for line in info.splitlines() if line.startswith("connected_clients:")).split(":")[1])


class LettingIn(ServerTest):
    def test_password(self):
        with Server("--requirepass", "secret") as server, server.connect() as client:
            self.assertEqual(client.ask("GET", "k"), NO_AUTH)
            self.assertEqual(client.ask("AUTH", "wrong"),
                             b"-WRONGPASS invalid username-password pair or user is disabled.")
            self.assertEqual(client.ask("AUTH", "secret"), b"+OK")
            self.assertEqual(client.ask("GET", "k"), b"$-1")
            with server.connect() as other:
                self.assertEqual(other.ask("GET", "k"), NO_AUTH)

    def test_maxclients(self):
        with Server("--maxclients", "2") as server, server.connect() as one, server.connect() as two:
            self.assertEqual([one.ask("PING"), two.ask("PING")], [b"+PONG", b"+PONG"])
            with server.connect() as three:
                self.assertEqual(three.line(), b"-ERR max number of clients reached")
                self.assertTrue(three.at_end())
            self.assertIn(b"rejected_connections:1\r\n", one.ask("INFO", "stats"))
            two.socket.close()
            eventually(lambda: connected_clients(one) == 1, "the second client is gone")
            with server.connect() as four:
                self.assertEqual(four.ask("PING"), b"+PONG")

    def test_addresses_are_told(self):
        with Server() as server, server.connect() as client:
            mine = "{}:{}".format(*client.socket.getsockname())
            told = client.ask("CLIENT", "INFO").decode()
            self.assertIn(f" addr={mine} laddr=127.0.0.1:{server.port} ", told)


class Closing(ServerTest):
    def test_quit_and_protocol_errors(self):
        with Server() as server:
            with server.connect() as client:
                client.send(b"PING\r\nQUIT\r\nPING\r\n")
                self.assertEqual([client.line(), client.line()], [b"+PONG", b"+OK"])
                self.assertTrue(client.at_end())
            with server.connect() as client:
                client.send(b"PING\r\n*1\r\n!4\r\n")
                self.assertEqual([client.line(), client.line()],
                                 [b"+PONG", b"-ERR Protocol error: expected '$', got '!'"])
                self.assertTrue(client.at_end())

    def test_half_a_command_then_the_end(self):
        with Server() as server, server.connect() as witness:
            for half in (b"*2\r\n$3\r\nSET", b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nval", b"SET k v", b"*", b"*1\r\n$4"):
                with server.connect() as client:
                    client.send(half)
                    client.socket.shutdown(1)
                    self.assertTrue(client.at_end(), half)
            self.assertEqual(witness.ask("EXISTS", "k"), b":0")
            self.assertEqual(connected_clients(witness), 1)

    def test_commands_then_the_end_in_one_go(self):
        with Server() as server, server.connect() as client:
            client.send(b"SET k v\r\n" + b"GET k\r\n" * 1000)
            client.socket.shutdown(1)
            self.assertEqual(client.receive(5 + 7 * 1000), b"+OK\r\n" + b"$1\r\nv\r\n" * 1000)
            self.assertTrue(client.at_end())

    def test_the_end_right_behind_a_full_read(self):
        for size in (1 << 14, 1 << 15, 1 << 16):  # one of them is what the server reads at once
            commands = (b"PING\r\n" * size)[:size - 100].rpartition(b"PING")[0]
            count = commands.count(b"PING") + 1
            commands += b"PING" + b" " * (size - len(commands) - 6) + b"\r\n"
            with Server() as server, server.connect() as client:
                with server.suspended():
                    client.send(commands)
                    client.socket.shutdown(1)
                self.assertEqual(client.receive(7 * count), b"+PONG\r\n" * count)
                self.assertTrue(client.at_end())

    def test_a_client_that_vanishes(self):
        with Server() as server, server.connect() as witness:
            with server.connect() as client:
                client.ask("SUBSCRIBE", "news")
                eventually(lambda: witness.ask("PUBLISH", "news", "1") == b":1", "it listens")
            eventually(lambda: witness.ask("PUBLISH", "news", "2") == b":0", "it is gone")

    def test_idle_clients(self):
        with Server("--timeout", "1", "--loglevel", "verbose") as server:
            start = time.monotonic()
            with server.connect() as idle, server.connect() as listener, server.connect() as busy:
                listener.ask("SUBSCRIBE", "news")
                eventually(lambda: busy.ask("PING") == b"+PONG" and connected_clients(busy) == 2, "one is closed")
                self.assertGreater(time.monotonic() - start, 1)
                self.assertTrue(idle.at_end())
                server.wait_for_line("Closing idle client 127.0.0.1:")
                self.assertEqual(busy.ask("PUBLISH", "news", "1"), b":1")


class Time(ServerTest):
    def test_keys_go_at_their_deadline_with_nobody_touching_them(self):
        with Server() as server, server.connect() as client:
            self.assertEqual(client.ask("SET", "k", "v", "PX", "30"), b"+OK")
            eventually(lambda: client.ask("DBSIZE") == b":0", "the key expires")
            self.assertIn(b"expired_keys:1\r\n", client.ask("INFO", "stats"))

    def test_a_lock_lasts_as_long_as_it_should(self):
        with Server() as server, server.connect() as client:
            before = time.monotonic()
            self.assertEqual(client.ask("SET", "lock", "me", "NX", "PX", "200"), b"+OK")
            after = time.monotonic()
            eventually(lambda: client.ask("SET", "lock", "you", "NX") == b"+OK", "the lock is free again")
            now = time.monotonic()
            self.assertGreater(now - before, 0.199)
            self.assertLess(now - after, 0.2 + 5)  # late by the machine's load, not by a sweep's period

    def test_wall_time(self):
        with Server() as server, server.connect() as client:
            before = time.time()
            client.ask("TIME")
            told = int(client.reply()) + int(client.reply()) / 1e6
            self.assertLess(abs(told - (before + time.time()) / 2), 1)
            soon = int((time.time() + 100) * 1000)
            client.ask("SET", "k", "v", "PXAT", str(soon))
            self.assertEqual(client.ask("PEXPIRETIME", "k"), f":{soon}".encode())


class Waiting(ServerTest):
    def test_time_outs_wake_the_server(self):
        # Nobody else sends anything, and the server looks at the clock by itself only once a second: ten
        # time-outs of 50 ms come in time only if the deadline's own timer brings them.
        with Server() as server, server.connect() as client:
            begun = time.monotonic()
            for _ in range(10):
                self.assertEqual(client.ask("BLPOP", "nothing", "0.05"), b"*-1")
            took_s = time.monotonic() - begun
            self.assertGreaterEqual(took_s, 0.5)
            self.assertLess(took_s, 4)

    def test_one_that_has_gone_eats_nothing(self):
        with Server() as server, server.connect() as client, server.connect() as waiter:
            waiter.send(b"BLPOP l 0\r\n")
            eventually(lambda: b"blocked_clients:1\r\n" in client.ask("INFO", "clients"), "it waits")
            waiter.socket.close()
            eventually(lambda: b"blocked_clients:0\r\n" in client.ask("INFO", "clients"), "it has gone")
            self.assertEqual(client.ask("RPUSH", "l", "a"), b":1")
            self.assertEqual(client.ask("LLEN", "l"), b":1")


if __name__ == "__main__":
    unittest.main()
