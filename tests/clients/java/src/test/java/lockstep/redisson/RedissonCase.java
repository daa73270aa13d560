// What the Redisson tests share: a server, clients at Redisson's default settings, three owners and an observer. Holds
// no lock code: each use of a lock is written out in the test that shows it.
package lockstep.redisson;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import lockstep.fixture.Actor;
import lockstep.fixture.LockstepServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.clients.jedis.Jedis;

@Timeout(60)
abstract class RedissonCase {
    @RegisterExtension
    static final LockstepServer SERVER = new LockstepServer();

    final Actor alice = new Actor("alice");
    final Actor bob = new Actor("bob");
    Jedis observer;
    private final List<RedissonClient> clients = new ArrayList<>();

    @BeforeEach
    void connectObserver() {
        observer = SERVER.observer();
    }

    @AfterEach
    void closeAll() {
        alice.close();
        bob.close();
        clients.forEach(RedissonClient::shutdown);
        observer.close();
    }

    RedissonClient connect() {
        return connect(settings -> {});
    }

    RedissonClient connect(Consumer<Config> settings) {
        return connect(SERVER, settings);
    }

    RedissonClient connect(LockstepServer server, Consumer<Config> settings) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.url());
        settings.accept(config);
        RedissonClient client = Redisson.create(config);
        clients.add(client);
        return client;
    }

    /** How many waiters have subscribed to hear of the lock's release. */
    long listeners(String lock) {
        String channel = "redisson_lock__channel:{" + lock + "}";
        return observer.pubsubNumSub(channel).get(channel);
    }

    /** How many commands the server has processed, the one that asks among them. */
    long commandsProcessed() {
        String info = observer.info("stats");
        String field = "total_commands_processed:";
        int at = info.indexOf(field) + field.length();
        return Long.parseLong(info.substring(at, info.indexOf('\r', at)));
    }
}
