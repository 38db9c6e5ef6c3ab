package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.delivery.Purse.Command;
import io.shardbus.delivery.Purse.Event;
import io.shardbus.delivery.Purse.Put;
import io.shardbus.delivery.Purse.Take;
import io.shardbus.delivery.Till.Paid;
import io.shardbus.delivery.Till.Pay;
import io.shardbus.integration.LogLines;
import io.shardbus.model.CommandId;
import io.shardbus.model.NodeId;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.Projection;
import io.shardbus.projection.Projections;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A reaction to stored events")
@Tag("slow")
class ReactionIT {
    private static final Duration DEADLINE = Duration.ofSeconds(40);
    private static final EventCodec<Event> EVENTS = EventCodec.json(Event.class);
    private static final int BACKLOG = 120;
    private static final int TILLS = 3;
    private static final int PURSES = 4;
    /** So far are the amounts of a till from those of the next one. */
    private static final long APART = 1_000_000;

    private final MemoryStore store = MemoryStore.create();

    private static List<EntityCommand<Command>> commands(EventEnvelope<Paid> envelope) {
        Paid paid = envelope.event();
        return Stream.of(paid.to().split(","))
                .map(to -> EntityCommand.<Command>once(
                        Purse.TYPE, to, paid.amount() < 0 ? new Take(-paid.amount()) : new Put(paid.amount())))
                .toList();
    }

    private void run(Node node, UnaryOperator<Reaction<Paid>> change) {
        ClusterTestKit.await(
                Projections.create(node.vertx(), node.sharding(), store).start(payments(node, change)));
    }

    private static Projection<Paid> payments(Node node, UnaryOperator<Reaction<Paid>> change) {
        Delivery delivery = Delivery.create(node.vertx(), node.sharding());
        return Projection.of("payments", Till.tills(), change.apply(delivery.reaction(ReactionIT::commands)))
                .withWorkers(TILLS)
                .withPollInterval(20);
    }

    private ClusterTestKit start(int nodes) {
        ClusterTestKit cluster = ClusterTestKit.start(nodes);
        cluster.startType(EventSourced.of(Purse.TYPE, id -> new Purse(), EVENTS).on(store));
        cluster.startType(Till.tills().on(store));
        cluster.nodes().forEach(node -> run(node, reaction -> reaction));
        return cluster;
    }

    /** Amounts from to, from all tills to all purses in turn; each answered, and with an effect once. */
    private static List<Future<Long>> pay(Node node, int from, int to) {
        Delivery delivery = Delivery.create(node.vertx(), node.sharding());
        List<Future<Long>> answers = new ArrayList<>();
        for (int till = 0; till < TILLS; till++) {
            DeliveryRef<Pay> payer = delivery.ref(Till.TYPE, "t" + till);
            for (int i = from; i < to; i++) {
                var pay = new Pay("p" + i % PURSES, APART * till + i + 1);
                answers.add(payer.ask(pay, new CommandId("pay-" + i, i), DEADLINE));
            }
        }
        return answers;
    }

    /** What each till paid into each purse, in the order of the till's events. */
    private Map<String, List<Long>> paid() {
        Map<String, List<Long>> paid = new TreeMap<>();
        rows(Till.TYPE.name())
                .forEach(row -> EventCodec.json(Paid.class)
                        .decode(row.name(), row.version(), row.payload())
                        .forEach(event -> add(paid, event.to(), event.amount())));
        return paid;
    }

    /** What has arrived in each purse from each till, in the order of the purse's events. */
    private Map<String, List<Long>> arrived() {
        Map<String, List<Long>> arrived = new TreeMap<>();
        rows(Purse.TYPE.name())
                .forEach(row -> EVENTS.decode(row.name(), row.version(), row.payload())
                        .forEach(event -> add(arrived, row.id(), ((Purse.Moved) event).amount())));
        return arrived;
    }

    private static void add(Map<String, List<Long>> all, String purse, long amount) {
        all.computeIfAbsent("t" + amount / APART + " " + purse, first -> new ArrayList<>())
                .add(amount);
    }

    private List<ReadRow> rows(String type) {
        Integer number = ClusterTestKit.await(store.reader().type(type));
        if (number == null) {
            return List.of();
        }
        List<From> all = ClusterTestKit.await(store.reader().logs(number)).stream()
                .map(LogInfo::log)
                .map(log -> new From(log, 0))
                .toList();
        return ClusterTestKit.await(store.reader().read(all, 100_000)).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    private int count() {
        return rows(Purse.TYPE.name()).size();
    }

    private static NodeId home(Node asker, String id) {
        return ClusterTestKit.await(asker.sharding().entityRef(Purse.TYPE, id).start())
                .node();
    }

    private static void kill(ClusterTestKit cluster, NodeId named) {
        cluster.kill(cluster.nodes().stream()
                .filter(node -> node.id().equals(named))
                .findFirst()
                .orElseThrow());
    }

    @Test
    @DisplayName("DELIV-05 DELIV-06 takes effect once and in order while homes and producers die and shards move")
    void nodesComeAndGo() {
        try (var cluster = start(3)) {
            pay(cluster.node(0), 0, 100);
            cluster.until("payments are under way", () -> count() > 20);
            kill(cluster, home(cluster.node(1), "p1"));
            cluster.untilMembers(2);
            ClusterTestKit.await(Future.join(pay(cluster.node(0), 0, 100)));
            var more = pay(cluster.node(0), 100, 200);
            Node fresh = cluster.startNode(ClusterTestKit.options());
            ClusterTestKit.await(fresh.sharding()
                    .start(EventSourced.of(Purse.TYPE, id -> new Purse(), EVENTS)
                            .on(store)));
            ClusterTestKit.await(fresh.sharding().start(Till.tills().on(store)));
            run(fresh, reaction -> reaction);
            cluster.untilMembers(3);
            ClusterTestKit.await(Future.all(more));
            var last = pay(fresh, 200, 300);
            cluster.kill(cluster.node(0));
            ClusterTestKit.await(Future.all(last));
            cluster.until("all has arrived", () -> count() >= TILLS * 300);
            assertEquals(paid(), arrived());
        }
    }

    @Test
    @DisplayName("DELIV-09 takes effect once and in order when all nodes are killed and others start")
    void fullStop() {
        try (var cluster = start(3)) {
            ClusterTestKit.await(Future.all(pay(cluster.node(0), 0, 200)));
            List.copyOf(cluster.nodes()).forEach(cluster::kill);
        }
        int before = count();
        assertTrue(before < TILLS * 200, "something was on its way: " + before);
        try (var cluster = start(3)) {
            cluster.until("all has arrived", () -> count() >= TILLS * 200);
            ClusterTestKit.await(Future.all(pay(cluster.node(0), 200, 220)));
            cluster.until("all has arrived", () -> count() >= TILLS * 220);
            assertEquals(paid(), arrived());
        }
    }

    @Test
    @DisplayName("parks what an entity refuses, for that event, and goes on; several commands follow from one event")
    void parks() {
        try (var cluster = start(1)) {
            Node node = cluster.node(0);
            var till = node.sharding().entityRef(Till.TYPE, "t0");
            ClusterTestKit.await(till.ask(new Pay("p0,p1,p0", 2)));
            ClusterTestKit.await(till.ask(new Pay("p0,p2,p3", -3)));
            ClusterTestKit.await(till.ask(new Pay("p0,p2", 5)));
            cluster.until("all has arrived", () -> content(node, "p0") == 6 && content(node, "p2") == 5);
            assertEquals(2, content(node, "p1"));
            var projections = Projections.create(node.vertx(), node.sharding(), store);
            untilTheOffsetIsBehindAll(cluster, projections);
            var parked = ClusterTestKit.await(projections.parked(payments(node, reaction -> reaction)));
            assertEquals(
                    List.of(2L), parked.stream().map(event -> event.position()).toList());
            String reason = parked.get(0).reason();
            assertTrue(reason.contains("purse/p2") && reason.contains("purse/p3"), reason);
        }
    }

    /** What has arrived says nothing of what is parked: an event is when its last command has been answered. */
    private void untilTheOffsetIsBehindAll(ClusterTestKit cluster, Projections projections) {
        var payments = payments(cluster.node(0), reaction -> reaction);
        cluster.until("the offset is behind all", () -> ClusterTestKit.await(projections.lag(payments)) == 0);
    }

    @Test
    @DisplayName("parks a command to an id that is none, with a reason of bounded length, and goes on")
    void invalidId() {
        try (var cluster = start(1)) {
            Node node = cluster.node(0);
            var till = node.sharding().entityRef(Till.TYPE, "t0");
            ClusterTestKit.await(till.ask(new Pay("x".repeat(3000), 2)));
            ClusterTestKit.await(till.ask(new Pay("p0", 5)));
            cluster.until("the other has arrived", () -> content(node, "p0") == 5);
            var projections = Projections.create(node.vertx(), node.sharding(), store);
            untilTheOffsetIsBehindAll(cluster, projections);
            var parked = ClusterTestKit.await(projections.parked(payments(node, reaction -> reaction)));
            assertEquals(1, parked.size());
            assertTrue(parked.get(0).reason().length() <= OffsetStore.Parked.LONGEST_REASON + 3);
        }
    }

    @Test
    @DisplayName("waits for an entity that refuses, where it is told so")
    void holds() {
        try (var cluster = ClusterTestKit.start(1)) {
            Node node = cluster.node(0);
            cluster.startType(
                    EventSourced.of(Purse.TYPE, id -> new Purse(), EVENTS).on(store));
            cluster.startType(Till.tills().on(store));
            run(node, Reaction::holdingRefused);
            var till = node.sharding().entityRef(Till.TYPE, "t0");
            ClusterTestKit.await(node.sharding().entityRef(Purse.TYPE, "p1").ask(new Put(8)));
            ClusterTestKit.await(till.ask(new Pay("p0,p1", -3)));
            cluster.until("the command of the same event to the other has arrived", () -> content(node, "p1") == 5);
            ClusterTestKit.await(till.ask(new Pay("p0", 5)));
            assertEquals(0, content(node, "p0"), "its log waits");
            ClusterTestKit.await(node.sharding().entityRef(Purse.TYPE, "p0").ask(new Put(4)));
            cluster.until("the balance suffices", () -> content(node, "p0") == 6);
        }
    }

    @Test
    @DisplayName("reaches plain entities at least once")
    void plainEntities() {
        EntityType<Long> type = EntityType.of("plain", Long.class);
        List<Long> received = new CopyOnWriteArrayList<>();
        Entity<Long> plain = new Entity<>() {
            @Override
            public Future<?> receive(Long message, EntityContext<Long> context) {
                received.add(message);
                return Future.succeededFuture();
            }
        };
        try (var cluster = ClusterTestKit.start(1)) {
            Node node = cluster.node(0);
            cluster.startType(Till.tills().on(store));
            cluster.startType(EntityDefinition.of(type, id -> plain));
            Reaction<Paid> reaction = Delivery.create(node.vertx(), node.sharding())
                    .reaction(paid -> List.of(EntityCommand.atLeastOnce(
                            type, paid.event().to(), paid.event().amount())));
            ClusterTestKit.await(Projections.create(node.vertx(), node.sharding(), store)
                    .start(Projection.of("plain", Till.tills(), reaction).withPollInterval(20)));
            var till = node.sharding().entityRef(Till.TYPE, "t0");
            ClusterTestKit.await(till.ask(new Pay("a", 1)));
            ClusterTestKit.await(till.ask(new Pay("a", 2)));
            cluster.until("both have arrived", () -> received.containsAll(List.of(1L, 2L)));
        }
    }

    @Test
    @DisplayName("goes on behind what is settled when an entity is slow, and repeats no more than what is under way")
    void slowEntity() {
        EntityType<Long> type = EntityType.of("slow", Long.class);
        List<Long> received = new CopyOnWriteArrayList<>();
        Entity<Long> slow = new Entity<>() {
            @Override
            public Future<?> receive(Long message, EntityContext<Long> context) {
                received.add(message);
                return context.vertx().timer(10, TimeUnit.MILLISECONDS);
            }
        };
        try (var cluster = ClusterTestKit.start(1);
                var lines = new LogLines(Reaction.class.getName())) {
            Node node = cluster.node(0);
            cluster.startType(Till.tills().on(store));
            cluster.startType(EntityDefinition.of(type, id -> slow));
            var till = node.sharding().entityRef(Till.TYPE, "t0");
            List<Future<Long>> paid = new ArrayList<>();
            for (int i = 0; i < BACKLOG; i++) {
                paid.add(till.ask(new Pay("a", i)));
            }
            ClusterTestKit.await(Future.all(paid));
            var reaction = new Reaction<Paid>(
                    node.vertx(),
                    node.sharding(),
                    stored -> List.of(
                            EntityCommand.atLeastOnce(type, "a", stored.event().amount())),
                    false,
                    500);
            runToEnd(cluster, Projection.of("slow", Till.tills(), reaction));
            assertEquals(BACKLOG, received.stream().distinct().count());
            assertTrue(received.size() < 3 * BACKLOG, received.size() + " executions");
            assertTrue(
                    lines.with("projection=slow log=").stream()
                            .anyMatch(line -> line.startsWith("WARN") && line.contains("the first to slow")),
                    () -> lines.with("").toString());
        }
    }

    private void runToEnd(ClusterTestKit cluster, Projection<Paid> projection) {
        Node node = cluster.node(0);
        var projections = Projections.create(node.vertx(), node.sharding(), store);
        ClusterTestKit.await(projections.start(projection.withPollInterval(20)));
        cluster.until("the offset is behind all", () -> ClusterTestKit.await(projections.lag(projection)) == 0);
    }

    /** Answered with what it is not. */
    record Wrongly(long amount) implements Ask<Long> {}

    @Test
    @DisplayName("takes a command as executed when its answer is wrong")
    void wrongAnswer() {
        EntityType<Wrongly> type = EntityType.of("wrong", Wrongly.class);
        List<Long> received = new CopyOnWriteArrayList<>();
        Entity<Wrongly> wrong = new Entity<>() {
            @Override
            public Future<?> receive(Wrongly message, EntityContext<Wrongly> context) {
                received.add(message.amount());
                return Future.succeededFuture("no number");
            }
        };
        try (var cluster = ClusterTestKit.start(1)) {
            Node node = cluster.node(0);
            cluster.startType(Till.tills().on(store));
            cluster.startType(EntityDefinition.of(type, id -> wrong));
            var till = node.sharding().entityRef(Till.TYPE, "t0");
            ClusterTestKit.await(till.ask(new Pay("a", 1)));
            ClusterTestKit.await(till.ask(new Pay("a", 2)));
            Reaction<Paid> reaction = Delivery.create(node.vertx(), node.sharding())
                    .reaction(paid -> List.of(EntityCommand.atLeastOnce(
                            type, "a", new Wrongly(paid.event().amount()))));
            runToEnd(cluster, Projection.of("wrong", Till.tills(), reaction));
            assertEquals(List.of(1L, 2L), received);
        }
    }

    @Test
    @DisplayName("is not started with a projection that parks: what waits for an entity would be lost")
    void refusesToPark() {
        try (var cluster = ClusterTestKit.start(1)) {
            Node node = cluster.node(0);
            var parks = payments(node, reaction -> reaction).onFailure(Projection.OnFailure.PARK, 3);
            var projections = Projections.create(node.vertx(), node.sharding(), store);
            String text = assertThrows(IllegalArgumentException.class, () -> projections.start(parks))
                    .getMessage();
            assertTrue(text.contains("payments") && text.contains("HOLD"), text);
        }
    }

    private static long content(Node node, String purse) {
        return ClusterTestKit.await(node.sharding().entityRef(Purse.TYPE, purse).ask(new Put(0)));
    }
}
