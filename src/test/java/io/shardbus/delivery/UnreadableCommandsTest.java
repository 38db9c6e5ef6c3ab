package io.shardbus.delivery;

import static io.shardbus.integration.LoneNode.failureCode;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.store.memory.MemoryStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A command that its codec writes and cannot read")
class UnreadableCommandsTest {
    private static final EntityType<Order> TYPE = EntityType.of("orders", Order.class);

    sealed interface Order {}

    record Ship(Way way) implements Order {}

    record Cancel() implements Order {}

    sealed interface Way {}

    record ByTrain(String station) implements Way {}

    record Noted() {}

    private static final class Orders implements EventSourcedEntity<Order, Noted, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Noted, Long> handle(Long state, Order command, PersistenceContext<Order> context) {
            return persist(new Noted());
        }

        @Override
        public Long apply(Long state, Noted event) {
            return state + 1;
        }
    }

    @Test
    @DisplayName("is refused by a delivery queue, and holds up none behind it")
    void refused() {
        try (LoneNode node = new LoneNode(new ShardingOptions())) {
            MemoryStore store = MemoryStore.create();
            node.start(EventSourced.of(TYPE, id -> new Orders(), EventCodec.json(Noted.class))
                    .on(store));
            DeliveryQueue queue = Await.result(DeliveryQueue.start(node.vertx(), node.sharding(), store, "orders"));
            assertEquals(
                    FailureCode.PAYLOAD_NOT_DECODABLE,
                    failureCode(queue.deliver(TYPE, "1", new Ship(new ByTrain("north")))));
            Await.result(queue.deliver(TYPE, "1", new Cancel()));
            Await.until(() -> "not confirmed", () -> Await.result(queue.unconfirmed()) == 0);
        }
    }
}
