// The locks that people write with Jedis: SETNX and what a crash leaves, SET NX with a time, a token that is compared
// by a script when it is released, a fencing number.
package lockstep.jedis;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.SetParams;

class TokenLockTest extends JedisCase {
    private static final String KEY = "lock:order:123";

    /** The lock of one owner; the script travels once and is called by its digest from then on. */
    private static final class TokenLock {
        private final RedisClient client;
        private final long ttlMs;
        private final String token = UUID.randomUUID().toString();
        private String digest = "0".repeat(40); // nobody's

        TokenLock(RedisClient client, long ttlMs) {
            this.client = client;
            this.ttlMs = ttlMs;
        }

        boolean tryLock() {
            return "OK".equals(client.set(KEY, token, SetParams.setParams().nx().px(ttlMs)));
        }

        boolean unlock() {
            List<String> keys = List.of(KEY);
            List<String> arguments = List.of(token);
            try {
                return client.evalsha(digest, keys, arguments).equals(1L);
            } catch (JedisNoScriptException e) {
                digest = client.scriptLoad(RELEASE);
                return client.evalsha(digest, keys, arguments).equals(1L);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void oneOwnerAtATime(RedisProtocol protocol) {
        TokenLock a = new TokenLock(connect(protocol), 60_000);
        TokenLock b = new TokenLock(connect(protocol), 60_000);
        assertTrue(a.tryLock());
        assertFalse(b.tryLock());
        assertFalse(b.unlock(), "not b's");
        assertTrue(a.unlock());
        assertFalse(a.unlock(), "no longer a's");
        assertTrue(b.tryLock());
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void lateOwnerDoesNotReleaseTheNextOnes(RedisProtocol protocol) throws Exception {
        TokenLock late = new TokenLock(connect(protocol), 100);
        TokenLock next = new TokenLock(connect(protocol), 60_000);
        assertTrue(late.tryLock());
        eventually("the lock expires while its owner works", next::tryLock);
        assertFalse(late.unlock());
        assertTrue(next.unlock());
    }

    @Test
    @SuppressWarnings("deprecation") // for SETNX, which is what was written for years
    void setnxOutlivesItsOwner() {
        RedisClient client = connect(RedisProtocol.RESP3);
        assertEquals(1, client.setnx(KEY, "true"));
        assertEquals(0, client.setnx(KEY, "true"));
        assertEquals(-1, client.ttl(KEY), "its owner has crashed, and nobody frees it");
        assertEquals(1, client.del(KEY));
        assertEquals("OK", client.set(KEY, "true", SetParams.setParams().nx().ex(10)));
        assertNull(client.set(KEY, "true", SetParams.setParams().nx().ex(10)));
        long ttl = client.ttl(KEY);
        assertTrue(ttl > 0 && ttl <= 10, () -> "TTL " + ttl);
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void unknownDigest(RedisProtocol protocol) {
        RedisClient client = connect(protocol);
        var e = assertThrows(JedisNoScriptException.class, () -> client.evalsha("0".repeat(40), 1, KEY, "token"));
        assertEquals("NOSCRIPT No matching script. Please use EVAL.", e.getMessage());
        client.set(KEY, "token");
        assertEquals(1L, client.eval(RELEASE, 1, KEY, "token"), "EVAL keeps the script");
        assertEquals(0L, client.evalsha(client.scriptLoad(RELEASE), 1, KEY, "token"));
    }

    @Test
    void fencingNumbers() {
        RedisClient client = connect(RedisProtocol.RESP3);
        assertEquals(1, client.incr("fence:order"));
        assertEquals(2, client.incr("fence:order"));
    }
}
