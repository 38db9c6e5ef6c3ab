package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A delivery that its entity stashes")
class StashedDeliveriesTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final EntityType<Command> TYPE = EntityType.of("shop", Command.class);

    sealed interface Command extends Ask<Long> {}

    record Sell(long amount) implements Command {}

    /** Brings back what is stashed. */
    record Open() implements Command {}

    /** Gives up what is stashed. */
    record Clear() implements Command {}

    record Total() implements Command {}

    record Sold(long amount) {}

    /** Sells nothing before it is open. */
    private static final class Shop implements EventSourcedEntity<Command, Sold, Long> {
        private boolean isOpen;

        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Sold, Long> handle(Long total, Command command, PersistenceContext<Command> context) {
            if (command instanceof Sell sell) {
                if (isOpen) {
                    return persist(new Sold(sell.amount()));
                }
                context.stash();
                return nothing();
            }
            if (command instanceof Open) {
                isOpen = true;
                context.unstashAll();
            } else if (command instanceof Clear) {
                context.discardStash();
            }
            return reply(total);
        }

        @Override
        public Long apply(Long total, Sold event) {
            return total + event.amount();
        }
    }

    private final EntityTestKit<Command> shop = EntityTestKit.of(
            EventSourced.of(TYPE, id -> new Shop(), EventCodec.json(Sold.class)).on(MemoryStore.create()));

    private Future<Void> deliver(long amount, long number, long previous) {
        return shop.ref().deliver(new Sell(amount), new DeliveryNumber("p", number, previous), SOON);
    }

    @Test
    @DisplayName("takes effect when it is unstashed, and is confirmed then")
    void unstashed() {
        Future<Void> first = deliver(5, 1, 0);
        assertEquals(0, shop.ask(new Total()));
        assertFalse(first.isComplete());
        assertEquals(0, shop.ask(new Open()));
        ClusterTestKit.await(first);
        ClusterTestKit.await(deliver(5, 1, 0));
        ClusterTestKit.await(deliver(2, 2, 1));
        assertEquals(7, shop.ask(new Total()));
        shop.close();
    }

    @Test
    @DisplayName("takes effect when it is sent again after the stash was discarded")
    void discarded() {
        Future<Void> first = deliver(5, 1, 0);
        assertEquals(0, shop.ask(new Clear()));
        ClusterTestKit.await(first.transform(ended -> Future.succeededFuture()));
        assertTrue(first.failed());
        assertEquals(0, shop.ask(new Open()));
        ClusterTestKit.await(deliver(5, 1, 0));
        assertEquals(5, shop.ask(new Total()));
        shop.close();
    }
}
