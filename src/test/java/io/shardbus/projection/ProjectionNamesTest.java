package io.shardbus.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The name of a projection")
class ProjectionNamesTest {
    record Noted() {}

    private static final class Notes implements EventSourcedEntity<String, Noted, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Noted, Long> handle(Long state, String command, PersistenceContext<String> context) {
            return persist(new Noted());
        }

        @Override
        public Long apply(Long state, Noted event) {
            return state + 1;
        }
    }

    private static Projection<Noted> view(String type) {
        return Projection.of(
                "view",
                EventSourced.of(EntityType.of(type, String.class), id -> new Notes(), EventCodec.json(Noted.class)),
                ProjectionHandler.each(event -> Future.succeededFuture()));
    }

    @Test
    @DisplayName("belongs to one type and one store while the projection runs on a node")
    void taken() {
        try (LoneNode node = new LoneNode(new ShardingOptions())) {
            Projections projections = Projections.create(node.vertx(), node.sharding(), MemoryStore.create());
            Await.result(projections.start(view("notes")));
            Await.result(projections.start(view("notes")));
            var otherType = assertThrows(IllegalArgumentException.class, () -> projections.start(view("letters")));
            assertTrue(
                    String.valueOf(otherType.getMessage()).contains("of type 'notes' was started"),
                    otherType::toString);
            Projections elsewhere = Projections.create(node.vertx(), node.sharding(), MemoryStore.create());
            assertThrows(IllegalArgumentException.class, () -> elsewhere.start(view("notes")));
            assertEquals(
                    "notes", Projections.startedOn(node.vertx()).get("view").type());
        }
    }
}
