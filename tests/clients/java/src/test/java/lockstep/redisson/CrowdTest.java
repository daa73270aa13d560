// Fifty contenders for one lock, spread over two clients: never two inside, nobody left out, no update lost.
package lockstep.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

import lockstep.fixture.Actor;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

class CrowdTest extends RedissonCase {
    private static final int CONTENDERS = 50;
    private static final String LOCK = "lock:sneakers";
    private static final String COUNTER = "sold";

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @Test
    void lock() throws Exception {
        contend(RedissonClient::getLock);
        assertEquals(0, listeners(LOCK));
    }

    @Test
    void spinLock() throws Exception {
        contend(RedissonClient::getSpinLock);
    }

    @Test
    void fencedLock() throws Exception {
        contend(RedissonClient::getFencedLock);
    }

    private void contend(BiFunction<RedissonClient, String, RLock> kind) throws Exception {
        List<RedissonClient> clients = List.of(connect(), connect());
        List<Actor> actors = new ArrayList<>();
        List<Future<Boolean>> results = new ArrayList<>();
        CyclicBarrier start = new CyclicBarrier(CONTENDERS);
        for (int i = 0; i < CONTENDERS; i++) {
            RedissonClient client = clients.get(i % clients.size());
            RLock lock = kind.apply(client, LOCK);
            actors.add(new Actor("contender " + i));
            results.add(actors.get(i).begins(() -> {
                start.await();
                return countOnce(lock, client.getBucket(COUNTER, StringCodec.INSTANCE));
            }));
        }
        for (Future<Boolean> result : results) {
            assertTrue(Actor.resultOf(result));
        }
        actors.forEach(Actor::close);
        assertEquals(1, most.get(), "never two inside");
        assertEquals("" + CONTENDERS, observer.get(COUNTER), "no update lost");
        assertFalse(observer.exists(LOCK));
    }

    /** Reads the counter and writes it back: without the lock, updates would be lost. */
    private boolean countOnce(RLock lock, RBucket<String> counter) {
        lock.lock();
        try {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            String before = counter.get();
            counter.set(before == null ? "1" : "" + (Integer.parseInt(before) + 1));
            inside.decrementAndGet();
        } finally {
            lock.unlock();
        }
        return true;
    }
}
