"""How the server starts: options, files, standard input, listeners, and what it prints for people and tools."""

import os
import re
import socket
import stat
import unittest

from server_process import LOG_LINE, Connection, Server, ServerTest, free_port, run


class Printed(ServerTest):
    def test_version_can_be_parsed(self):
        for option in ("--version", "-v"):
            done = run(option)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(len(done.stdout.splitlines()), 1)
            self.assertRegex(done.stdout, r"^Lockstep server v=7\.4\.0 lockstep=\d+\.\d+\.\d+ bits=64( .*)?\n$")
            self.assertEqual(re.search(r"\d+(?:\.\d+)+", done.stdout)[0], "7.4.0")

    def test_help(self):
        for option in ("--help", "-h"):
            done = run(option)
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage: lockstep", done.stdout)

    def test_ready_lines(self):
        with Server() as server:
            server.wait_for_line("lockstep ready redis://")
            self.assertEqual(sum("Ready to accept connections" in line for line in server.lines), 1)
            self.assertEqual([line for line in server.lines if line.startswith("lockstep ready")],
                             [f"lockstep ready redis://127.0.0.1:{server.port}"])
            for line in server.lines:
                if not line.startswith("lockstep ready"):
                    self.assertRegex(line, LOG_LINE)
            self.assertIn(f"redis-cli -p {server.port} ", server.wait_for_line("Try it:"))

    def test_warns_once_of_options_without_effect(self):
        with Server("--io-threads", "4", "--save", "", "--appendonly", "no", "--hz", "10") as server:
            self.assertEqual([line for line in server.lines if "no effect" in line],
                             [server.wait_for_line("option 'io-threads' has no effect")])


class Listening(ServerTest):
    def test_automatic_ports_differ(self):
        with Server() as one, Server() as other:
            self.assertNotEqual(one.port, other.port)
            with one.connect() as client:
                self.assertEqual(client.ask("CONFIG", "GET", "port"), b"*2")
                client.reply()
                self.assertEqual(client.reply(), str(one.port).encode())

    def test_a_port_that_is_given(self):
        port = free_port()
        with Server(listen=("--port", str(port), "--bind", "127.0.0.1")) as server:
            self.assertEqual(server.port, port)
            with server.connect() as client:
                self.assertEqual(client.ask("PING"), b"+PONG")

    def test_several_addresses_share_the_port(self):
        with Server(listen=("--port", "auto", "--bind", "127.0.0.1", "127.0.0.2", "-127.0.0.3")) as server:
            server.wait_for_line("lockstep ready redis://127.0.0.3")
            for host in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
                self.assertIn(f"lockstep ready redis://{host}:{server.port}", server.lines)
                with Connection(server.port, host=host) as client:
                    self.assertEqual(client.ask("PING"), b"+PONG")

    def test_an_optional_address_may_be_missing(self):
        with Server(listen=("--port", "auto", "--bind", "127.0.0.1", "-192.0.2.77")) as server:
            self.assertEqual(sum(line.startswith("lockstep ready") for line in server.lines), 1)

    def test_a_host_name(self):
        try:
            socket.getaddrinfo("localhost", None)
        except socket.gaierror:  # a bare system knows no name at all
            self.assertEqual(run("--port", "auto", "--bind", "localhost").stderr,
                             "lockstep: cannot listen on 'localhost': Name or service not known\n")
            return
        with Server(listen=("--port", "auto", "--bind", "localhost")) as server:
            with server.connect() as client:
                self.assertEqual(client.ask("PING"), b"+PONG")

    def test_ipv6(self):
        try:
            with Server(listen=("--port", "auto", "--bind", "-::1", "127.0.0.1")) as server:
                server.wait_for_line("lockstep ready redis://127.0.0.1")
                if not any("[::1]" in line for line in server.lines):
                    return  # this machine has none, and the server went on without
                self.assertIn(f"lockstep ready redis://[::1]:{server.port}", server.lines)
                with Connection(server.port, host="::1") as client:
                    self.assertEqual(client.ask("PING"), b"+PONG")
        except OSError as e:
            self.fail(str(e))

    def test_unix_socket_alone(self):
        path = self.path("s.sock")
        with Server(listen=("--port", "0", "--unixsocket", path, "--unixsocketperm", "700")) as server:
            server.wait_for_line(f"lockstep ready unix://{path}")
            self.assertIsNone(server.port)
            server.wait_for_line("Ready to accept connections")
            server.wait_for_line(f"The server is now ready to accept connections at {path}")
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o700)
            with server.connect(path) as client:
                self.assertEqual(client.ask("SET", "k", "v"), b"+OK")
                self.assertIn(f"addr={path}:0 ".encode(), client.ask("CLIENT", "INFO"))

    def test_unix_socket_beside_a_port(self):
        with Server("--unixsocket", "s.sock", "--dir", self.folder) as server:
            server.wait_for_line(f"lockstep ready unix://{self.path('s.sock')}")
            with server.connect() as tcp, server.connect(self.path("s.sock")) as unix:
                self.assertEqual(tcp.ask("SET", "k", "v"), b"+OK")
                self.assertEqual(unix.ask("GET", "k"), b"v")

    def test_a_socket_file_left_behind_by_a_killed_server(self):
        path = self.path("s.sock")
        with Server("--unixsocket", path) as server:
            server.process.kill()
            server.process.wait()
        self.assertTrue(os.path.exists(path))
        with Server("--unixsocket", path) as server, server.connect(path) as client:
            self.assertEqual(client.ask("PING"), b"+PONG")


class Configured(ServerTest):
    def test_from_standard_input(self):
        text = "port auto\nbind 127.0.0.1\nrequirepass 'pass word'\n"
        with Server("-", listen=(), standard_input=text) as server, server.connect() as client:
            self.assertEqual(client.ask("AUTH", "pass word"), b"+OK")

    def test_from_a_file_with_the_command_line_on_top(self):
        path = self.write("lockstep.conf", "port 1\nbind 127.0.0.1\ndatabases 3\ntimeout 17\n")
        with Server(path, "--databases", "5") as server, server.connect() as client:
            self.assertEqual(client.ask("SELECT", "4"), b"+OK")
            self.assertEqual(client.ask("SELECT", "5"), b"-ERR DB index is out of range")
            client.ask("CONFIG", "GET", "timeout")
            self.assertEqual([client.reply(), client.reply()], [b"timeout", b"17"])
            self.assertIn(f"config_file:{os.path.realpath(path)}\r\n".encode(), client.ask("INFO", "server"))

    def test_paths_start_at_dir(self):
        with Server("--dir", self.folder, "--pidfile", "pid", "--logfile", "log") as server:
            with server.connect() as client:
                client.ask("CONFIG", "GET", "dir")
                self.assertEqual([client.reply(), client.reply()],
                                 [b"dir", os.path.realpath(self.folder).encode()])
            with open(self.path("pid"), encoding="utf-8") as file:
                self.assertEqual(file.read(), f"{server.process.pid}\n")
            with open(self.path("log"), encoding="utf-8") as file:
                lines = file.read().splitlines()
            self.assertTrue(any(line.endswith(" * Ready to accept connections") for line in lines))
            for line in lines:
                self.assertRegex(line, LOG_LINE)
            # Tools still learn the port from standard output.
            self.assertEqual(server.lines, [f"lockstep ready redis://127.0.0.1:{server.port}"])

    def test_log_levels(self):
        with Server("--loglevel", "nothing", "--hz", "50") as server:
            self.assertEqual(len(server.lines), 1)
        with Server("--loglevel", "warning", "--hz", "50") as server:
            self.assertTrue(server.wait_for_line("option 'hz' has no effect"))
            self.assertFalse([line for line in server.lines if " * " in line])

    def test_what_test_tools_pass_by_habit(self):
        with Server("--save", "", "--appendonly", "no", "--daemonize", "no", "--logfile", "", "--dbfilename", "x.rdb",
                    "--enable-debug-command", "yes", "--maxmemory-policy", "allkeys-lru") as server:
            with server.connect() as client:
                self.assertEqual(client.ask("PING"), b"+PONG")

    def test_reported_version(self):
        with Server("--redis-version", "6.2.14") as server, server.connect() as client:
            self.assertIn(b"redis_version:6.2.14\r\n", client.ask("INFO", "server"))


if __name__ == "__main__":
    unittest.main()
