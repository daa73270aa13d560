// WATCH, MULTI and EXEC with Lettuce, and waiting for a turn by BLPOP.
package lockstep.lettuce;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransactionTest extends LettuceCase {
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void allOrNothing(ProtocolVersion protocol) {
        RedisCommands<String, String> redis = client(protocol).connect().sync();
        assertEquals("OK", redis.multi());
        assertNull(redis.set("stock", "10"));
        assertNull(redis.decr("stock"));
        assertNull(redis.lpush("stock", "x"));
        TransactionResult result = redis.exec();
        assertFalse(result.wasDiscarded());
        assertEquals("OK", result.get(0));
        assertEquals(9L, result.<Long>get(1));
        assertTrue(result.get(2) instanceof RedisCommandExecutionException e && e.getMessage().startsWith("WRONGTYPE "));
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void conflict(ProtocolVersion protocol) {
        RedisClient client = client(protocol);
        RedisCommands<String, String> redis = client.connect().sync();
        redis.set("version", "3");
        redis.watch("version");
        redis.multi();
        redis.set("version", "4");
        client.connect().sync().set("version", "somebody else's 4");
        assertTrue(redis.exec().wasDiscarded());
        assertEquals("somebody else's 4", redis.get("version"));
        var e = assertThrows(RedisCommandExecutionException.class, redis::exec);
        assertEquals("ERR EXEC without MULTI", e.getMessage());
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void waitingForATurn(ProtocolVersion protocol) throws Exception {
        RedisClient client = client(protocol);
        RedisCommands<String, String> redis = client.connect().sync();
        var turn = client.connect().async().blpop(20, "turn");
        eventually("it waits", () -> redis.info("clients").contains("blocked_clients:1\r\n"));
        assertEquals(1, redis.rpush("turn", "yours"));
        assertEquals(KeyValue.just("turn", "yours"), turn.get(20, TimeUnit.SECONDS));
        assertNull(redis.blpop(0.01, "turn"), "the time-out");
    }
}
