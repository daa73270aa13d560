// What the Jedis tests share: a server and clients of one protocol. Holds no lock code.
package lockstep.jedis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import lockstep.fixture.LockstepServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.clients.jedis.BuilderFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisProtocol;

@Timeout(60)
abstract class JedisCase {
    static final String RELEASE = """
            if redis.call('get', KEYS[1]) == ARGV[1] then
                return redis.call('del', KEYS[1])
            end
            return 0
            """;

    @RegisterExtension
    static final LockstepServer SERVER = new LockstepServer();

    private final List<RedisClient> clients = new ArrayList<>();

    @AfterEach
    void closeAll() {
        clients.forEach(RedisClient::close);
    }

    RedisClient connect(RedisProtocol protocol) {
        return connect(SERVER, settings -> settings.protocol(protocol));
    }

    RedisClient connect(LockstepServer server, Consumer<DefaultJedisClientConfig.Builder> settings) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder();
        settings.accept(config);
        RedisClient client = RedisClient.builder().hostAndPort(LockstepServer.HOST, server.port())
                .clientConfig(config.build()).build();
        clients.add(client);
        return client;
    }

    /** What the server knows of the client's connection. */
    static String clientInfo(RedisClient client) {
        CommandArguments command = new CommandArguments(Protocol.Command.CLIENT).add("INFO");
        return BuilderFactory.STRING.build(client.executeCommand(command));
    }
}
