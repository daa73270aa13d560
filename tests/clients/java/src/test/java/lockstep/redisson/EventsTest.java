// Redisson's object listeners: keyspace notifications, switched on by CONFIG SET and heard by PSUBSCRIBE.
package lockstep.redisson;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.DeletedObjectListener;
import org.redisson.api.ExpiredObjectListener;
import org.redisson.api.RBucket;
import org.redisson.client.codec.StringCodec;

class EventsTest extends RedissonCase {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @BeforeEach
    void switchOn() {
        observer.configSet("notify-keyspace-events", "Egx");
    }

    @AfterEach
    void switchOff() {
        try (var redis = SERVER.observer()) {
            redis.configSet("notify-keyspace-events", "");
        }
    }

    @Test
    void expiryIsToldAtTheDeadline() throws Exception {
        RBucket<String> session = connect().getBucket("session:7", StringCodec.INSTANCE);
        session.addListener((ExpiredObjectListener) name -> heard.add("expired " + name));
        session.addListener((DeletedObjectListener) name -> heard.add("deleted " + name));
        eventually("it listens", () -> observer.pubsubNumPat() >= 2);
        session.set("alice", Duration.ofMillis(100)); // and nobody asks for it again
        assertEquals("expired session:7", heard.poll(20, TimeUnit.SECONDS));
        session.set("bob");
        session.delete();
        assertEquals("deleted session:7", heard.poll(20, TimeUnit.SECONDS));
    }
}
