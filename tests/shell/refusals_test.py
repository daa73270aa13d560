"""Starts that must fail: one clear line on standard error, exit status 1, and nothing left behind."""

import os
import socket
import unittest

from server_process import Server, ServerTest, run


class Refusals(ServerTest):
    def refused(self, *arguments, says, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr, f"lockstep: {says}\n")
        self.assertNotIn("lockstep ready", done.stdout)
        self.assertNotIn("Ready to accept", done.stdout)

    def test_options(self):
        self.refused("--nosuch", "1", says="command line: unknown option 'nosuch'")
        self.refused("--port", "70000",
                     says="command line: option 'port': argument must be between 0 and 65535 inclusive")
        self.refused("--port", says="command line: option 'port': wrong number of arguments")
        self.refused("--port", "0", "stray", says="command line: option 'port': wrong number of arguments")
        self.refused("--appendonly", "yes",
                     says="option 'appendonly' other than 'no' is not supported: nothing is written to disk yet, "
                          "locks end with the process")
        self.refused("--daemonize", "yes",
                     says="option 'daemonize' other than 'no' is not supported: it stays in the foreground; "
                          "start it in the background instead")

    def test_configuration(self):
        self.refused("-", standard_input="port 0\nprot 1\n", says="standard input:2: unknown option 'prot'")
        path = self.write("a.conf", 'requirepass "x\n')
        self.refused(path, says=f"{path}:1: unbalanced quotes")
        self.refused(self.path("none"), says=f"cannot read config file '{self.path('none')}': No such file or directory")
        self.refused(self.folder, says=f"cannot read config file '{self.folder}': Is a directory")

    def test_places(self):
        self.refused("--dir", "/nonexistent",
                     says="cannot change to the directory '/nonexistent' of option 'dir': No such file or directory")
        self.refused("--logfile", "/nonexistent/log",
                     says="cannot open the log file '/nonexistent/log': No such file or directory")
        self.assertFalse(os.path.exists("/nonexistent"))

    def test_port_in_use(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            self.refused("--port", str(port), "--bind", "127.0.0.1",
                         says=f"cannot listen on 127.0.0.1:{port}: address already in use")

    def test_addresses(self):
        self.refused("--port", "auto", "--bind", "192.0.2.77",
                     says="cannot listen on 192.0.2.77:0: address not available")
        nothing = "there is nothing to listen on: no port, no address of bind, no unixsocket"
        self.refused("--port", "0", says=nothing)
        self.refused("--port", "auto", "--bind", says=nothing)
        self.refused("--port", "auto", "--bind", "-192.0.2.77", says=nothing)

    def test_unix_sockets(self):
        path = self.write("s.sock", "precious")
        listen = ("--port", "0", "--unixsocket")
        self.refused(*listen, path, says=f"cannot listen on unix socket '{path}': it exists and is no socket")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")
        path = self.path("absent/s.sock")
        self.refused(*listen, path, says=f"cannot listen on unix socket '{path}': no such file or directory")
        path = self.path("x" * 108)
        self.refused(*listen, path,
                     says=f"cannot listen on unix socket '{path}': its path is longer than 107 bytes")

    def test_a_socket_that_another_server_uses(self):
        path = self.path("s.sock")
        with Server("--unixsocket", path) as server:
            self.refused("--port", "0", "--unixsocket", path,
                         says=f"cannot listen on unix socket '{path}': another server listens there")
            with server.connect(path) as client:
                self.assertEqual(client.ask("PING"), b"+PONG")


if __name__ == "__main__":
    unittest.main()
