package io.shardbus.integration.remembering;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FencingToken;
import io.shardbus.spi.MessageExtractor;
import io.shardbus.store.InMemoryRememberedEntities;
import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Remembered ids that the type's extractor takes no more, as after a change of their form. */
class IdsThatDoNotFitTest {
    private final LoneNode node = new LoneNode(TestCluster.options());
    private final InMemoryRememberedEntities store = new InMemoryRememberedEntities();

    private static final class Numbered implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            throw new IllegalArgumentException("messages come in envelopes");
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Integer.parseInt(entityId) % numberOfShards;
        }
    }

    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theOthersOfTheirShardStart() {
        EntityDefinition<String> definition = LoneNode.texts(id -> (Entity<String>) new Echo())
                .withNumberOfShards(1)
                .withMessageExtractor(new Numbered())
                .withRememberEntities(true)
                .withRememberedEntitiesStore(store);
        String type = definition.type().name();
        Set<String> ids = Set.of("1", "2", "three", "4");
        await(store.update(type, 0, new FencingToken(0, 0, 1), ids, Set.of()));
        try (var log = new LogLines("io.shardbus.runtime.region.RememberedRegion")) {
            ShardRegion<String> region = node.start(definition);
            assertEquals("hello", await(LoneNode.ask(region.entityRef("5"), "hello")));
            Await.until(
                    () -> "not all remembered entities are live",
                    () -> await(region.entityIds()).equals(Map.of(0, Set.of("1", "2", "4", "5"))));
            assertEquals(1, log.with("remembered entity three").size());
        }
        assertEquals(
                Set.of("1", "2", "three", "4", "5"),
                await(store.open(type, 0, new FencingToken(Long.MAX_VALUE, 0, 1))));
    }
}
