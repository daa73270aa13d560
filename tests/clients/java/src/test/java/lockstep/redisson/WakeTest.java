// How a waiter learns of the release: RLock is told by a message and sends nothing while it waits; RSpinLock asks
// again and again. A key that is deleted without a word tells the two apart.
package lockstep.redisson;

import static lockstep.fixture.Waiting.eventually;
import static lockstep.fixture.Waiting.throughout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import lockstep.fixture.Actor;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

class WakeTest extends RedissonCase {
    private static final String NAME = "order:123";
    private static final String CHANNEL = "redisson_lock__channel:{" + NAME + "}";
    private static final Duration A_WHILE = Duration.ofMillis(500);

    private RLock held() throws Exception {
        RLock lock = connect().getLock(NAME);
        alice.acts(() -> lock.lock(10, TimeUnit.MINUTES)); // the lease is no way out for a waiter
        return lock;
    }

    private Future<Boolean> waiterOf(RLock lock) throws Exception {
        Future<Boolean> waiter = bob.begins(() -> lock.tryLock(5, TimeUnit.MINUTES));
        eventually("the waiter listens", () -> listeners(NAME) == 1);
        // Once subscribed it tries a second time, and is quiet from then on.
        eventually("the waiter waits", () -> {
            long before = commandsProcessed();
            Thread.sleep(100);
            return commandsProcessed() == before + 1;
        });
        return waiter;
    }

    @Test
    void releaseWakesTheWaiter() throws Exception {
        RLock lock = held();
        Future<Boolean> waiter = waiterOf(connect().getLock(NAME));
        alice.acts(lock::unlock);
        assertTrue(Actor.resultOf(waiter));
        eventually("it has unsubscribed", () -> listeners(NAME) == 0);
    }

    @Test
    void waiterSendsNothing() throws Exception {
        held();
        waiterOf(connect().getLock(NAME));
        AtomicLong expected = new AtomicLong(commandsProcessed());
        throughout(A_WHILE, "no command but our own", () -> commandsProcessed() == expected.incrementAndGet());
    }

    @Test
    void onlyTheMessageWakes() throws Exception {
        held();
        Future<Boolean> waiter = waiterOf(connect().getLock(NAME));
        assertEquals(1, observer.del(NAME));
        throughout(A_WHILE, "nobody has taken the free lock", () -> !waiter.isDone() && !observer.exists(NAME));
        assertEquals(1, observer.publish(CHANNEL, "0"), "what an unlock publishes");
        assertTrue(Actor.resultOf(waiter));
    }

    private String listeningConnection() {
        String line = observer.clientList(ClientType.PUBSUB);
        return line.replaceFirst("(?s)^id=(\\d+) .*", "$1");
    }

    /** The connection that listens is cut off: Redisson makes another and subscribes again. */
    @Test
    void waiterOutlivesItsConnection() throws Exception {
        RLock lock = held();
        Future<Boolean> waiter = waiterOf(connect().getLock(NAME));
        String before = listeningConnection();
        assertEquals(1, observer.clientKill(new ClientKillParams().id(before)));
        eventually("the waiter listens again", () -> listeners(NAME) == 1 && !listeningConnection().equals(before));
        assertFalse(waiter.isDone());
        alice.acts(lock::unlock);
        assertTrue(Actor.resultOf(waiter));
    }

    @Test
    void spinLockPolls() throws Exception {
        RLock lock = connect().getSpinLock(NAME);
        alice.acts(() -> lock.lock(10, TimeUnit.MINUTES));
        RLock elsewhere = connect().getSpinLock(NAME);
        Future<Boolean> waiter = bob.begins(() -> elsewhere.tryLock(5, TimeUnit.MINUTES));
        AtomicLong asked = new AtomicLong();
        long start = commandsProcessed();
        eventually("it asks again and again", () -> {
            asked.incrementAndGet();
            return commandsProcessed() - asked.get() > start + 20;
        });
        assertFalse(waiter.isDone());
        assertEquals(0, listeners(NAME), "it does not listen");
        assertEquals(1, observer.del(NAME));
        assertTrue(Actor.resultOf(waiter), "it finds the free lock by itself");
    }

    @Test
    void eachReleaseWakesOneMore() throws Exception {
        RLock lock = held();
        List<Actor> actors = IntStream.range(0, 5).mapToObj(i -> new Actor("waiter " + i)).toList();
        List<RLock> locks = actors.stream().map(actor -> connect().getLock(NAME)).toList();
        List<Future<Boolean>> waiters = IntStream.range(0, 5)
                .mapToObj(i -> actors.get(i).begins(() -> {
                    boolean taken = locks.get(i).tryLock(5, TimeUnit.MINUTES);
                    locks.get(i).unlock();
                    return taken;
                })).toList();
        eventually("five listen", () -> listeners(NAME) == 5);
        alice.acts(lock::unlock);
        for (Future<Boolean> waiter : waiters) {
            assertTrue(Actor.resultOf(waiter));
        }
        assertFalse(observer.exists(NAME));
        actors.forEach(Actor::close);
    }
}
