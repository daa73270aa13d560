// RSpinLock: the lock without pub/sub. How it waits is in WakeTest.
package lockstep.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import lockstep.fixture.Actor;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

class SpinLockTest extends RedissonCase {
    @Test
    void holderTakesItAgainAndStrangersCannotRelease() throws Exception {
        RLock lock = connect().getSpinLock("order:123");
        RLock elsewhere = connect().getSpinLock("order:123");
        alice.acts(lock::lock);
        alice.acts(lock::lock);
        assertEquals(2, alice.does(lock::getHoldCount));
        assertFalse(bob.does(() -> elsewhere.tryLock(100, TimeUnit.MILLISECONDS)));
        assertThrows(IllegalMonitorStateException.class, () -> bob.acts(elsewhere::unlock));
        alice.acts(lock::unlock);
        assertTrue(lock.isLocked());
        alice.acts(lock::unlock);
        assertTrue(bob.does(() -> elsewhere.tryLock()));
    }

    @Test
    void waiterGetsItAfterTheReleaseAndAfterTheLease() throws Exception {
        RLock lock = connect().getSpinLock("order:123");
        RLock elsewhere = connect().getSpinLock("order:123");
        alice.acts(() -> lock.lock(60, TimeUnit.SECONDS));
        Future<Boolean> waiter = bob.begins(() -> elsewhere.tryLock(30, 1, TimeUnit.SECONDS));
        alice.acts(lock::unlock);
        assertTrue(Actor.resultOf(waiter));
        assertTrue(alice.does(() -> lock.tryLock(30, TimeUnit.SECONDS)), "bob never releases it");
        assertThrows(IllegalMonitorStateException.class, () -> bob.acts(elsewhere::unlock));
    }

    @Test
    void forceUnlock() throws Exception {
        RLock lock = connect().getSpinLock("order:123");
        alice.acts(lock::lock);
        assertTrue(connect().getSpinLock("order:123").forceUnlock());
        assertFalse(lock.isLocked());
    }
}
