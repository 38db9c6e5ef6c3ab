package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.delivery.Purse.Close;
import io.shardbus.delivery.Purse.Command;
import io.shardbus.delivery.Purse.Event;
import io.shardbus.delivery.Purse.Put;
import io.shardbus.delivery.Purse.Take;
import io.shardbus.integration.Await;
import io.shardbus.model.CommandId;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A delivery of a numbered producer")
class NumberedDeliveriesTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String TYPES = "io.shardbus.delivery.IdentifiedCommandsTest#types";

    private final MemoryStore store = MemoryStore.create();
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private EntityTestKit<Command> purse(String id) {
        return EntityTestKit.of(
                EventSourced.of(Purse.TYPE, any -> new Purse(), EventCodec.json(Event.class))
                        .on(store),
                id);
    }

    private static void deliver(EntityTestKit<Command> purse, Command command, long number, long previous) {
        ClusterTestKit.await(purse.ref().deliver(command, new DeliveryNumber("p", number, previous), SOON));
    }

    private static FailureCode refusal(EntityTestKit<Command> purse, Command command, long number, long previous) {
        return assertThrows(ShardingException.class, () -> deliver(purse, command, number, previous))
                .code();
    }

    private static long content(EntityTestKit<Command> purse) {
        return purse.ask(new Put(0));
    }

    private static Future<?> unexpected(ShardingException refusal) {
        return Future.failedFuture(refusal);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(TYPES)
    @DisplayName("DELIV-06 has one effect, also after the instance has gone, and on another node")
    void takesEffectOnce(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            deliver(purse, new Put(5), 3, 0);
            deliver(purse, new Put(5), 3, 0);
            deliver(purse, new Put(7), 8, 3);
            deliver(purse, new Put(5), 3, 0);
            purse.ask(new Put(1));
            purse.passivate();
            deliver(purse, new Put(7), 8, 0);
            assertEquals(13, content(purse));
        }
        try (var elsewhere = EntityTestKit.of(type.apply(store))) {
            deliver(elsewhere, new Put(5), 3, 0);
            deliver(elsewhere, new Put(2), 9, 8);
            assertEquals(15, content(elsewhere));
            ClusterTestKit.await(elsewhere.ref().deliver(new Put(1), new DeliveryNumber("q", 3, 0), SOON));
            assertEquals(16, content(elsewhere), "another producer has numbers of its own");
            assertEquals(17, ClusterTestKit.await(elsewhere.ref().ask(new Put(1), new CommandId("id", 1), SOON)));
            elsewhere.passivate();
            deliver(elsewhere, new Put(2), 9, 8);
            assertEquals(17, ClusterTestKit.await(elsewhere.ref().ask(new Put(1), new CommandId("id", 1), SOON)));
            assertEquals(17, content(elsewhere));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(TYPES)
    @DisplayName("does not overtake the one ahead of it, nor one that the entity refuses")
    void keepsOrder(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            assertEquals(FailureCode.DELIVERY_GAP, refusal(purse, new Put(7), 2, 1));
            assertEquals(FailureCode.ENTITY_FAILED, refusal(purse, new Take(9), 1, 0));
            assertEquals(FailureCode.DELIVERY_GAP, refusal(purse, new Put(7), 2, 1));
            assertEquals(0, content(purse));
            deliver(purse, new Put(7), 2, 0);
            deliver(purse, new Take(7), 1, 0);
            assertEquals(7, content(purse), "given up by its producer, it has no effect any more");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(TYPES)
    @DisplayName("that stores nothing lets the next one come while the instance lives")
    void withoutEffect(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            deliver(purse, new Put(0), 1, 0);
            deliver(purse, new Put(0), 2, 1);
            purse.passivate();
            assertEquals(FailureCode.DELIVERY_GAP, refusal(purse, new Put(7), 3, 2), "it is asked for again");
            deliver(purse, new Put(7), 3, 0);
            assertEquals(7, content(purse));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(TYPES)
    @DisplayName("is known after a deletion, which has taken its event")
    void survivesADeletion(String name, Function<MemoryStore, EntityDefinition<Command>> type) {
        try (var purse = EntityTestKit.of(type.apply(store))) {
            deliver(purse, new Put(5), 1, 0);
            deliver(purse, new Close(), 2, 1);
            purse.passivate();
            deliver(purse, new Put(5), 1, 0);
            assertEquals(0, content(purse));
        }
    }

    @Test
    @DisplayName("has a producer and numbers from 1, and is refused when it has not")
    void texts() {
        DeliveryNumber number = new DeliveryNumber("a:b/1", 7, 3);
        assertEquals(number, DeliveryNumber.parse(number.toString()));
        for (String wrong :
                new String[] {"", "5:a", "delivery:1:0", "delivery:0:0:p", "delivery:x:0:p", "delivery:2:2:p"}) {
            assertThrows(IllegalArgumentException.class, () -> DeliveryNumber.parse(wrong), wrong);
        }
        assertThrows(IllegalArgumentException.class, () -> CommandId.parse(number.toString()), "by an earlier version");
        assertThrows(IllegalArgumentException.class, () -> new DeliveryNumber("\ud800", 1, 0), "no Unicode text");
    }

    @Test
    @DisplayName(
            "without a target, or without a function for its refusal, is refused at once and leaves nothing behind")
    void incomplete() {
        var producer = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
        try (var purse = purse("a")) {
            assertThrows(
                    NullPointerException.class,
                    () -> producer.deliver(1, null, new Put(1), NumberedDeliveriesTest::unexpected));
            assertThrows(NullPointerException.class, () -> producer.deliver(1, purse.ref(), new Put(1), null));
            assertEquals(0, producer.unsettled());
        }
    }

    @Test
    @DisplayName("DELIV-01 DELIV-07 arrives, 42 at each of three entities, and what is settled takes no memory")
    void threeEntities() {
        var producer = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
        try (var a = purse("a");
                var b = purse("b");
                var c = purse("c")) {
            List<EntityTestKit<Command>> purses = List.of(a, b, c);
            for (int round = 0; round < 2; round++) {
                List<Future<Void>> settled = new ArrayList<>();
                for (int i = 0; i < 63; i++) {
                    settled.add(producer.deliver(
                            round * 63 + i + 1,
                            purses.get(i % 3).ref(),
                            new Put(1),
                            NumberedDeliveriesTest::unexpected));
                }
                ClusterTestKit.await(Future.all(settled));
                assertEquals(0, producer.unsettled());
                assertEquals(0, producer.lines());
            }
            purses.forEach(purse -> assertEquals(42, content(purse)));
        }
    }

    @Test
    @DisplayName("DELIV-08 comes from one producer at a time: its successor of the same name goes on")
    void successor() {
        try (var purse = purse("a")) {
            var first = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
            ClusterTestKit.await(first.deliver(1, purse.ref(), new Put(1), NumberedDeliveriesTest::unexpected));
            first.close();
            var closed = first.deliver(2, purse.ref(), new Put(1), NumberedDeliveriesTest::unexpected);
            assertEquals(
                    FailureCode.SHUTTING_DOWN,
                    assertThrows(ShardingException.class, () -> ClusterTestKit.await(closed))
                            .code());
            var next = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
            for (int number = 1; number <= 3; number++) {
                next.deliver(number, purse.ref(), new Put(1), NumberedDeliveriesTest::unexpected);
            }
            ClusterTestKit.await(next.deliver(4, purse.ref(), new Put(1), NumberedDeliveriesTest::unexpected));
            assertEquals(4, content(purse));
        }
    }

    @Test
    @DisplayName("that is refused is settled when its producer has noted it, and holds those behind it up to then")
    void refused() {
        var producer = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
        try (var purse = purse("a")) {
            Promise<Void> noted = Promise.promise();
            List<String> refusals = new CopyOnWriteArrayList<>();
            AtomicInteger calls = new AtomicInteger();
            Future<Void> take = producer.deliver(1, purse.ref(), new Take(9), refusal -> {
                refusals.add(String.valueOf(refusal.entityCode()));
                return calls.incrementAndGet() == 1 ? Future.failedFuture("the note is not stored") : noted.future();
            });
            Future<Void> put = producer.deliver(2, purse.ref(), new Put(5), NumberedDeliveriesTest::unexpected);
            Await.until(() -> refusals, () -> refusals.equals(List.of("INSUFFICIENT", "INSUFFICIENT")));
            assertFalse(put.isComplete());
            assertFalse(take.isComplete());
            assertEquals(0, content(purse));
            noted.complete();
            ClusterTestKit.await(Future.all(take, put));
            assertEquals(5, content(purse));
        }
    }

    @Test
    @DisplayName("DELIV-04 waits where much is not settled, up to a bound; demand empties what waits")
    void flow() {
        Promise<Void> demand = Promise.promise();
        AtomicInteger started = new AtomicInteger();
        EntityType<Integer> type = EntityType.of("slow", Integer.class);
        Entity<Integer> slow = new Entity<>() {
            @Override
            public Future<?> receive(Integer number, EntityContext<Integer> context) {
                started.incrementAndGet();
                return demand.future();
            }
        };
        var producer = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
        try (var entity = EntityTestKit.of(EntityDefinition.of(type, id -> slow))) {
            List<Future<Void>> settled = new ArrayList<>();
            AtomicInteger sent = new AtomicInteger();
            NumberedProducer.Attempt plain = (number, timeout) -> {
                sent.incrementAndGet();
                return entity.ref().request((int) number.number(), Object.class, timeout);
            };
            for (int i = 1; i <= NumberedProducer.MOST_UNSETTLED; i++) {
                settled.add(producer.deliver(i, entity.ref(), NumberedDeliveriesTest::unexpected, plain));
            }
            Await.until(() -> started + " of " + sent, () -> started.get() == 1 && sent.get() == 16);
            assertTrue(producer.writeQueueFull());
            Future<Void> beyond = producer.deliver(10_001, entity.ref(), NumberedDeliveriesTest::unexpected, plain);
            assertEquals(
                    FailureCode.DELIVERY_REFUSED,
                    assertThrows(ShardingException.class, () -> ClusterTestKit.await(beyond))
                            .code());
            Promise<Void> drained = Promise.promise();
            producer.drainHandler(drained::complete);
            demand.complete();
            ClusterTestKit.await(drained.future());
            assertFalse(producer.writeQueueFull());
            ClusterTestKit.await(Future.join(settled));
            assertEquals(10_000, started.get());
        }
    }
}
