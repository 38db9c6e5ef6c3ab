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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("After the crash of a home")
@Timeout(120)
class CrashReportIT {
    private static final int SHARDS = 12;
    private static final int COUNTERS = 120;
    private static final String COUNTER = CounterMessage.COUNTER.name();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ClusterTestKit cluster = ClusterTestKit.create();
    private ClusterTestKit.Node asker;
    private ClusterTestKit.Node lost;
    private WebClient client;
    private int port;

    @BeforeEach
    void start() {
        for (int i = 0; i < 3; i++) {
            cluster.startNode(ClusterTestKit.options().setNumberOfShards(SHARDS));
        }
        cluster.startType(Counter.definition());
        asker = cluster.node(0);
        lost = cluster.nodes().stream()
                .filter(node -> !node.equals(asker) && !node.id().equals(cluster.coordinator()))
                .findFirst()
                .orElseThrow();
        ClusterTestKit.await(ask(IntStream.range(0, COUNTERS).boxed().toList()));
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

    private Future<?> ask(List<Integer> counters) {
        var asks = new ArrayList<Future<?>>();
        counters.forEach(number -> asks.add(asker.sharding()
                .entityRef(CounterMessage.COUNTER, "c" + number)
                .ask(new CounterMessage.AddAndGet(1), PATIENCE)));
        return Future.all(asks);
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

    /** By shard the term and the number under which it has its next home. */
    private static Map<Integer, String> tokens(List<JsonObject> found, Predicate<JsonObject> wanted) {
        return found.stream()
                .filter(wanted)
                .collect(Collectors.toMap(
                        one -> one.getInteger("shard"),
                        one -> one.getLong("term") + "-" + one.getLong("sequence"),
                        (one, other) -> one.equals(other) ? one : one + " " + other,
                        TreeMap::new));
    }

    private Map<Integer, String> crashed() {
        return tokens(
                get("events?kind=shard-moved", "events").stream()
                        .map(event -> event.getJsonObject("details"))
                        .toList(),
                move -> move.getString("cause").equals("crash")
                        && move.getString("from").equals(lost.id().value()));
    }

    /** The waits for lost homes that have ended since. */
    private List<JsonObject> silences(long since) {
        return get("silences", "silences").stream()
                .filter(silence -> silence.getString("cause").equals("home") && silence.getLong("at") >= since)
                .toList();
    }

    @Test
    @DisplayName("the silences say how long which callers waited for which shards, and the events say why")
    void saysHowLongAndWhy() {
        List<Integer> shards = shardsOfLost();
        List<Integer> asked = IntStream.range(0, COUNTERS)
                .filter(number -> shards.contains(ShardHash.shard("c" + number, SHARDS)))
                .boxed()
                .toList();
        long killedAt = System.currentTimeMillis();
        // those that are on their way to the node when it is lost fail; the later ones wait
        long traffic = asker.vertx().setPeriodic(200, tick -> ask(asked));
        cluster.kill(lost);
        cluster.until("the crash moved all shards", () -> crashed().keySet().containsAll(shards));
        asker.vertx().cancelTimer(traffic);

        Map<Integer, String> why = crashed();
        why.keySet().retainAll(shards);
        cluster.until(
                "the callers tell of their waits", () -> !silences(killedAt).isEmpty());
        tokens(silences(killedAt), silence -> true)
                .forEach((shard, token) -> assertEquals(why.get(shard), token, () -> shard + ": " + why));
        silences(killedAt).forEach(silence -> {
            assertEquals(asker.id().value(), silence.getString("node"));
            assertTrue(silence.getLong("messages") > 0 && silence.getLong("millis") > 0, silence::encode);
        });
        assertTrue(
                get("events?kind=node-lost", "events").stream()
                        .anyMatch(event ->
                                event.getString("subject").equals(lost.id().value())),
                "the loss is an event");
    }
}
