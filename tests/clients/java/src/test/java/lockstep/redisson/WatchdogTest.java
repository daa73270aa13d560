// The watchdog: a lock taken without a lease gets lockWatchdogTimeout as TTL and is extended at each third of it for
// as long as its client lives and holds it. The default of 30 s is shortened here, to see several extensions.
package lockstep.redisson;

import static lockstep.fixture.Waiting.eventually;
import static lockstep.fixture.Waiting.throughout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

class WatchdogTest extends RedissonCase {
    private static final String NAME = "report";
    private static final long TIMEOUT_MS = 2400;

    private RedissonClient client() {
        return connect(config -> config.setLockWatchdogTimeout(TIMEOUT_MS));
    }

    /** The task of the article: it takes more than three times the TTL. */
    @Test
    void taskMayTakeLongerThanTheTtl() throws Exception {
        RLock lock = client().getLock(NAME);
        RLock elsewhere = client().getLock(NAME);
        alice.acts(lock::lock);
        assertTrue(observer.pttl(NAME) <= TIMEOUT_MS);
        AtomicInteger extensions = new AtomicInteger();
        AtomicLong last = new AtomicLong(TIMEOUT_MS);
        throughout(Duration.ofMillis(TIMEOUT_MS * 10 / 3), "the lock is held", () -> {
            long ttl = observer.pttl(NAME);
            extensions.addAndGet(ttl > last.getAndSet(ttl) ? 1 : 0);
            return ttl > 0 && ttl <= TIMEOUT_MS;
        });
        assertTrue(extensions.get() >= 4, () -> extensions + " extensions");
        assertFalse(bob.does(() -> elsewhere.tryLock()), "nobody else got in");
        assertTrue(alice.does(lock::isHeldByCurrentThread));
        alice.acts(lock::unlock);
        assertTrue(bob.does(() -> elsewhere.tryLock()));
    }

    @Test
    void watchdogEndsWithTheLock() throws Exception {
        RLock lock = client().getLock(NAME);
        alice.acts(lock::lock);
        eventually("its watchdog is at work", () -> observer.pttl(NAME) < TIMEOUT_MS * 3 / 4);
        alice.acts(lock::unlock);
        assertEquals("OK", observer.set(NAME, "somebody else's"));
        throughout(Duration.ofMillis(TIMEOUT_MS / 2), "nobody gives it a TTL", () -> observer.pttl(NAME) == -1);
    }

    @Test
    void leaseIsNotExtended() throws Exception {
        RLock lock = client().getLock(NAME);
        alice.acts(() -> lock.lock(TIMEOUT_MS, TimeUnit.MILLISECONDS));
        AtomicLong last = new AtomicLong(TIMEOUT_MS);
        eventually("it is over", () -> {
            long ttl = observer.pttl(NAME);
            assertTrue(ttl <= last.getAndSet(ttl), "it only ever grows less");
            return ttl == -2;
        });
        assertThrows(IllegalMonitorStateException.class, () -> alice.acts(lock::unlock));
    }
}
