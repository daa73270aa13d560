"""What the redis-cli tests share: a case with a server, and redis-cli run against it. Its output goes to a
pipe, so replies come in raw form unless a test asks for --no-raw."""

import os
import subprocess

from lockstep_server import ServerTestCase

TIMEOUT_S = 60
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("REDISCLI_")} | {"TERM": "dumb"}
RELEASE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"


class CliTestCase(ServerTestCase):
    """Each test finds an empty server."""

    def setUp(self):
        self.assertEqual(self.cli("FLUSHALL"), "OK")

    def run_cli(self, *arguments, input="", address=True, environment=None):
        """The ended process, with text output. address=False leaves the address to the arguments."""
        where = ["-h", "127.0.0.1", "-p", str(self.server.port)] if address else []
        return subprocess.run(["redis-cli", *where, *map(str, arguments)], input=input, capture_output=True, text=True,
                              env=ENVIRONMENT | (environment or {}), timeout=TIMEOUT_S)

    def cli(self, *arguments, **how):
        """What redis-cli prints on standard output, without the last line break; it must end with status 0."""
        done = self.run_cli(*arguments, **how)
        self.assertEqual(done.returncode, 0, done)
        return done.stdout.removesuffix("\n")

    def start_cli(self, *arguments):
        """A redis-cli that goes on until the test ends; its output is read line by line."""
        process = subprocess.Popen(["redis-cli", "-h", "127.0.0.1", "-p", str(self.server.port), *arguments],
                                   env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)

        def end():
            process.kill()
            process.wait()
            process.stdout.close()

        self.addCleanup(end)
        return process

    def expect(self, process, *lines):
        """The next lines it prints; each comes as soon as the server has sent it."""
        self.assertEqual([process.stdout.readline().rstrip("\n") for _ in lines], list(lines))

    def lines(self, *arguments, **how):
        return self.cli(*arguments, **how).split("\n")
