// Hand-over without a release: the lease ends, the holder's client closes, its process is killed. A waiter is told
// nothing then; it waits for as long as the TTL it was told, and tries again.
package lockstep.redisson;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import lockstep.fixture.Actor;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

class HandOverTest extends RedissonCase {
    private static final String NAME = "order:123";
    private static final long WATCHDOG_MS = 1500;

    @Test
    void leaseEnds() throws Exception {
        RLock lock = connect().getLock(NAME);
        RLock elsewhere = connect().getLock(NAME);
        alice.acts(() -> lock.lock(1, TimeUnit.SECONDS));
        assertFalse(bob.does(() -> elsewhere.tryLock()));
        long start = System.nanoTime();
        assertTrue(bob.does(() -> elsewhere.tryLock(30, 60, TimeUnit.SECONDS)));
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(waited < 5000, () -> waited + " ms for what was left of a second");
        assertFalse(alice.does(lock::isHeldByCurrentThread));
        assertThrows(IllegalMonitorStateException.class, () -> alice.acts(lock::unlock), "too late");
        assertTrue(observer.pttl(NAME) > 30_000, "bob's lease stands");
        assertTrue(bob.does(elsewhere::isHeldByCurrentThread));
    }

    @Test
    void clientCloses() throws Exception {
        RedissonClient holder = connect(config -> config.setLockWatchdogTimeout(WATCHDOG_MS));
        RLock elsewhere = connect().getLock(NAME);
        alice.acts(() -> holder.getLock(NAME).lock());
        Future<Boolean> waiter = bob.begins(() -> elsewhere.tryLock(30, TimeUnit.SECONDS));
        eventually("the waiter listens", () -> listeners(NAME) == 1);
        holder.shutdown();
        assertTrue(Actor.resultOf(waiter));
    }

    @Test
    void processIsKilled() throws Exception {
        RLock lock = connect().getLock(NAME);
        Process holder = startHolder();
        try (BufferedReader output = holder.inputReader()) {
            assertEquals("holds it", output.readLine());
            eventually("its watchdog is at work", () -> observer.pttl(NAME) < WATCHDOG_MS * 3 / 4);
            eventually("and extends it", () -> observer.pttl(NAME) > WATCHDOG_MS * 3 / 4);
            Future<Boolean> waiter = bob.begins(() -> lock.tryLock(30, TimeUnit.SECONDS));
            eventually("the waiter listens", () -> listeners(NAME) == 1);
            assertFalse(waiter.isDone());
            holder.destroyForcibly();
            assertTrue(Actor.resultOf(waiter));
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    private static Process startHolder() throws Exception {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp", System.getProperty("java.class.path"), HolderProcess.class.getName(),
                SERVER.url(), NAME, "" + WATCHDOG_MS).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
