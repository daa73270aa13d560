// How Jedis connects: what it negotiates by itself, either protocol when told, password, database, name.
package lockstep.jedis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lockstep.fixture.LockstepServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisDataException;

class HandshakeTest extends JedisCase {
    @RegisterExtension
    static final LockstepServer SECRET = new LockstepServer("--requirepass", "secret");

    private static void assertResp(int version, String clientInfo) {
        // Redis tells the protocol from 7.0 on, the library from 7.2 on.
        assertTrue(clientInfo.contains(" resp=" + version), clientInfo);
        assertTrue(!clientInfo.contains(" lib-name=") || clientInfo.contains(" lib-name=jedis"), clientInfo);
    }

    @Test
    void defaults() {
        assertResp(3, clientInfo(connect(SERVER, settings -> {})));
    }

    @Test
    void plainConnection() {
        try (Jedis jedis = new Jedis(LockstepServer.HOST, SERVER.port())) {
            assertEquals("PONG", jedis.ping());
            assertTrue(jedis.clientInfo().contains(" resp=2"));
        }
    }

    @ParameterizedTest
    @CsvSource({"RESP2, 2", "RESP3, 3"})
    void eitherProtocol(RedisProtocol protocol, int version) {
        RedisClient client = connect(protocol);
        assertEquals("PONG", client.ping());
        assertResp(version, clientInfo(client));
    }

    @Test
    void databaseAndName() {
        String info = clientInfo(connect(SERVER, settings -> settings.database(3).clientName("shop")));
        assertTrue(info.contains(" db=3 ") && info.contains(" name=shop "), info);
    }

    @ParameterizedTest
    @CsvSource({"RESP2, 2", "RESP3, 3"})
    void password(RedisProtocol protocol, int version) {
        assertResp(version, clientInfo(connect(SECRET, settings -> settings.protocol(protocol).password("secret"))));
        assertResp(version, clientInfo(connect(SECRET,
                settings -> settings.protocol(protocol).user("default").password("secret"))));
        var wrong = assertThrows(RuntimeException.class,
                () -> connect(SECRET, settings -> settings.protocol(protocol).password("wrong")).ping());
        assertEquals("WRONGPASS invalid username-password pair or user is disabled.", rootMessage(wrong));
    }

    @Test
    void noPassword() {
        try (Jedis jedis = new Jedis(LockstepServer.HOST, SECRET.port())) {
            var e = assertThrows(JedisDataException.class, jedis::ping);
            assertEquals("NOAUTH Authentication required.", e.getMessage());
            assertEquals("OK", jedis.auth("secret"));
            assertEquals("PONG", jedis.ping());
        }
    }

    private static String rootMessage(Throwable e) {
        return e.getCause() == null ? e.getMessage() : rootMessage(e.getCause());
    }
}
