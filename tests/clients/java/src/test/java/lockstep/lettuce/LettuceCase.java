// What the Lettuce tests share: a server and connections of one protocol. Holds no lock code.
package lockstep.lettuce;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import lockstep.fixture.LockstepServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
abstract class LettuceCase {
    @RegisterExtension
    static final LockstepServer SERVER = new LockstepServer();

    private final List<RedisClient> clients = new ArrayList<>();

    @AfterEach
    void closeAll() {
        clients.forEach(client -> client.shutdown(0, 1, TimeUnit.SECONDS)); // no two seconds of silence first
    }

    RedisClient client(ProtocolVersion protocol) {
        RedisClient client = client(SERVER, address -> {});
        client.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
        return client;
    }

    RedisClient client(LockstepServer server, Consumer<RedisURI.Builder> settings) {
        RedisURI.Builder address = RedisURI.Builder.redis(LockstepServer.HOST, server.port());
        settings.accept(address);
        RedisClient client = RedisClient.create(address.build());
        clients.add(client);
        return client;
    }
}
