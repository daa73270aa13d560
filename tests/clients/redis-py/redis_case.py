"""What the redis-py tests share: a case with a server and clients at redis-py's default settings.
Holds no lock code: every way of locking is written out in the test that shows it."""

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from lockstep_server import ServerTestCase

RELEASE = """
if redis.call("get", KEYS[1]) == ARGV[1] then
    return redis.call("del", KEYS[1])
end
return 0
"""
HOST = "127.0.0.1"  # by number, since a machine need not know the name localhost
# redis-py tries again for seconds, also after a refused password; for tests that expect the failure.
ONE_ATTEMPT = Retry(NoBackoff(), 0)


class RedisTestCase(ServerTestCase):
    """Each test finds an empty server; self.client is one client, self.connect() makes more."""

    def setUp(self):
        self.client = self.connect()
        self.client.flushall()
        self.client.script_flush()

    def connect(self, **settings):
        client = redis.Redis(HOST, self.server.port, **settings)
        self.addCleanup(client.close)
        return client

    def url(self, path="", password=None):
        credentials = f":{password}@" if password else ""
        return f"redis://{credentials}{HOST}:{self.server.port}{path}"

    def connect_url(self, *where, **settings):
        client = redis.Redis.from_url(self.url(*where), **settings)
        self.addCleanup(client.close)
        return client
