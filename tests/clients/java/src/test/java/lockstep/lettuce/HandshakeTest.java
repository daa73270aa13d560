// How Lettuce connects: what it negotiates by itself, either protocol when told, password, database, name, and again
// after the connection was lost.
package lockstep.lettuce;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import lockstep.fixture.LockstepServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandshakeTest extends LettuceCase {
    @RegisterExtension
    static final LockstepServer SECRET = new LockstepServer("--requirepass", "secret");

    private static void assertResp(int version, String clientInfo) {
        // Redis tells the protocol from 7.0 on, the library from 7.2 on.
        assertTrue(clientInfo.contains(" resp=" + version), clientInfo);
        assertTrue(!clientInfo.contains(" lib-name=") || clientInfo.contains(" lib-name=Lettuce"), clientInfo);
    }

    @Test
    void defaults() {
        RedisCommands<String, String> redis = client(SERVER, address -> {}).connect().sync();
        assertEquals("PONG", redis.ping());
        assertResp(3, redis.clientInfo());
    }

    @ParameterizedTest
    @CsvSource({"RESP2, 2", "RESP3, 3"})
    void eitherProtocol(ProtocolVersion protocol, int version) {
        assertResp(version, client(protocol).connect().sync().clientInfo());
    }

    @Test
    void databaseAndName() {
        RedisClient client = client(SERVER, address -> address.withDatabase(3).withClientName("shop"));
        RedisCommands<String, String> redis = client.connect().sync();
        assertEquals("PONG", redis.ping());
        assertEquals("shop", redis.clientGetname());
        assertTrue(redis.clientInfo().contains(" db=3 "));
    }

    @ParameterizedTest
    @CsvSource({"RESP2, 2", "RESP3, 3"})
    void password(ProtocolVersion protocol, int version) throws Exception {
        RedisClient right = client(SECRET, address -> address.withPassword("secret".toCharArray()));
        right.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
        assertResp(version, right.connect().sync().clientInfo());
        RedisClient wrong = client(SECRET, address -> address.withPassword("wrong".toCharArray()));
        wrong.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
        // Once in a hundred times Lettuce, which closes the connection then, tells only that it was closed.
        eventually("it tells why", () -> {
            var e = assertThrows(RedisConnectionException.class, wrong::connect);
            return rootMessage(e).equals("WRONGPASS invalid username-password pair or user is disabled.");
        });
    }

    @Test
    void connectsAgain() throws Exception {
        var server = new LockstepServer();
        server.start();
        RedisCommands<String, String> redis = client(server, address -> {}).connect().sync();
        long before = redis.clientId();
        server.stop();
        server.start();
        eventually("it is back", () -> "PONG".equals(redis.ping()));
        assertTrue(before > 0 && redis.clientId() > 0);
        assertResp(3, redis.clientInfo());
        server.stop();
    }

    private static String rootMessage(Throwable e) {
        return e.getCause() == null ? e.getMessage() : rootMessage(e.getCause());
    }
}
