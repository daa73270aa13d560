"""What the server says of itself as a process, and how long its commands take in real time."""

import unittest

from server_process import Server, ServerTest, eventually

LOOP = "for i = 1, tonumber(ARGV[1]) do redis.call('exists', 'k') end"


def info(client, section):
    """The fields of a section."""
    lines = client.ask("INFO", section).decode().splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


class Figures(ServerTest):
    def test_memory(self):
        with Server() as server, server.connect() as client:
            before = info(client, "memory")
            self.assertGreater(int(before["used_memory_rss"]), 1 << 20)
            self.assertGreater(int(before["total_system_memory"]), int(before["used_memory_rss"]))
            self.assertEqual(client.ask("SET", "k", b"x" * (8 << 20)), b"+OK")
            after = info(client, "memory")
            self.assertGreater(int(after["used_memory"]) - int(before["used_memory"]), 8 << 20)
            self.assertGreater(int(after["used_memory_rss"]) - int(before["used_memory_rss"]), 4 << 20)
            self.assertEqual(client.ask("DEL", "k"), b":1")
            self.assertGreater(int(info(client, "memory")["used_memory_peak"]), 8 << 20)
            self.assertEqual(client.ask("MEMORY", "PURGE"), b"+OK")

    def test_processor_time(self):
        with Server() as server, server.connect() as client:
            before = info(client, "cpu")
            self.assertEqual(client.ask("EVAL", LOOP, "0", "100000"), b"$-1")
            after = info(client, "cpu")
            for field in ("used_cpu_user", "used_cpu_user_main_thread"):
                self.assertRegex(after[field], r"^\d+\.\d{6}$")
                self.assertGreater(float(after[field]), float(before[field]))

    def test_listeners(self):
        path = self.path("s.sock")
        with Server("--unixsocket", path) as server, server.connect() as client:
            told = info(client, "server")
            self.assertEqual(told["listener0"], f"name=tcp,bind=127.0.0.1,port={server.port}")
            self.assertEqual(told["listener1"], f"name=unix,bind={path}")
            self.assertEqual(told["tcp_port"], str(server.port))

    def test_rates(self):
        with Server() as server, server.connect() as client:
            def busy():
                for _ in range(200):
                    client.ask("PING")
                return int(info(client, "stats")["instantaneous_ops_per_sec"]) > 0
            eventually(busy, "a rate is shown")
            stats = info(client, "stats")
            self.assertGreater(float(stats["instantaneous_input_kbps"]), 0)
            self.assertGreater(int(stats["eventloop_cycles"]), 200)
            self.assertGreaterEqual(int(stats["total_reads_processed"]), 200)
            self.assertGreaterEqual(int(stats["eventloop_duration_sum"]), int(stats["eventloop_duration_cmd_sum"]))

    def test_slow_commands(self):
        with Server("--slowlog-log-slower-than", "1000", "--latency-monitor-threshold", "1") as server:
            with server.connect() as client:
                self.assertEqual(client.ask("SLOWLOG", "RESET"), b"+OK")
                self.assertEqual(client.ask("EVAL", LOOP, "0", "100000"), b"$-1")
                self.assertEqual(client.ask("SLOWLOG", "GET", "1"), b"*1")
                self.assertEqual(client.line(), b"*6")
                client.line()
                client.line()
                self.assertGreater(int(client.line()[1:]), 1000)
                for expected in (b"*4", b"$4", b"EVAL"):
                    self.assertEqual(client.line(), expected)

    def test_monitor(self):
        with Server() as server, server.connect() as monitor, server.connect() as client:
            self.assertEqual(monitor.ask("MONITOR"), b"+OK")
            self.assertEqual(client.ask("SET", "k", "v"), b"+OK")
            port = client.socket.getsockname()[1]
            self.assertRegex(monitor.line().decode(), rf'^\+\d{{10}}\.\d{{6}} \[0 127\.0\.0\.1:{port}\] "SET" "k" "v"$')


if __name__ == "__main__":
    unittest.main()
