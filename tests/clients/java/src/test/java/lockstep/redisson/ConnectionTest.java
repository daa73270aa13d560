// How Redisson connects: both protocols, a password, a database, a name.
package lockstep.redisson;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import lockstep.fixture.Actor;
import lockstep.fixture.LockstepServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Protocol;

class ConnectionTest extends RedissonCase {
    @RegisterExtension
    static final LockstepServer SECRET = new LockstepServer("--requirepass", "secret");

    /** The lines of CLIENT LIST that are Redisson's: the observer says CLIENT itself. */
    private List<String> connections() {
        return Arrays.stream(observer.clientList().split("\n")).filter(line -> !line.contains(" cmd=client")).toList();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void lockWithEitherProtocol(Protocol protocol) throws Exception {
        RedissonClient redisson = connect(config -> config.setProtocol(protocol));
        assertTrue(connections().size() >= 24, "Redisson opens 24 and one to subscribe");
        String resp = protocol == Protocol.RESP3 ? " resp=3" : " resp=2";
        assertTrue(connections().stream().allMatch(line -> !line.contains(" resp=") || line.contains(resp)));
        RLock lock = redisson.getLock("order:123");
        RLock elsewhere = connect(config -> config.setProtocol(protocol)).getLock("order:123");
        alice.acts(lock::lock);
        assertFalse(bob.does(() -> elsewhere.tryLock()));
        Future<Boolean> waiter = bob.begins(() -> elsewhere.tryLock(30, TimeUnit.SECONDS));
        alice.acts(lock::unlock);
        assertTrue(Actor.resultOf(waiter));
    }

    @Test
    void databaseAndName() throws Exception {
        RedissonClient redisson = connect(config -> config.useSingleServer().setDatabase(3).setClientName("shop"));
        alice.acts(redisson.getLock("order:123")::lock);
        assertFalse(observer.exists("order:123"));
        observer.select(3);
        assertTrue(observer.exists("order:123"));
        assertTrue(connections().stream().allMatch(line -> line.contains(" name=shop ") && line.contains(" db=3 ")));
    }

    @Test
    void password() throws Exception {
        RedissonClient redisson = connect(SECRET, config -> config.setPassword("secret"));
        assertTrue(alice.does(() -> redisson.getLock("order:123").tryLock()));
        RedisException wrong = assertThrows(RedisException.class, () -> connectOnce("wrong"));
        assertTrue(rootMessage(wrong).startsWith("WRONGPASS invalid username-password pair or user is disabled."),
                () -> rootMessage(wrong));
        RedisException none = assertThrows(RedisException.class, () -> connectOnce(null));
        assertTrue(rootMessage(none).startsWith("NOAUTH Authentication required."), () -> rootMessage(none));
    }

    /** Without the retries, which take seconds. */
    private RedissonClient connectOnce(String password) {
        return connect(SECRET, config -> config.setPassword(password).useSingleServer().setRetryAttempts(0));
    }

    private static String rootMessage(Throwable e) {
        return e.getCause() == null ? e.getMessage() : rootMessage(e.getCause());
    }
}
