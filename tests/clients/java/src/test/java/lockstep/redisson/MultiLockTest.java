// One lock over three servers: RMultiLock needs all of them, RedissonRedLock the greater number.
package lockstep.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import lockstep.fixture.Actor;
import lockstep.fixture.LockstepServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.ConstantDelay;
import redis.clients.jedis.Jedis;

class MultiLockTest extends RedissonCase {
    private static final String NAME = "order:123";

    @RegisterExtension
    static final LockstepServer SECOND = new LockstepServer();
    @RegisterExtension
    static final LockstepServer THIRD = new LockstepServer();
    private static final List<LockstepServer> SERVERS = List.of(SERVER, SECOND, THIRD);

    private RLock[] locks() {
        return SERVERS.stream().map(server -> connect(server, config -> {
            // With the defaults it takes more than ten seconds until a server counts as down.
            config.useSingleServer().setRetryAttempts(1).setTimeout(1000)
                    .setRetryDelay(new ConstantDelay(Duration.ofMillis(50)));
        }).getLock(NAME)).toArray(RLock[]::new);
    }

    private static long heldOn(LockstepServer... servers) {
        long held = 0;
        for (LockstepServer server : servers) {
            try (Jedis jedis = server.observer()) {
                held += jedis.exists(NAME) ? 1 : 0;
            }
        }
        return held;
    }

    private static long heldOnAll() {
        return heldOn(SERVER, SECOND, THIRD);
    }

    @Test
    void multiLockNeedsAll() throws Exception {
        RedissonClient redisson = connect();
        RLock[] locks = locks();
        RLock multi = redisson.getMultiLock(locks);
        RLock other = redisson.getMultiLock(locks());
        assertTrue(alice.does(() -> multi.tryLock()));
        assertEquals(3, heldOnAll());
        assertFalse(bob.does(() -> other.tryLock()));
        alice.acts(multi::unlock);
        assertEquals(0, heldOnAll());
        alice.acts(locks[2]::lock);
        assertFalse(bob.does(() -> other.tryLock()), "one is taken");
        assertEquals(1, heldOnAll(), "the other two were given back");
    }

    @Test
    void multiLockWaitsForTheLastOne() throws Exception {
        RedissonClient redisson = connect();
        RLock[] locks = locks();
        RLock multi = redisson.getMultiLock(locks());
        alice.acts(() -> locks[1].lock(60, TimeUnit.SECONDS));
        Future<Boolean> waiter = bob.begins(() -> multi.tryLock(30, 60, TimeUnit.SECONDS));
        alice.acts(locks[1]::unlock);
        assertTrue(Actor.resultOf(waiter));
        assertEquals(3, heldOnAll());
        bob.acts(multi::unlock);
        assertEquals(0, heldOnAll());
    }

    @Test
    @SuppressWarnings("deprecation") // there is nothing else for a majority
    void redLockNeedsTheGreaterNumber() throws Exception {
        RedissonClient redisson = connect();
        RLock[] mine = locks();
        RLock[] theirs = locks();
        RLock multi = redisson.getMultiLock(mine);
        RLock red = redisson.getRedLock(mine);
        RLock other = redisson.getRedLock(theirs);
        THIRD.stop();
        try {
            assertFalse(alice.does(() -> multi.tryLock(1, 60, TimeUnit.SECONDS)));
            assertEquals(0, heldOn(SERVER, SECOND));
            assertTrue(alice.does(() -> red.tryLock(5, 60, TimeUnit.SECONDS)));
            assertEquals(2, heldOn(SERVER, SECOND));
            assertFalse(bob.does(() -> other.tryLock(1, 60, TimeUnit.SECONDS)));
            alice.acts(red::unlock);
            assertEquals(0, heldOn(SERVER, SECOND));
        } finally {
            THIRD.start();
        }
    }
}
