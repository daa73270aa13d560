// Pub/sub through JedisPubSub: a waiter that is told of the release, patterns, PING while subscribed.
package lockstep.jedis;

import static lockstep.fixture.Waiting.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import lockstep.fixture.Actor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;

class PubSubTest extends JedisCase {
    /** Writes down what it is told. */
    private static final class Listener extends JedisPubSub {
        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            return heard.poll(20, TimeUnit.SECONDS);
        }

        @Override
        public void onSubscribe(String channel, int count) {
            heard.add("subscribed " + channel + " " + count);
        }

        @Override
        public void onUnsubscribe(String channel, int count) {
            heard.add("unsubscribed " + channel + " " + count);
        }

        @Override
        public void onPSubscribe(String pattern, int count) {
            heard.add("subscribed " + pattern + " " + count);
        }

        @Override
        public void onPUnsubscribe(String pattern, int count) {
            heard.add("unsubscribed " + pattern + " " + count);
        }

        @Override
        public void onMessage(String channel, String message) {
            heard.add(channel + ": " + message);
        }

        @Override
        public void onPMessage(String pattern, String channel, String message) {
            heard.add(pattern + " " + channel + ": " + message);
        }

        @Override
        public void onPong(String pattern) {
            heard.add("pong " + pattern);
        }
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void channels(RedisProtocol protocol) throws Exception {
        RedisClient client = connect(protocol);
        RedisClient subscriber = connect(protocol);
        Listener listener = new Listener();
        try (Actor alice = new Actor("alice")) {
            var ended = alice.begins(() -> {
                subscriber.subscribe(listener, "lock:7", "news");
                return true;
            });
            assertEquals("subscribed lock:7 1", listener.next());
            assertEquals("subscribed news 2", listener.next());
            assertEquals(1, client.publish("lock:7", "released"));
            assertEquals("lock:7: released", listener.next());
            assertEquals(1L, client.eval("return redis.call('publish', KEYS[1], 'from a script')", 1, "news"));
            assertEquals("news: from a script", listener.next());
            if (protocol == RedisProtocol.RESP2) { // with RESP3 the answer is no push, and Jedis does not pass it on
                listener.ping("still there");
                assertEquals("pong still there", listener.next());
            }
            listener.unsubscribe("lock:7");
            assertEquals("unsubscribed lock:7 1", listener.next());
            assertEquals(0, client.publish("lock:7", "lost"));
            listener.unsubscribe();
            assertEquals("unsubscribed news 0", listener.next());
            Actor.resultOf(ended);
        }
    }

    @ParameterizedTest
    @EnumSource(value = RedisProtocol.class, names = {"RESP2", "RESP3"})
    void patterns(RedisProtocol protocol) throws Exception {
        RedisClient client = connect(protocol);
        RedisClient subscriber = connect(protocol);
        Listener listener = new Listener();
        try (Actor alice = new Actor("alice")) {
            var ended = alice.begins(() -> {
                subscriber.psubscribe(listener, "lock:*");
                return true;
            });
            assertEquals("subscribed lock:* 1", listener.next());
            eventually("a message arrives", () -> client.publish("lock:7", "released") == 1);
            assertEquals("lock:* lock:7: released", listener.next());
            listener.punsubscribe();
            assertEquals("unsubscribed lock:* 0", listener.next());
            Actor.resultOf(ended);
        }
    }
}
