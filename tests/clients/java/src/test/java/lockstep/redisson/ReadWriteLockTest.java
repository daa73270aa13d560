// RReadWriteLock: many readers or one writer. Its scripts count readers in the hash and give each a key with a TTL.
package lockstep.redisson;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import lockstep.fixture.Actor;
import org.junit.jupiter.api.Test;
import org.redisson.api.RReadWriteLock;

class ReadWriteLockTest extends RedissonCase {
    private static final String NAME = "catalogue";

    @Test
    void readersKeepTheWriterOut() throws Exception {
        RReadWriteLock first = connect().getReadWriteLock(NAME);
        RReadWriteLock second = connect().getReadWriteLock(NAME);
        alice.acts(first.readLock()::lock);
        alice.acts(first.readLock()::lock);
        assertTrue(bob.does(() -> second.readLock().tryLock()), "readers do not mind each other");
        assertEquals("read", observer.hget(NAME, "mode"));
        assertFalse(bob.does(() -> second.writeLock().tryLock()));
        bob.acts(second.readLock()::unlock);
        alice.acts(first.readLock()::unlock);
        assertFalse(bob.does(() -> second.writeLock().tryLock()), "alice reads twice");
        alice.acts(first.readLock()::unlock);
        assertFalse(observer.exists(NAME));
        assertTrue(bob.does(() -> second.writeLock().tryLock()));
        assertFalse(alice.does(() -> first.readLock().tryLock()));
        assertTrue(bob.does(() -> second.readLock().tryLock()), "a writer may read");
    }

    @Test
    void lastReaderWakesTheWriter() throws Exception {
        RReadWriteLock first = connect().getReadWriteLock(NAME);
        RReadWriteLock second = connect().getReadWriteLock(NAME);
        alice.acts(() -> first.readLock().lock(60, TimeUnit.SECONDS));
        Future<Boolean> writer = bob.begins(() -> second.writeLock().tryLock(30, TimeUnit.SECONDS));
        String channel = "redisson_rwlock:{" + NAME + "}";
        eventually("the writer listens", () -> observer.pubsubNumSub(channel).get(channel) == 1);
        assertFalse(writer.isDone());
        alice.acts(first.readLock()::unlock);
        assertTrue(Actor.resultOf(writer));
        assertEquals("write", observer.hget(NAME, "mode"));
    }

    @Test
    void watchdogExtendsEveryReader() throws Exception {
        long watchdogMs = 1500;
        RReadWriteLock lock = connect(config -> config.setLockWatchdogTimeout(watchdogMs)).getReadWriteLock(NAME);
        alice.acts(lock.readLock()::lock);
        bob.acts(lock.readLock()::lock);
        long start = System.nanoTime();
        eventually("twice the TTL has passed", () -> {
            assertTrue(observer.exists(NAME));
            assertEquals(2, observer.keys("{" + NAME + "}:*").size(), "a key for each reader");
            return System.nanoTime() - start > 2 * watchdogMs * 1_000_000;
        });
        alice.acts(lock.readLock()::unlock);
        bob.acts(lock.readLock()::unlock);
        assertEquals(0, observer.dbSize());
    }
}
