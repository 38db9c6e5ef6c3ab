package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.delivery.Inbox.Note;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.postgres.TestPostgres;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@DisplayName("A delivery queue")
@Tag("slow")
class DeliveryQueueIT {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryQueueIT.class);
    private static final String NAME = "orders";
    private static final EntityType<QueueBatch> PARTITION = EntityType.of("queue." + NAME, QueueBatch.class);
    private static final int TARGETS = 12;

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    Path directory;

    enum Kind {
        MEMORY,
        SQLITE,
        POSTGRES
    }

    private PersistenceStore store = MemoryStore.create();
    private final List<DeliveryQueue> queues = new ArrayList<>();

    @AfterEach
    void end() {
        Inbox.open();
        ClusterTestKit.await(store.close());
        ClusterTestKit.await(vertx.close());
    }

    private void use(Kind kind) {
        if (kind == Kind.SQLITE) {
            store = SqliteStore.create(
                    vertx, new SqliteOptions().setFile(directory.resolve("a.db").toString()));
        } else if (kind == Kind.POSTGRES) {
            store = PostgresStore.create(vertx, new PostgresOptions().setUri(TestPostgres.newDatabase(vertx)));
        }
    }

    private ClusterTestKit start(int nodes) {
        ClusterTestKit cluster = ClusterTestKit.start(nodes);
        queues.clear();
        cluster.startType(Inbox.inboxes().on(store));
        queues.addAll(ClusterTestKit.await(
                        Future.all(cluster.nodes().stream().map(this::queue).toList()))
                .list());
        return cluster;
    }

    private Future<DeliveryQueue> queue(Node node) {
        return DeliveryQueue.start(node.vertx(), node.sharding(), store, NAME);
    }

    /** Numbers from to, to each of the targets; complete when stored. */
    private static List<Future<Void>> deliver(DeliveryQueue queue, int targets, long from, long to) {
        List<Future<Void>> stored = new ArrayList<>();
        for (long number = from; number < to; number++) {
            for (int target = 0; target < targets; target++) {
                stored.add(queue.deliver(Inbox.TYPE, "i" + target, new Note(number)));
            }
        }
        return stored;
    }

    private static Map<String, List<Long>> expected(int targets, long to) {
        Map<String, List<Long>> expected = new TreeMap<>();
        for (int target = 0; target < targets; target++) {
            expected.put("i" + target, LongStream.range(0, to).boxed().toList());
        }
        return expected;
    }

    /** What has taken effect, by target, in its order. */
    private Map<String, List<Long>> noted() {
        Map<String, List<Long>> noted = new TreeMap<>();
        for (ReadRow row : rows(Inbox.TYPE)) {
            noted.computeIfAbsent(row.id(), first -> new ArrayList<>())
                    .add(EventCodec.json(Inbox.Noted.class)
                            .decode(row.name(), row.version(), row.payload())
                            .get(0)
                            .number());
        }
        return noted;
    }

    private List<ReadRow> rows(EntityType<?> type) {
        return logs(type).isEmpty()
                ? List.of()
                : ClusterTestKit.await(store.reader()
                                .read(
                                        logs(type).stream()
                                                .map(log -> new From(log.log(), 0))
                                                .toList(),
                                        1_000_000))
                        .values()
                        .stream()
                        .flatMap(List::stream)
                        .toList();
    }

    private List<LogInfo> logs(EntityType<?> type) {
        Integer number = ClusterTestKit.await(store.reader().type(type.name()));
        return number == null ? List.of() : ClusterTestKit.await(store.reader().logs(number));
    }

    /** By the ends of logs: cheap. */
    private long effects() {
        return logs(Inbox.TYPE).stream().mapToLong(LogInfo::end).sum();
    }

    private static Node home(ClusterTestKit cluster, EntityType<?> type, String id) {
        NodeId home = ClusterTestKit.await(
                        cluster.node(0).sharding().entityRef(type, id).start())
                .node();
        return cluster.nodes().stream()
                .filter(node -> node.id().equals(home))
                .findFirst()
                .orElseThrow();
    }

    /** A target that is at home on another node than the first, as is its partition if that is wanted. */
    private static Node elsewhere(ClusterTestKit cluster, boolean isPartition) {
        for (int target = 0; target < TARGETS; target++) {
            String id = "i" + target;
            Node home = isPartition
                    ? home(cluster, PARTITION, String.valueOf(DeliveryQueue.partition(Inbox.TYPE, id)))
                    : home(cluster, Inbox.TYPE, id);
            if (!home.equals(cluster.node(0))) {
                return home;
            }
        }
        throw new AssertionError("all is at home on one of three nodes");
    }

    private void untilAll(ClusterTestKit cluster, int targets, long to) {
        cluster.until("all has arrived", () -> effects() >= targets * to);
        assertEquals(expected(targets, to), noted());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    @DisplayName("DELIV-09 delivers each command once and in order: its home, its target's home, then all nodes die")
    void nodesDie(Kind kind) {
        use(kind);
        try (ClusterTestKit cluster = start(3)) {
            var first = deliver(queues.get(0), TARGETS, 0, 20);
            ClusterTestKit.await(first.get(0));
            cluster.kill(elsewhere(cluster, true));
            ClusterTestKit.await(Future.all(first));
            var second = deliver(queues.get(0), TARGETS, 20, 40);
            cluster.untilMembers(2);
            ClusterTestKit.await(Future.all(second));
            Node fresh = cluster.startNode(ClusterTestKit.options());
            ClusterTestKit.await(fresh.sharding().start(Inbox.inboxes().on(store)));
            DeliveryQueue more = ClusterTestKit.await(queue(fresh));
            cluster.untilMembers(3);
            var third = deliver(queues.get(0), TARGETS, 40, 60);
            cluster.kill(cluster.node(1));
            ClusterTestKit.await(Future.all(third));
            ClusterTestKit.await(Future.all(deliver(more, TARGETS, 60, 80)));
            List.copyOf(cluster.nodes()).forEach(cluster::kill);
        }
        try (ClusterTestKit cluster = start(3)) {
            untilAll(cluster, TARGETS, 80);
            cluster.until(
                    "all is confirmed", () -> ClusterTestKit.await(queues.get(0).unconfirmed()) == 0);
        }
    }

    @Test
    @DisplayName("DELIV-09 begins anew with what is not confirmed when its worker is replaced, two of four being so")
    void replacedWorker() {
        Inbox.hold();
        List<Long> all = List.of(0L, 1L, Inbox.HELD, Inbox.HELD + 1);
        try (ClusterTestKit cluster = start(3)) {
            all.forEach(number -> ClusterTestKit.await(queues.get(0).deliver(Inbox.TYPE, "i", new Note(number))));
            cluster.until("two have arrived", () -> effects() == 2);
            List.copyOf(cluster.nodes()).forEach(cluster::kill);
        }
        // what the dead nodes hold they hold for ever
        Inbox.hold();
        Inbox.open();
        assertTrue(effects() < 4, "what was held has not arrived");
        try (ClusterTestKit cluster = start(3)) {
            cluster.until("all is confirmed", () -> effects() == 4 && unconfirmed() == 0);
            assertEquals(Map.of("i", all), noted());
        }
    }

    private long unconfirmed() {
        return ClusterTestKit.await(queues.get(0).unconfirmed());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    @DisplayName("DELIV-02 DELIV-10 replies for each command when it is stored; entities end after their third")
    void replies(Kind kind) {
        use(kind);
        Inbox.hold();
        try (ClusterTestKit cluster = start(3)) {
            ClusterTestKit.await(queues.get(1).deliver(Inbox.TYPE, "held", new Note(Inbox.HELD)));
            assertEquals(0, effects(), "stored, and its target has not taken it");
            var stored = deliver(queues.get(2), TARGETS, 0, 3);
            ClusterTestKit.await(Future.all(stored));
            cluster.until("the others have arrived", () -> effects() == TARGETS * 3);
            cluster.until(
                    "they have ended",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> ids(node).stream().allMatch("held"::equals)));
            Inbox.open();
            cluster.until("the held one has arrived", () -> effects() == TARGETS * 3 + 1);
        }
    }

    private static List<String> ids(Node node) {
        return ClusterTestKit.await(node.sharding().typeState(Inbox.TYPE.name())).shards().stream()
                .map(shard -> shard.shard())
                .flatMap(shard -> ClusterTestKit.await(node.sharding().entityIds(Inbox.TYPE.name(), shard)).stream())
                .toList();
    }

    @Test
    @DisplayName("stores a batch that comes again once, and none of a session that it does not know")
    void repeatedBatch() {
        try (ClusterTestKit cluster = start(1)) {
            EntityRef<QueueBatch> partition = cluster.node(0).sharding().entityRef(PARTITION, "3");
            QueueBatch first = batch(7, 1);
            assertTrue(ClusterTestKit.await(partition.request(first, Long.class, DeliveryQueue.DEADLINE)) >= 0);
            assertTrue(ClusterTestKit.await(partition.request(first, Long.class, DeliveryQueue.DEADLINE)) >= 0);
            ClusterTestKit.await(partition.request(batch(7, 3), Long.class, DeliveryQueue.DEADLINE));
            ClusterTestKit.await(partition.request(batch(7, 2), Long.class, DeliveryQueue.DEADLINE));
            assertEquals(
                    QueuePartition.UNKNOWN_SESSION,
                    ClusterTestKit.await(partition.request(batch(8, 2), Long.class, DeliveryQueue.DEADLINE)));
            assertEquals(4, rows(PARTITION).size(), "two batches of two");
        }
    }

    private static QueueBatch batch(long session, long number) {
        var message = Buffer.buffer("{\"number\":1,\"text\":\"\"}");
        return new QueueBatch(IntStream.range(0, 2)
                .mapToObj(one -> new QueuedCommand(session, number, Inbox.TYPE.name(), "i", message))
                .toList());
    }

    @Test
    @DisplayName("is full from 5,000 unconfirmed on, refuses beyond 10,000, drains, and loses nothing of it")
    void flowControl() {
        Inbox.hold();
        try (ClusterTestKit cluster = start(1)) {
            DeliveryQueue queue = queues.get(0);
            assertFalse(queue.writeQueueFull());
            fill(queue, 0, 4_000);
            assertFalse(queue.writeQueueFull());
            fill(queue, 4_000, 8_000);
            assertTrue(queue.writeQueueFull());
            Promise<Void> drained = Promise.promise();
            queue.drainHandler(drained::complete);
            fill(queue, 8_000, DeliveryQueue.MOST_UNCONFIRMED);
            assertEquals(FailureCode.DELIVERY_REFUSED, refusal(queue, "i", new Note(1)));
            RegionHandle<?> region = (RegionHandle<?>)
                    cluster.node(0).sharding().region(PARTITION).orElseThrow();
            assertEquals(1, region.counters().failures(FailureCode.DELIVERY_REFUSED));
            assertFalse(drained.future().isComplete());
            assertEquals(DeliveryQueue.MOST_UNCONFIRMED, unconfirmed());
            Inbox.open();
            ClusterTestKit.await(drained.future());
            assertFalse(queue.writeQueueFull());
            cluster.until("all is confirmed", () -> unconfirmed() == 0);
            assertEquals(
                    LongStream.range(Inbox.HELD, Inbox.HELD + DeliveryQueue.MOST_UNCONFIRMED)
                            .boxed()
                            .toList(),
                    noted().get("i"));
        }
    }

    @Test
    @DisplayName("deletes confirmed commands, and keeps as many as may be unconfirmed")
    void retention() {
        int commands = DeliveryQueue.MOST_UNCONFIRMED + 5_000;
        try (ClusterTestKit cluster = start(1)) {
            Promise<Void> stored = Promise.promise();
            produce(queues.get(0), "i", 1, 0, commands, stored);
            ClusterTestKit.await(stored.future());
            cluster.until("all is confirmed", () -> effects() == commands && unconfirmed() == 0);
            cluster.until("early ones are deleted", () -> rows(PARTITION).size() < commands - 2_000);
            assertTrue(rows(PARTITION).size() >= DeliveryQueue.MOST_UNCONFIRMED);
        }
    }

    private static void fill(DeliveryQueue queue, int from, int to) {
        for (int first = from; first < to; first += 1_000) {
            ClusterTestKit.await(Future.all(IntStream.range(first, first + 1_000)
                    .mapToObj(number -> queue.deliver(Inbox.TYPE, "i", new Note(Inbox.HELD + number)))
                    .toList()));
        }
    }

    private static FailureCode refusal(DeliveryQueue queue, String id, Note note) {
        return assertThrows(ShardingException.class, () -> ClusterTestKit.await(queue.deliver(Inbox.TYPE, id, note)))
                .code();
    }

    @Test
    @DisplayName("refuses what it could never deliver, says what to change, and stores nothing of it")
    void badInput() {
        EntityType<Long> plain = EntityType.of("plain", Long.class);
        Entity<Long> nothing = new Entity<>() {
            @Override
            public Future<?> receive(Long message, EntityContext<Long> context) {
                return Future.succeededFuture();
            }
        };
        try (ClusterTestKit cluster = start(1)) {
            cluster.startType(EntityDefinition.of(plain, id -> nothing));
            DeliveryQueue queue = queues.get(0);
            refused(FailureCode.UNKNOWN_TYPE, "start it", queue.deliver(Purse.TYPE, "p", new Purse.Put(1)));
            refused(FailureCode.DELIVERY_REFUSED, "make it persistent", queue.deliver(plain, "p", 1L));
            refused(FailureCode.INVALID_ID, "id", queue.deliver(Inbox.TYPE, "", new Note(1)));
            refused(FailureCode.INVALID_ID, "id", queue.deliver(Inbox.TYPE, "\ud800", new Note(1)));
            refused(FailureCode.INVALID_MESSAGE, "", queue.deliver(Inbox.TYPE, "i", null));
            int most = new ShardingOptions().getMaxPayloadBytes();
            var large = new Note(1, "x".repeat(most));
            refused(FailureCode.PAYLOAD_TOO_LARGE, "maxPayloadBytes", queue.deliver(Inbox.TYPE, "i", large));
            assertRefusesBusClients(cluster.node(0).vertx());
            assertEquals(List.of(), rows(PARTITION));
            ClusterTestKit.await(queue.deliver(Inbox.TYPE, "i", new Note(2, "x".repeat(most - 200))));
            ClusterTestKit.await(queue.deliver(Inbox.TYPE, "i", new Note(-1)));
            ClusterTestKit.await(queue.deliver(Inbox.TYPE, "i", new Note(3)));
            cluster.until("the others have arrived", () -> effects() == 2 && unconfirmed() == 0);
            String reason = ClusterTestKit.await(queue.parked()).get(0).reason();
            assertTrue(reason.contains("NEGATIVE") || reason.contains("numbers are from 0"), reason);
            queue.close();
            refused(FailureCode.SHUTTING_DOWN, "closed", queue.deliver(Inbox.TYPE, "i", new Note(4)));
        }
        var named =
                assertThrows(IllegalArgumentException.class, () -> DeliveryQueue.start(vertx, null, store, "no name"));
        assertTrue(named.getMessage().contains("letters"), named.getMessage());
    }

    /** Else they would reach types whose messages are internal. */
    private static void assertRefusesBusClients(Vertx client) {
        Buffer bytes = QueuedCommand.message(batch(7, 1).commands());
        DeliveryOptions toPartition = new DeliveryOptions().addHeader("entity-id", "3");
        var refusal = assertThrows(
                ReplyException.class,
                () -> ClusterTestKit.await(client.eventBus().request("shardbus.queue." + NAME, bytes, toPartition)));
        assertEquals(FailureCode.INVALID_MESSAGE.number(), refusal.failureCode(), refusal.getMessage());
    }

    private static void refused(FailureCode code, String text, Future<Void> delivery) {
        var refusal = assertThrows(ShardingException.class, () -> ClusterTestKit.await(delivery));
        assertEquals(code, refusal.code(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Kind.class)
    @DisplayName("is complete under load: 1, 2, 4 and 10 targets")
    void throughput(Kind kind) {
        use(kind);
        run(kind, new int[] {1, 2, 4, 10}, 500);
    }

    private void run(Kind kind, int[] targets, int commands) {
        try (ClusterTestKit cluster = start(3)) {
            cluster.untilMembers(3);
            long before = 0;
            for (int many : targets) {
                long begin = System.nanoTime();
                Promise<Void> stored = Promise.promise();
                produce(queues.get(0), many + "-", many, 0, commands, stored);
                ClusterTestKit.await(stored.future().timeout(10, TimeUnit.MINUTES));
                long storedAt = System.nanoTime();
                long expected = before + commands;
                Future<?> end = vertx.timer(10, TimeUnit.MINUTES);
                while (effects() < expected && !end.isComplete()) {
                    ClusterTestKit.await(vertx.timer(20, TimeUnit.MILLISECONDS));
                }
                LOG.warn(
                        "{}: {} commands to {} targets: {}/s stored, {}/s delivered",
                        kind,
                        commands,
                        many,
                        commands * 1_000_000_000L / (storedAt - begin),
                        commands * 1_000_000_000L / (System.nanoTime() - begin));
                before = expected;
            }
            Map<String, List<Long>> noted = noted();
            for (int many : targets) {
                for (int target = 0; target < many; target++) {
                    int of = target;
                    assertEquals(
                            LongStream.range(0, commands)
                                    .filter(number -> number % many == of)
                                    .boxed()
                                    .toList(),
                            noted.get(many + "-" + target));
                }
            }
        }
    }

    /** Goes on when the queue is drained. */
    private static void produce(
            DeliveryQueue queue, String prefix, int targets, int from, int to, Promise<Void> stored) {
        List<Future<Void>> sent = new ArrayList<>();
        int number = from;
        while (number < to && !queue.writeQueueFull()) {
            sent.add(queue.deliver(Inbox.TYPE, prefix + number % targets, new Note(number)));
            number++;
        }
        int next = number;
        queue.drainHandler(drained -> Future.all(sent)
                .onFailure(stored::tryFail)
                .onSuccess(all -> {
                    if (next < to) {
                        produce(queue, prefix, targets, next, to, stored);
                    } else {
                        stored.tryComplete();
                    }
                }));
    }
}
