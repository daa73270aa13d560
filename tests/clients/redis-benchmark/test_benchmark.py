"""redis-benchmark's own tests, pipelined and not, with few requests: what counts is that it finishes and that the
server holds afterwards what was sent. It stops at the first error reply. No figure here says how fast anything is."""

import os
import re
import subprocess

from lockstep_server import ServerTestCase

TIMEOUT_S = 60
REQUESTS = 2000
ACQUIRE_AND_RELEASE = """
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', 30000) then return redis.call('del', KEYS[1]) end
return redis.error_reply('BUSY')
"""


class BenchmarkCase(ServerTestCase):
    def setUp(self):
        self.assertEqual(self.cli("FLUSHALL"), "OK")

    def cli(self, *words):
        done = subprocess.run(["redis-cli", "-h", "127.0.0.1", "-p", str(self.server.port), *map(str, words)],
                              capture_output=True, text=True, timeout=TIMEOUT_S, env={**os.environ, "TERM": "dumb"})
        return done.stdout.strip()

    def run_benchmark(self, *arguments):
        return subprocess.run(["redis-benchmark", "-h", "127.0.0.1", "-p", str(self.server.port), "-n", str(REQUESTS),
                               "-c", "10", *map(str, arguments)], capture_output=True, text=True, timeout=TIMEOUT_S)

    def rates(self, *arguments):
        """{test: requests per second} of a quiet run that printed nothing on standard error."""
        done = self.run_benchmark("-q", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        rates = re.findall(r"([^\r\n]+): ([\d.]+) requests per second, p50=[\d.]+ msec", done.stdout)
        return {name.strip(): float(rate) for name, rate in rates}


class Benchmark(BenchmarkCase):
    def test_strings(self):
        rates = self.rates("-t", "ping,set,get,incr,mset")
        self.assertEqual(list(rates), ["PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "MSET (10 keys)"])
        self.assertTrue(all(rate > 0 for rate in rates.values()))
        self.assertEqual(self.cli("GET", "counter:__rand_int__"), str(REQUESTS))

    def test_lists_and_hashes(self):
        rates = self.rates("-t", "lpush,rpush,hset")
        self.assertEqual(list(rates), ["LPUSH", "RPUSH", "HSET"])
        self.assertEqual(self.cli("LLEN", "mylist"), str(2 * REQUESTS))
        self.assertEqual(list(self.rates("-t", "lpop,rpop")), ["LPOP", "RPOP"])
        self.assertEqual(self.cli("EXISTS", "mylist"), "0")
        self.assertEqual(list(self.rates("-t", "lrange_100")),
                         ["LPUSH (needed to benchmark LRANGE)", "LRANGE_100 (first 100 elements)"])

    def test_pipelines(self):
        self.assertEqual(list(self.rates("-P", 16, "-r", 100_000, "-t", "set,get,incr,lpush")),
                         ["SET", "GET", "INCR", "LPUSH"])
        self.assertEqual(self.cli("LLEN", "mylist"), str(REQUESTS))
        self.assertGreater(int(self.cli("DBSIZE")), 100)

    def test_values_of_a_size(self):
        self.rates("-d", 10_000, "-t", "set")
        self.assertEqual(self.cli("STRLEN", "key:__rand_int__"), "10000")

    def test_command_of_ones_own(self):
        """Each of the locks is taken and released by a script, or two at once would meet."""
        self.assertEqual(len(self.rates("-r", 1000, "EVAL", ACQUIRE_AND_RELEASE, 1, "lock:__rand_int__", "token")), 1)
        self.assertEqual(self.cli("DBSIZE"), "0")

    def test_report(self):
        """At its start it asks CONFIG GET for what it prints here."""
        done = self.run_benchmark("-t", "set")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"{REQUESTS} requests completed in", done.stdout)
        self.assertIn('host configuration "save": \n', done.stdout)
        self.assertIn('host configuration "appendonly": no\n', done.stdout)
        self.assertRegex(done.stdout, rf"100\.000% <= [\d.]+ milliseconds \(cumulative count {REQUESTS}\)")

    def test_csv(self):
        done = self.run_benchmark("--csv", "-t", "set,get")
        self.assertRegex(done.stdout, r'^"test","rps",.*\n"SET",("[\d.]+",?){7}\n"GET",("[\d.]+",?){7}\n$')

    def test_ways_to_connect(self):
        self.assertEqual(list(self.rates("-3", "-t", "set")), ["SET"])
        self.assertEqual(list(self.rates("--threads", 2, "-t", "set")), ["SET"])
        self.assertEqual(list(self.rates("--dbnum", 3, "-t", "set")), ["SET"])
        self.assertEqual(self.cli("-n", 3, "DBSIZE"), "1")

    def test_a_connection_for_each_request(self):
        done = self.run_benchmark("-q", "-k", 0, "-n", 300, "-t", "set")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("requests per second", done.stdout)

    def test_errors_stop_it(self):
        done = self.run_benchmark("-q", "NOSUCH", "x")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Error from server: ERR unknown command 'NOSUCH', with args beginning with: 'x'", done.stderr)


class Password(BenchmarkCase):
    options = ("--requirepass", "secret")

    def cli(self, *words):
        return super().cli("-a", "secret", "--no-auth-warning", *words)

    def test_with_password(self):
        self.assertEqual(list(self.rates("-a", "secret", "-t", "set")), ["SET"])

    def test_without_password(self):
        done = self.run_benchmark("-q", "-t", "set")
        self.assertEqual(done.returncode, 1)
        self.assertIn("NOAUTH Authentication required.", done.stderr)
