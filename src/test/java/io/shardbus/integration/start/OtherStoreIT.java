package io.shardbus.integration.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.model.FailureCode;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.DurableStateEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.StateCodec;
import io.shardbus.persistence.StateEffect;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A node whose store is another file than the cluster's")
class OtherStoreIT {
    private final Vertx vertx = Vertx.vertx();
    private final ClusterTestKit cluster = ClusterTestKit.start(2);
    private final ClusterTestKit.Node first = cluster.node(0);
    private final ClusterTestKit.Node second = cluster.node(1);

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        cluster.close();
        ClusterTestKit.await(vertx.close());
    }

    /** Keeps its last message. */
    private static final class Kept implements DurableStateEntity<CounterMessage, String> {
        @Override
        public String emptyState() {
            return "";
        }

        @Override
        public StateEffect<String> handle(
                String state, CounterMessage message, PersistenceContext<CounterMessage> context) {
            return save(message.toString());
        }
    }

    private PersistenceStore store(String file) {
        return SqliteStore.create(
                vertx, new SqliteOptions().setFile(directory.resolve(file).toString()));
    }

    private static EntityDefinition<CounterMessage> definition(PersistenceStore store) {
        return DurableState.of(CounterMessage.COUNTER, id -> new Kept(), StateCodec.json(String.class))
                .on(store);
    }

    private static ShardingException refusal(ClusterTestKit.Node node, EntityDefinition<CounterMessage> definition) {
        return assertThrows(
                ShardingException.class,
                () -> ClusterTestKit.await(node.sharding().start(definition)));
    }

    private void assertNamesBoth(String text) {
        assertTrue(text.contains("are stored in sqlite:" + directory.resolve("b.db") + " (id "), text);
        assertTrue(text.contains(" here and in sqlite:" + directory.resolve("a.db") + " (id "), text);
        assertTrue(text.contains("give all nodes the same store"), text);
    }

    @Test
    @DisplayName("is refused and not ready, with both files in the reason, until it has the cluster's")
    void refused() {
        ClusterTestKit.await(first.sharding().start(definition(store("a.db"))));
        ShardingException refusal = refusal(second, definition(store("b.db")));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        assertNamesBoth(String.valueOf(refusal.getMessage()));
        cluster.until("it says so", () -> !second.sharding().notReadyReasons().isEmpty());
        assertNamesBoth(second.sharding().notReadyReasons().toString());
        assertFalse(second.sharding().isReady());
        ClusterTestKit.await(second.sharding().start(definition(store("a.db"))));
        assertEquals(List.of(), second.sharding().notReadyReasons());
        cluster.until("ready", () -> second.sharding().isReady());
    }

    @Test
    @DisplayName("is refused when its proxy becomes a host; with a store that cannot be opened it stays a proxy")
    void proxy() {
        ClusterTestKit.await(first.sharding().start(definition(store("a.db"))));
        ClusterTestKit.await(second.sharding().startProxy(definition(store("b.db"))));
        ShardingException unreached = refusal(second, definition(store("missing/b.db")));
        assertEquals(FailureCode.STORE_UNAVAILABLE, unreached.code(), unreached::toString);
        assertTrue(
                second.sharding().region(CounterMessage.COUNTER).orElseThrow().isProxy());
        cluster.until("the proxy is ready", () -> second.sharding().isReady());
        ShardingException refused = refusal(second, definition(store("b.db")));
        assertEquals(FailureCode.INCOMPATIBLE, refused.code(), refused::toString);
        assertNamesBoth(String.valueOf(refused.getMessage()));
    }

    @Test
    @DisplayName("is taken where it does not say its store, as a node of an earlier build")
    void earlierBuild() {
        ClusterTestKit.await(first.sharding().start(definition(store("a.db"))));
        ClusterTestKit.await(second.sharding().start(EntityDefinition.of(CounterMessage.COUNTER, id -> new Counter())));
        assertEquals(List.of(), second.sharding().notReadyReasons());
    }
}
