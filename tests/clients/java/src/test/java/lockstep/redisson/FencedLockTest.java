// RFencedLock: each holder gets a larger number than all before, and a store that keeps the largest one refuses a
// holder whose lease has ended without its knowing.
package lockstep.redisson;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.redisson.api.RFencedLock;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

class FencedLockTest extends RedissonCase {
    private static final String WRITE_IF_NOT_STALE = """
            if tonumber(ARGV[1]) < tonumber(redis.call('hget', KEYS[1], 'fence') or 0) then
                return 0
            end
            redis.call('hset', KEYS[1], 'fence', ARGV[1], 'value', ARGV[2])
            return 1
            """;

    @Test
    void fencesGrow() throws Exception {
        RFencedLock lock = connect().getFencedLock("order:123");
        RFencedLock elsewhere = connect().getFencedLock("order:123");
        long last = 0;
        for (int i = 0; i < 5; i++) {
            long first = alice.does(lock::lockAndGetToken);
            Long none = bob.does(() -> elsewhere.tryLockAndGetToken(50, TimeUnit.MILLISECONDS));
            assertNull(none, "no number for who did not get it");
            alice.acts(lock::unlock);
            long second = bob.does(elsewhere::lockAndGetToken);
            bob.acts(elsewhere::unlock);
            assertTrue(last < first && first < second, last + " < " + first + " < " + second);
            last = second;
        }
        assertEquals(10, last, "one for each holder, none wasted");
    }

    @Test
    void takingItAgain() throws Exception {
        RFencedLock lock = connect().getFencedLock("order:123");
        long first = alice.does(lock::lockAndGetToken);
        long second = alice.does(lock::lockAndGetToken);
        assertTrue(second > first, "Redisson counts each acquisition");
        assertEquals(second, alice.does(lock::getToken));
        alice.acts(lock::unlock);
        assertTrue(lock.isLocked());
    }

    @Test
    void staleHolderIsRefused() throws Exception {
        RedissonClient redisson = connect();
        RFencedLock lock = redisson.getFencedLock("order:123");
        RFencedLock elsewhere = connect().getFencedLock("order:123");
        long stale = alice.does(() -> lock.tryLockAndGetToken(10_000, 200, TimeUnit.MILLISECONDS));
        eventually("alice's lease ends", () -> !observer.exists("order:123"));
        long current = bob.does(() -> elsewhere.tryLockAndGetToken(10, 60, TimeUnit.SECONDS));
        assertTrue(current > stale, "the numbers outlive the lease");
        assertTrue(write(redisson, current, "bob's"));
        assertFalse(write(redisson, stale, "alice's"));
        assertEquals("bob's", observer.hget("stock", "value"));
    }

    private static boolean write(RedissonClient redisson, long fence, String value) {
        return redisson.getScript(StringCodec.INSTANCE).eval(RScript.Mode.READ_WRITE, WRITE_IF_NOT_STALE,
                RScript.ReturnType.BOOLEAN, List.of("stock"), "" + fence, value);
    }
}
