package io.shardbus.integration.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.model.ShardHash;
import io.shardbus.model.TypeState;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Callers ask entities of all shards of a node every 100 ms, and measure themselves how long each shard kept them
 * waiting.
 */
@DisplayName("After the crash of a home")
@Timeout(120)
class CrashReportIT {
    private static final int SHARDS = 12;
    private static final int COUNTERS = 120;
    private static final String COUNTER = CounterMessage.COUNTER.name();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** What an ask may take beside its wait for the home, on a busy machine; a lease is longer. */
    private static final long SLACK_MS = 4_000;

    private static final long EVERY_MS = 100;

    private final ClusterTestKit cluster = ClusterTestKit.create();
    private ClusterTestKit.Node asker;
    private ClusterTestKit.Node lost;
    private WebClient client;
    private int port;

    /** What the callers of one shard have seen since the crash. */
    private static final class Seen {
        private int failed;
        private int waited;
        private long longest;
        /** When the first of those that waited had its answer. */
        private long back = Long.MAX_VALUE;

        private synchronized void ended(long askedAt, boolean good) {
            long now = millis();
            failed += good ? 0 : 1;
            if (good && now - askedAt >= SLACK_MS) {
                waited++;
                longest = Math.max(longest, now - askedAt);
                back = Math.min(back, now);
            }
        }

        private synchronized boolean hasWaited() {
            return waited > 0;
        }

        private synchronized void judge(JsonObject silence, long killedAt) {
            String both = silence + ", callers saw " + this;
            long millis = silence.getLong("millis");
            assertTrue(millis >= longest - SLACK_MS, both);
            assertTrue(millis <= back - killedAt, () -> both + ", the first again after " + (back - killedAt) + " ms");
            assertTrue(silence.getLong("messages") >= waited, both);
        }

        @Override
        public synchronized String toString() {
            return failed + " failed, " + waited + " waited, the longest " + longest + " ms";
        }
    }

    private final Map<Integer, Seen> seen = new ConcurrentHashMap<>();

    private static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private void start(boolean coordinatorIsLost) {
        for (int i = 0; i < 3; i++) {
            cluster.startNode(ClusterTestKit.options().setNumberOfShards(SHARDS));
        }
        cluster.startType(Counter.definition());
        lost = cluster.nodes().stream()
                .filter(node -> node.id().equals(cluster.coordinator()) == coordinatorIsLost)
                .findFirst()
                .orElseThrow();
        asker = cluster.nodes().stream()
                .filter(node -> !node.equals(lost) && !node.id().equals(cluster.coordinator()))
                .findFirst()
                .orElseThrow();
        ClusterTestKit.await(
                Future.all(IntStream.range(0, COUNTERS).mapToObj(this::ask).toList()));
        cluster.until("the node is a home", () -> !shardsOfLost().isEmpty());
        port = ClusterTestKit.await(asker.vertx()
                        .createHttpServer()
                        .requestHandler(AdminRouter.create(asker.vertx(), asker.sharding()))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(asker.vertx());
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Future<?> ask(int counter) {
        return asker.sharding()
                .entityRef(CounterMessage.COUNTER, "c" + counter)
                .ask(new CounterMessage.AddAndGet(1), PATIENCE);
    }

    private static int shardOf(int counter) {
        return ShardHash.shard("c" + counter, SHARDS);
    }

    private void askAndMeasure(int counter) {
        long askedAt = millis();
        Seen callers = seen.computeIfAbsent(shardOf(counter), shard -> new Seen());
        ask(counter).onComplete(done -> callers.ended(askedAt, done.succeeded()));
    }

    private List<Integer> shardsOfLost() {
        return ClusterTestKit.await(asker.sharding().typeState(COUNTER)).shards().stream()
                .filter(shard -> shard.home().equals(lost.id()))
                .map(TypeState.Shard::shard)
                .toList();
    }

    private List<JsonObject> get(String path, String list) {
        var answer = ClusterTestKit.await(
                client.get(port, "127.0.0.1", "/api/v1/" + path).send());
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        return answer.bodyAsJsonObject().getJsonArray(list).stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    /** The term and the number under which a shard has its next home. */
    private static String token(JsonObject one) {
        return one.getInteger("shard") + ": " + one.getLong("term") + "-" + one.getLong("sequence");
    }

    /** What events of the kind say of the homes that shards have got after the lost node. */
    private Map<Integer, String> nextHomes(String kind, Set<Integer> shards) {
        return get("events?kind=" + kind, "events").stream()
                .map(event -> event.getJsonObject("details"))
                .filter(move -> shards.contains(move.getInteger("shard")))
                .filter(move -> kind.equals("shard-placed")
                        || move.getString("cause").equals("crash")
                                && move.getString("from").equals(lost.id().value()))
                .collect(Collectors.toMap(
                        move -> move.getInteger("shard"), CrashReportIT::token, (one, other) -> one + ", " + other));
    }

    /** The waits for lost homes that have ended since, by shard. */
    private Map<Integer, List<JsonObject>> silences(long since) {
        return get("silences", "silences").stream()
                .filter(silence -> silence.getString("cause").equals("home") && silence.getLong("at") >= since)
                .collect(Collectors.groupingBy(silence -> silence.getInteger("shard")));
    }

    private void saysHowLongAndWhy(String kind) {
        Set<Integer> shards = Set.copyOf(shardsOfLost());
        List<Integer> asked = IntStream.range(0, COUNTERS)
                .filter(counter -> shards.contains(shardOf(counter)))
                .boxed()
                .toList();
        Map<Integer, String> before = nextHomes(kind, shards);
        long wall = System.currentTimeMillis();
        long killedAt = millis();
        long traffic = asker.vertx().setPeriodic(EVERY_MS, tick -> asked.forEach(this::askAndMeasure));
        cluster.kill(lost);
        cluster.until(
                "the events tell the next homes of all shards",
                () -> shards.stream()
                        .noneMatch(shard -> Objects.equals(
                                before.get(shard), nextHomes(kind, shards).get(shard))));
        cluster.until(
                "callers of all shards have answers again, after a wait",
                () -> seen.keySet().equals(shards) && seen.values().stream().allMatch(Seen::hasWaited));
        asker.vertx().cancelTimer(traffic);

        Map<Integer, String> why = nextHomes(kind, shards);
        Map<Integer, List<JsonObject>> told = silences(wall);
        assertEquals(shards, told.keySet(), () -> "callers saw " + seen);
        told.forEach((shard, silences) -> {
            assertEquals(1, silences.size(), silences::toString);
            JsonObject silence = silences.get(0);
            assertEquals(asker.id().value(), silence.getString("node"));
            assertTrue(why.get(shard).contains(token(silence)), () -> silence + ", " + why);
            seen.get(shard).judge(silence, killedAt);
        });
        assertTrue(
                get("events?kind=node-lost", "events").stream()
                        .anyMatch(event ->
                                event.getString("subject").equals(lost.id().value())),
                "the loss is an event");
    }

    @Test
    @DisplayName("the silences say how long which callers waited for which shards, and the events say why")
    void saysHowLongAndWhy() {
        start(false);
        saysHowLongAndWhy("shard-moved");
    }

    @Test
    @DisplayName("that coordinated, the silences say the same, and the events where the shards are now")
    void saysHowLongAfterALossOfTheCoordinator() {
        start(true);
        saysHowLongAndWhy("shard-placed");
    }
}
