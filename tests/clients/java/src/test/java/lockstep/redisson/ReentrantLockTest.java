// RLock as a lock: who holds it may take it again, who does not cannot release it, and what the server stores.
package lockstep.redisson;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import lockstep.fixture.Actor;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

class ReentrantLockTest extends RedissonCase {
    @Test
    void holderTakesItAgain() throws Exception {
        RedissonClient redisson = connect();
        RLock lock = redisson.getLock("order:123");
        alice.acts(lock::lock);
        alice.acts(lock::lock);
        assertTrue(alice.does(() -> lock.tryLock()));
        assertEquals(3, alice.does(lock::getHoldCount));
        assertEquals("hash", observer.type("order:123"));
        assertEquals(List.of("3"), observer.hvals("order:123"), "one owner, taken three times");
        assertFalse(bob.does(() -> lock.tryLock()));
        alice.acts(lock::unlock);
        alice.acts(lock::unlock);
        assertTrue(lock.isLocked());
        assertFalse(bob.does(() -> lock.tryLock()));
        alice.acts(lock::unlock);
        assertFalse(lock.isLocked());
        assertFalse(observer.exists("order:123"));
        assertTrue(bob.does(() -> lock.tryLock()));
    }

    @Test
    void ownerIsAThreadOfAClient() throws Exception {
        RLock lock = connect().getLock("order:123");
        RLock elsewhere = connect().getLock("order:123");
        alice.acts(lock::lock);
        assertTrue(alice.does(lock::isHeldByCurrentThread));
        assertFalse(bob.does(lock::isHeldByCurrentThread));
        assertFalse(alice.does(elsewhere::isHeldByCurrentThread), "the same thread of another client");
        assertTrue(elsewhere.isLocked());
        assertFalse(alice.does(() -> elsewhere.tryLock()));
    }

    @Test
    void strangersCannotRelease() throws Exception {
        RLock lock = connect().getLock("order:123");
        RLock elsewhere = connect().getLock("order:123");
        alice.acts(lock::lock);
        assertThrows(IllegalMonitorStateException.class, () -> bob.acts(lock::unlock));
        assertThrows(IllegalMonitorStateException.class, () -> alice.acts(elsewhere::unlock));
        assertTrue(lock.isLocked());
        alice.acts(lock::unlock);
        assertThrows(IllegalMonitorStateException.class, () -> alice.acts(lock::unlock), "not even the holder, twice");
    }

    @Test
    void waitingEnds() throws Exception {
        RLock lock = connect().getLock("order:123");
        RLock elsewhere = connect().getLock("order:123");
        alice.acts(lock::lock);
        long start = System.nanoTime();
        assertFalse(bob.does(() -> elsewhere.tryLock(300, TimeUnit.MILLISECONDS)));
        assertTrue(System.nanoTime() - start >= 300_000_000, "not before its time");
        eventually("the waiter has unsubscribed", () -> listeners("order:123") == 0);
    }

    @Test
    void leaseIsTheTtl() throws Exception {
        RLock lock = connect().getLock("order:123");
        alice.acts(() -> lock.lock(40, TimeUnit.SECONDS));
        long ttl = observer.pttl("order:123");
        assertTrue(ttl > 30_000 && ttl <= 40_000, () -> "PTTL " + ttl);
        assertTrue(lock.remainTimeToLive() <= ttl);
        alice.acts(() -> lock.lock(60, TimeUnit.SECONDS));
        assertTrue(observer.pttl("order:123") > 40_000, "taking it again begins a new lease");
    }

    @Test
    void forcedReleaseWakesTheWaiter() throws Exception {
        RLock lock = connect().getLock("order:123");
        RLock elsewhere = connect().getLock("order:123");
        assertFalse(elsewhere.forceUnlock(), "nobody holds it");
        alice.acts(() -> lock.lock(60, TimeUnit.SECONDS));
        Future<Boolean> waiter = bob.begins(() -> elsewhere.tryLock(60, TimeUnit.SECONDS));
        eventually("the waiter listens", () -> listeners("order:123") == 1);
        assertTrue(elsewhere.forceUnlock(), "whoever asks");
        assertTrue(Actor.resultOf(waiter));
        assertThrows(IllegalMonitorStateException.class, () -> alice.acts(lock::unlock), "it is bob's now");
        assertTrue(bob.does(elsewhere::isHeldByCurrentThread));
    }
}
