package io.shardbus.persistence;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.EntityTestKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An entity with a durable state")
class DurableStateTest {
    sealed interface Message {}

    record Put(String item) implements Message, Ask<Long> {}

    record Empty() implements Message {}

    record Items() implements Message, Ask<List<String>> {}

    record Basket(List<String> items) {}

    private static final EntityType<Message> TYPE = EntityType.of("basket", Message.class);

    /** Takes ten items. */
    private static final class Shopper implements DurableStateEntity<Message, Basket> {
        @Override
        public Basket emptyState() {
            return new Basket(List.of());
        }

        @Override
        public StateEffect<Basket> handle(Basket basket, Message message, PersistenceContext<Message> context) {
            if (message instanceof Put put) {
                if (basket.items().contains(put.item())) {
                    return refuse("TWICE", "it has this");
                }
                var items = new ArrayList<>(basket.items());
                items.add(put.item());
                return save(new Basket(List.copyOf(items))).thenReply(now -> context.sequenceNumber());
            }
            return message instanceof Empty ? delete() : reply(basket.items());
        }
    }

    private final MemoryStore store = MemoryStore.create();
    private final DurableState<Message, Basket> type =
            DurableState.of(TYPE, id -> new Shopper(), StateCodec.json(Basket.class));

    @ParameterizedTest
    @EnumSource(
            value = StopReason.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"FAILURE"})
    @DisplayName("has what it saved after each kind of stop, and its revisions go on after a deletion")
    void survives(StopReason reason) {
        try (var basket = EntityTestKit.of(type.on(store))) {
            assertEquals(1, basket.ask(new Put("tea")));
            assertEquals(2, basket.ask(new Put("milk")));
            assertThrows(ShardingException.class, () -> basket.ask(new Put("tea")));
            basket.restart(reason);
            assertEquals(List.of("tea", "milk"), basket.ask(new Items()));
            basket.tell(new Empty());
            basket.restart(reason);
            assertEquals(List.of(), basket.ask(new Items()));
            assertEquals(4, basket.ask(new Put("rice")));
        }
        List<EventReader.ReadRow> rows = store.reader()
                .read(List.of(new EventReader.From(1, 0)), 10)
                .result()
                .get(1);
        assertEquals(
                List.of(4L), rows.stream().map(EventReader.ReadRow::position).toList(), "the latest change");
    }

    @Test
    @DisplayName("answers a command with an id after its revision, too, though the answer is stored with it")
    void identified() {
        try (var basket = EntityTestKit.of(type.on(store))) {
            assertEquals(1, basket.ask(new Put("tea")));
            CommandId id = new CommandId("k", 1);
            for (int i = 0; i < 2; i++) {
                assertEquals(2, await(basket.ref().ask(new Put("milk"), id, Duration.ofSeconds(10))));
            }
            assertEquals(3, basket.ask(new Put("rice")));
        }
    }

    @Test
    @DisplayName("does not start on what another model stored")
    void otherModel() {
        try (var account = EntityTestKit.of(Account.type().on(store))) {
            account.ask(new Account.Deposit(1));
        }
        var clash = DurableState.of(
                EntityType.of("account", Message.class), id -> new Shopper(), StateCodec.json(Basket.class));
        try (var basket = EntityTestKit.of(clash.on(store))) {
            var asked = basket.asking(new Items());
            assertEquals(FailureCode.STORE_UNAVAILABLE, ((ShardingException) asked.cause()).code());
        }
    }
}
