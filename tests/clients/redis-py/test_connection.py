"""Connecting with redis-py: the default handshake, both protocols, databases, names, a server that restarts."""

import redis

from lockstep_server import LockstepServer
from redis_case import HOST, ONE_ATTEMPT, RedisTestCase


def version(client):
    return tuple(int(part) for part in client.info("server")["redis_version"].split(".")[:2])


class Handshake(RedisTestCase):
    def test_default_settings_speak_resp3(self):
        self.assertIs(self.client.ping(), True)
        self.assertEqual(self.client.client_info()["resp"], "3")

    def test_resp2_when_asked(self):
        client = self.connect(protocol=2)
        self.assertIs(client.ping(), True)
        self.assertEqual(client.client_info()["resp"], "2")

    def test_server_knows_the_library(self):
        """CLIENT SETINFO exists since Redis 7.2; before, the client must live with the error."""
        info = self.client.client_info()
        if version(self.client) >= (7, 2):
            self.assertEqual(info["lib-name"], "redis-py")
            self.assertEqual(info["lib-ver"], redis.__version__)
        else:
            self.assertNotIn("lib-name", info)

    def test_client_name(self):
        client = self.connect(client_name="cashier")
        self.assertEqual(client.client_getname(), "cashier")
        self.assertIn("cashier", [c["name"] for c in self.client.client_list()])

    def test_every_connection_has_its_id(self):
        ids = {self.client.client_id(), self.connect().client_id(), self.connect(protocol=2).client_id()}
        self.assertEqual(len(ids), 3)

    def test_info_reads_as_redis(self):
        info = self.client.info()
        self.assertEqual(info["redis_mode"], "standalone")
        self.assertEqual(info["role"], "master")
        self.assertEqual(info["loading"], 0)
        self.assertEqual(info["cluster_enabled"], 0)
        self.assertEqual(info["tcp_port"], self.server.port)
        self.client.set("k", "v", px=60_000)
        keyspace = self.client.info("keyspace")["db0"]
        self.assertEqual((keyspace["keys"], keyspace["expires"]), (1, 1))


class Databases(RedisTestCase):
    def test_database_in_url(self):
        self.connect_url("/3").set("k", "three")
        self.assertIsNone(self.client.get("k"))
        self.assertEqual(self.connect(db=3).get("k"), b"three")

    def test_flushdb_leaves_the_others(self):
        other = self.connect(db=1)
        self.client.set("k", "0")
        other.set("k", "1")
        other.flushdb()
        self.assertEqual((self.client.get("k"), other.get("k")), (b"0", None))

    def test_database_out_of_range(self):
        with self.assertRaisesRegex(redis.ResponseError, "^DB index is out of range$"):
            self.connect(db=16).ping()


class Password(RedisTestCase):
    options = ("--requirepass", "secret word")

    def connect(self, **settings):
        return super().connect(**{"password": "secret word", **settings})

    def test_password_in_url(self):
        client = self.connect_url("/2", "secret%20word")
        self.assertEqual(client.client_info()["db"], 2)

    def test_password_with_resp2(self):
        self.assertIs(self.connect(protocol=2).ping(), True)

    def test_user_default_and_password(self):
        self.assertIs(self.connect(username="default").ping(), True)

    def test_wrong_password(self):
        for protocol in (2, 3):
            with self.subTest(protocol=protocol):
                with self.assertRaisesRegex(redis.AuthenticationError, "invalid username-password pair"):
                    self.connect(password="wrong", protocol=protocol, retry=ONE_ATTEMPT).ping()

    def test_no_password(self):
        for protocol in (2, 3):
            with self.subTest(protocol=protocol), self.assertRaises(redis.AuthenticationError):
                self.connect(password=None, protocol=protocol, retry=ONE_ATTEMPT).ping()


class PasswordNotAsked(RedisTestCase):
    def test_password_where_none_is_set(self):
        with self.assertRaises(redis.AuthenticationError):
            self.connect(password="secret", protocol=2, retry=ONE_ATTEMPT).ping()


class Restart(RedisTestCase):
    def test_client_survives_a_restart(self):
        with LockstepServer() as server:
            client = redis.Redis(HOST, server.port)
            self.addCleanup(client.close)
            client.set("k", "before")
            server.restart()
            self.assertIs(client.set("k", "after", nx=True), True)
            self.assertEqual(client.get("k"), b"after")
