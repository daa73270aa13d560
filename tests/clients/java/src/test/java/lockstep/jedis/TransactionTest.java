// WATCH, MULTI and EXEC, pipelines, and waiting for a turn by BLPOP.
package lockstep.jedis;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;

import lockstep.fixture.Actor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;

class TransactionTest extends JedisCase {
    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void allOrNothing(RedisProtocol protocol) {
        RedisClient client = connect(protocol);
        try (AbstractTransaction transaction = client.multi()) {
            Response<String> set = transaction.set("stock", "10");
            Response<Long> left = transaction.decr("stock");
            transaction.lpush("stock", "x");
            assertNull(client.get("stock"), "nothing happens before EXEC");
            List<Object> replies = transaction.exec();
            assertEquals(List.of("OK", 9L), replies.subList(0, 2));
            assertTrue(replies.get(2) instanceof JedisDataException e && e.getMessage().startsWith("WRONGTYPE "));
            assertEquals("OK", set.get());
            assertEquals(9, left.get());
        }
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void conflict(RedisProtocol protocol) {
        RedisClient client = connect(protocol);
        client.set("version", "3");
        try (AbstractTransaction transaction = client.transaction(false)) {
            transaction.watch("version");
            transaction.multi();
            transaction.set("version", "4");
            client.set("version", "somebody else's 4");
            assertNull(transaction.exec());
        }
        assertEquals("somebody else's 4", client.get("version"));
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void pipeline(RedisProtocol protocol) {
        RedisClient client = connect(protocol);
        try (Pipeline pipeline = client.pipelined()) {
            for (int i = 0; i < 1000; i++) {
                pipeline.incr("n");
            }
            pipeline.hset("h", "field", "value");
            Response<Map<String, String>> all = pipeline.hgetAll("h");
            List<Object> replies = pipeline.syncAndReturnAll();
            assertEquals(1000L, replies.get(999));
            assertEquals(Map.of("field", "value"), all.get());
        }
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void waitingForATurn(RedisProtocol protocol) throws Exception {
        RedisClient client = connect(protocol);
        RedisClient waiting = connect(protocol);
        try (Actor bob = new Actor("bob")) {
            var turn = bob.begins(() -> waiting.blpop(20, "turn"));
            eventually("bob waits", () -> client.info("clients").contains("blocked_clients:1\r\n"));
            assertEquals(1, client.rpush("turn", "yours"));
            assertEquals(List.of("turn", "yours"), Actor.resultOf(turn));
        }
        assertEquals(0, client.llen("turn"));
        assertNull(client.blpop(0.01, "turn"), "the time-out");
    }
}
