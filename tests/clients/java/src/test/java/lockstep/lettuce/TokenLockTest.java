// A lock with Lettuce: SET NX PX with a token, released by a script that is called by its digest.
package lockstep.lettuce;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TokenLockTest extends LettuceCase {
    private static final String KEY = "lock:order:123";
    private static final String RELEASE = """
            if redis.call('get', KEYS[1]) == ARGV[1] then
                return redis.call('del', KEYS[1])
            end
            return 0
            """;

    private static final class TokenLock {
        private final RedisCommands<String, String> redis;
        private final long ttlMs;
        private final String token = UUID.randomUUID().toString();

        TokenLock(RedisCommands<String, String> redis, long ttlMs) {
            this.redis = redis;
            this.ttlMs = ttlMs;
        }

        boolean tryLock() {
            return "OK".equals(redis.set(KEY, token, SetArgs.Builder.nx().px(ttlMs)));
        }

        boolean unlock() {
            String[] keys = {KEY};
            Boolean released;
            try {
                released = redis.evalsha(redis.digest(RELEASE), ScriptOutputType.BOOLEAN, keys, token);
            } catch (RedisNoScriptException e) {
                released = redis.eval(RELEASE, ScriptOutputType.BOOLEAN, keys, token);
            }
            return released;
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void oneOwnerAtATime(ProtocolVersion protocol) {
        TokenLock a = new TokenLock(client(protocol).connect().sync(), 60_000);
        TokenLock b = new TokenLock(client(protocol).connect().sync(), 60_000);
        assertTrue(a.tryLock());
        assertFalse(b.tryLock());
        assertFalse(b.unlock(), "not b's");
        assertTrue(a.unlock());
        assertFalse(a.unlock(), "no longer a's");
        assertTrue(b.tryLock());
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void lateOwnerDoesNotReleaseTheNextOnes(ProtocolVersion protocol) throws Exception {
        TokenLock late = new TokenLock(client(protocol).connect().sync(), 100);
        TokenLock next = new TokenLock(client(protocol).connect().sync(), 60_000);
        assertTrue(late.tryLock());
        eventually("the lock expires while its owner works", next::tryLock);
        assertFalse(late.unlock());
        assertTrue(next.unlock());
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void digests(ProtocolVersion protocol) {
        RedisCommands<String, String> redis = client(protocol).connect().sync();
        String[] keys = {KEY};
        var e = assertThrows(RedisNoScriptException.class,
                () -> redis.evalsha("0".repeat(40), ScriptOutputType.INTEGER, keys, "token"));
        assertEquals("NOSCRIPT No matching script. Please use EVAL.", e.getMessage());
        assertEquals(redis.digest(RELEASE), redis.scriptLoad(RELEASE), "both have the same digest");
        assertEquals(0L, redis.<Long>evalsha(redis.digest(RELEASE), ScriptOutputType.INTEGER, keys, "token"));
    }

    /** Many commands in flight on one connection. */
    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void commandsInFlight(ProtocolVersion protocol) throws Exception {
        RedisAsyncCommands<String, String> redis = client(protocol).connect().async();
        var last = redis.incr("n");
        for (int i = 1; i < 1000; i++) {
            last = redis.incr("n");
        }
        assertEquals(1000L, last.get(20, TimeUnit.SECONDS));
    }
}
