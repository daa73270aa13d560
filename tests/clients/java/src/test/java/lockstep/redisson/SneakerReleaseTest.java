// A limited release: a hundred users ask at once for ten pairs of sneakers, through several servers of the shop. Each
// purchase waits for the lock, reads the stock and writes it back; the lock goes on the message of the release.
package lockstep.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import lockstep.fixture.Actor;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

class SneakerReleaseTest extends RedissonCase {
    private static final int USERS = 100;
    private static final int PAIRS = 10;
    private static final int SHOPS = 4;

    enum Answer { SOLD, SOLD_OUT, BUSY }

    /** One server of the shop. */
    private static final class Shop {
        private final RLock lock;
        private final RBucket<String> stock;

        Shop(RedissonClient redisson) {
            lock = redisson.getLock("lock:sneakers");
            stock = redisson.getBucket("stock:sneakers", StringCodec.INSTANCE);
        }

        Answer buy() throws InterruptedException {
            if (!lock.tryLock(30, TimeUnit.SECONDS)) { // no lease: the watchdog extends it while we work
                return Answer.BUSY;
            }
            try {
                int left = Integer.parseInt(stock.get());
                if (left == 0) {
                    return Answer.SOLD_OUT;
                }
                stock.set("" + (left - 1));
                return Answer.SOLD;
            } finally {
                lock.unlock();
            }
        }
    }

    @Test
    void neverOversold() throws Exception {
        observer.set("stock:sneakers", "" + PAIRS);
        List<Shop> shops = IntStream.range(0, SHOPS).mapToObj(i -> new Shop(connect())).toList();
        CyclicBarrier opening = new CyclicBarrier(USERS);
        List<Actor> users = new ArrayList<>();
        List<Future<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < USERS; i++) {
            Shop shop = shops.get(i % SHOPS);
            users.add(new Actor("user " + i));
            answers.add(users.get(i).begins(() -> {
                opening.await();
                return shop.buy();
            }));
        }
        List<Answer> given = new ArrayList<>();
        for (Future<Answer> answer : answers) {
            given.add(Actor.resultOf(answer));
        }
        users.forEach(Actor::close);
        assertEquals(PAIRS, Collections.frequency(given, Answer.SOLD));
        assertEquals(USERS - PAIRS, Collections.frequency(given, Answer.SOLD_OUT));
        assertEquals("0", observer.get("stock:sneakers"));
        assertFalse(observer.exists("lock:sneakers"));
    }
}
