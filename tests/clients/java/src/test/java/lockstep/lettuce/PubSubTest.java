// Pub/sub with Lettuce: on a connection of its own, and with RESP3 on the one that also sends commands.
package lockstep.lettuce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PubSubTest extends LettuceCase {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    private String next() throws InterruptedException {
        return heard.poll(20, TimeUnit.SECONDS);
    }

    private StatefulRedisPubSubConnection<String, String> listen(RedisClient client) {
        StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub();
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                heard.add(channel + ": " + message);
            }

            @Override
            public void message(String pattern, String channel, String message) {
                heard.add(pattern + " " + channel + ": " + message);
            }
        });
        return connection;
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void channelsAndPatterns(ProtocolVersion protocol) throws Exception {
        RedisClient client = client(protocol);
        StatefulRedisPubSubConnection<String, String> subscriber = listen(client);
        RedisCommands<String, String> redis = client.connect().sync();
        subscriber.sync().subscribe("lock:7", "news");
        assertEquals(1, redis.publish("lock:7", "released"));
        assertEquals("lock:7: released", next());
        subscriber.sync().unsubscribe("lock:7");
        subscriber.sync().psubscribe("lock:*");
        assertEquals(1, redis.publish("lock:7", "released again"));
        assertEquals("lock:* lock:7: released again", next());
        String payload = protocol == ProtocolVersion.RESP2 ? "" : "PONG"; // RESP2 has an array with an empty payload here
        assertEquals(payload, subscriber.sync().ping());
        subscriber.sync().punsubscribe("lock:*");
        assertEquals(0, redis.publish("lock:7", "lost"));
        assertEquals(1, redis.publish("news", "last"));
        assertEquals("news: last", next());
    }

    @Test
    void oneConnectionForBoth() throws Exception {
        StatefulRedisPubSubConnection<String, String> both = listen(client(ProtocolVersion.RESP3));
        both.sync().subscribe("lock:7");
        assertEquals("OK", both.sync().set("k", "v"), "RESP3: commands go on");
        assertEquals(1, both.sync().publish("lock:7", "to myself"));
        assertEquals("lock:7: to myself", next());
        assertEquals("v", both.sync().get("k"));
    }
}
