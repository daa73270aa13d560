"""How the server ends: by signal and by SHUTDOWN, at once, with status 0, and with nothing left behind."""

import os
import signal
import subprocess
import unittest

from server_process import PATIENCE_S, READY_TCP, SERVER, Connection, Server, ServerTest


class End(ServerTest):
    def test_signals(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Server("--unixsocket", self.path("s.sock"), "--pidfile", self.path("pid")) as server:
                self.assertTrue(os.path.exists(self.path("s.sock")))
                self.assertTrue(os.path.exists(self.path("pid")))
                self.assertEqual(server.end(number), 0)
                self.assertEqual(os.listdir(self.folder), [])
                server.wait_for_line(f"Received {number.name}")
                server.wait_for_line("bye bye")

    def test_shutdown(self):
        for words in (["SHUTDOWN"], ["shutdown", "nosave"], ["SHUTDOWN", "NOSAVE", "NOW", "FORCE"]):
            with Server("--unixsocket", self.path("s.sock"), "--pidfile", self.path("pid")) as server:
                with server.connect() as client:
                    client.send(" ".join(words).encode() + b"\r\n")
                    self.assertTrue(client.at_end())
                self.assertEqual(server.end(), 0)
                self.assertEqual(os.listdir(self.folder), [])

    def test_clients_are_closed_and_get_the_replies_due(self):
        with Server() as server, server.connect() as client, server.connect() as idle:
            client.send(b"SET k v\r\nGET k\r\nSHUTDOWN\r\nGET k\r\n")
            self.assertEqual(client.receive(12), b"+OK\r\n$1\r\nv\r\n")
            self.assertTrue(client.at_end())
            self.assertTrue(idle.at_end())
            self.assertEqual(server.end(), 0)

    def test_what_came_before_the_signal_is_answered(self):
        with Server() as server, server.connect() as client:
            self.assertEqual(client.ask("PING"), b"+PONG")  # it has been accepted
            with server.suspended():
                client.send(b"SET k v\r\n")
                server.process.send_signal(signal.SIGTERM)
            self.assertEqual(client.line(), b"+OK")
            self.assertTrue(client.at_end())
            self.assertEqual(server.end(), 0)

    def test_with_replies_that_nobody_reads(self):
        with Server() as server, server.connect() as client:
            client.ask("SET", "k", b"x" * (1 << 20))
            client.send(b"GET k\r\n" * 50)
            with server.connect() as other:
                self.assertEqual(other.ask("PING"), b"+PONG")
            self.assertEqual(server.end(signal.SIGTERM), 0)

    def test_the_port_is_free_again_at_once(self):
        with Server() as server:
            port = server.port
            with server.connect() as client:
                self.assertEqual(client.ask("PING"), b"+PONG")
                self.assertEqual(server.end(signal.SIGTERM), 0)
        with Server(listen=("--port", str(port), "--bind", "127.0.0.1")) as server:
            self.assertEqual(server.port, port)

    def test_nobody_reads_its_output_any_more(self):
        process = subprocess.Popen([SERVER, "--port", "auto", "--bind", "127.0.0.1", "--timeout", "1", "--loglevel",
                                    "verbose"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        while not (match := READY_TCP.match(process.stdout.readline().decode().strip())):
            pass
        process.stdout.close()
        with Connection(int(match[2])) as idle:
            self.assertTrue(idle.at_end())  # which the server logs, to nobody
        with Connection(int(match[2])) as client:
            self.assertEqual(client.ask("PING"), b"+PONG")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE_S), 0)


if __name__ == "__main__":
    unittest.main()
