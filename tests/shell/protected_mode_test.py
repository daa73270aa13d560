"""Without a password, clients from other machines are turned away. Runs in a network of its own, whose
loopback interface has a second, foreign address: no other machine takes part."""

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import unittest

FOREIGN = "10.11.12.13"
CANNOT_RUN = 77


def enter_own_network():
    """Starts this file again in a new network namespace; it comes back from here only there."""
    if os.environ.get("LOCKSTEP_OWN_NETWORK"):
        return
    namespaces = [shutil.which("unshare") or "unshare", "--net", *(["--user", "--map-root-user"] if os.getuid() else [])]
    if not shutil.which("unshare") or subprocess.run([*namespaces, "true"], stderr=subprocess.DEVNULL).returncode:
        print("skipped: this machine lets nobody make a network namespace (unshare --net)")
        sys.exit(CANNOT_RUN)
    os.environ["LOCKSTEP_OWN_NETWORK"] = "1"
    os.execvp(namespaces[0], [*namespaces, sys.executable, "-B", *sys.argv])


def add_address(interface, address):
    set_address, set_flags, up_and_running = 0x8916, 0x8914, 0x41  # SIOCSIFADDR, SIOCSIFFLAGS, IFF_UP | IFF_RUNNING
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        name = interface.encode()
        fcntl.ioctl(control, set_address, struct.pack("16sHH4s8x", name, socket.AF_INET, 0, socket.inet_aton(address)))
        fcntl.ioctl(control, set_flags, struct.pack("16sH14x", name, up_and_running))


if __name__ == "__main__":
    enter_own_network()
    add_address("lo", "127.0.0.1")
    add_address("lo:1", FOREIGN)

from server_process import Connection, Server, ServerTest  # noqa: E402

ANYWHERE = ("--port", "auto", "--bind", "*")


class ProtectedMode(ServerTest):
    def connect_from_elsewhere(self, server):
        return self.enterContext(Connection(server.port, host=FOREIGN))

    def test_the_ready_line_names_an_address_to_connect_to(self):
        with Server(listen=ANYWHERE) as server:
            self.assertIn(f"lockstep ready redis://127.0.0.1:{server.port}", server.lines)

    def test_refuses_other_machines_only(self):
        with Server(listen=ANYWHERE) as server:
            client = self.connect_from_elsewhere(server)
            self.assertTrue(client.line().startswith(
                b"-DENIED Redis is running in protected mode because protected mode is enabled and no password is "
                b"set for the default user. In this mode connections are only accepted from the loopback interface."))
            self.assertTrue(client.at_end())
            with server.connect() as local:
                self.assertEqual(local.ask("PING"), b"+PONG")
                self.assertIn(b"rejected_connections:1\r\n", local.ask("INFO", "stats"))

    def test_a_password_lets_them_in(self):
        with Server("--requirepass", "secret", listen=ANYWHERE) as server:
            client = self.connect_from_elsewhere(server)
            self.assertEqual(client.ask("PING"), b"-NOAUTH Authentication required.")
            self.assertEqual(client.ask("AUTH", "secret"), b"+OK")

    def test_it_can_be_switched_off(self):
        with Server("--protected-mode", "no", listen=ANYWHERE) as server:
            self.assertEqual(self.connect_from_elsewhere(server).ask("PING"), b"+PONG")


if __name__ == "__main__":
    unittest.main()
