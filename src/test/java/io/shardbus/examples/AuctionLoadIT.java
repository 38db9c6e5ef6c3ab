package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.examples.AuctionBidders.Seen;
import io.shardbus.integration.Await;
import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of examples/auction that are restarted, drained, joined and killed under 200 requests a second. What
 * clients saw is written to target/auction-load.md. Eight processes start one after the other: each wait has a
 * deadline of its own, and the limit of a test is more than all of them take.
 */
@Tag("slow")
@WholeMachine
@Timeout(300)
class AuctionLoadIT {
    /** Less is no load to speak of. */
    private static final int LEAST_PER_SECOND = 150;

    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final int HTTP_PORT = 8280;
    private static final int NODES = 3;
    private static final List<String> HOSTS = LoopbackHosts.of(NODES + 1);
    /** How an ask fails whose home has crashed, and a request to the crashed node itself. */
    private static final Set<String> OF_A_CRASH =
            Set.of("503 OUTCOME_UNKNOWN", "504 TIMED_OUT", "no answer: IOException", "no answer: ConnectException");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path directory;

    private final List<CounterNodeProcess> nodes = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();

    @BeforeEach
    void start() {
        IntStream.rangeClosed(1, NODES).forEach(number -> nodes.add(begin(number)));
        nodes.forEach(node -> node.awaitReady(LONGEST_START));
        untilWhole();
    }

    private CounterNodeProcess begin(int number) {
        var store = Map.of("SHARDBUS_STORE", "sqlite:" + directory.resolve("auctions.db"));
        return CounterNodeProcess.ofExample("auction", HTTP_PORT, number, HOSTS, store);
    }

    @AfterEach
    void stop() {
        nodes.forEach(CounterNodeProcess::close);
    }

    private JsonObject send(CounterNodeProcess node, String method, String path) {
        var request = HttpRequest.newBuilder(node.uri(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .header("X-Shardbus-Request", "1")
                .timeout(Duration.ofSeconds(20))
                .build();
        try {
            var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer::body);
            return new JsonObject(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void untilWhole() {
        Await.until(
                () -> "no cluster of " + nodes.size(),
                () -> nodes.stream()
                        .allMatch(node -> send(node, "GET", "/sharding/api/cluster")
                                        .getJsonArray("nodes")
                                        .size()
                                == nodes.size()));
    }

    private void restartOneAfterTheOther(AuctionBidders bidders) {
        for (int number = 1; number <= NODES; number++) {
            leave(nodes.get(number - 1), bidders);
            startAgain(number, bidders);
            bidders.await(200);
        }
    }

    private void startAgain(int number, AuctionBidders bidders) {
        var fresh = begin(number).awaitReady(LONGEST_START);
        nodes.set(number - 1, fresh);
        untilWhole();
        bidders.joined(fresh);
    }

    /** As without a load balancer: clients use the node until it refuses their connections. */
    private void stopInUse(AuctionBidders bidders) {
        var old = nodes.get(1);
        bidders.leavingUntold(old);
        terminate(old);
        startAgain(2, bidders);
    }

    private static void leave(CounterNodeProcess node, AuctionBidders bidders) {
        bidders.leaving(node);
        terminate(node);
    }

    private static void terminate(CounterNodeProcess node) {
        node.terminate();
        assertEquals(0, node.awaitExit(), node::log);
    }

    private String id(CounterNodeProcess node) {
        return send(node, "GET", "/sharding/api/cluster").getString("self");
    }

    private int shardsOf(String node) {
        JsonArray regions =
                send(nodes.get(0), "GET", "/sharding/api/types/auction").getJsonArray("regions");
        return regions.stream()
                .map(JsonObject.class::cast)
                .filter(region -> region.getString("node").equals(node))
                .mapToInt(region -> region.getInteger("shards"))
                .sum();
    }

    /** Clients go on to use the node: it serves, and hosts nothing. */
    private void drainAndTakeBack() {
        String drained = id(nodes.get(1));
        assertNotEquals(0, shardsOf(drained));
        send(nodes.get(0), "POST", "/sharding/api/nodes/" + drained + "/drain");
        Await.until(() -> "shards on the drained node", () -> shardsOf(drained) == 0);
        send(nodes.get(0), "DELETE", "/sharding/api/nodes/" + drained + "/drain");
        Await.until(() -> "no shard is back", () -> shardsOf(drained) > 0);
    }

    private void joinAndLeave(AuctionBidders bidders) {
        var fourth = begin(NODES + 1);
        nodes.add(fourth);
        fourth.awaitReady(LONGEST_START);
        untilWhole();
        bidders.joined(fourth);
        String joined = id(fourth);
        Await.until(() -> "the node that joined hosts nothing", () -> shardsOf(joined) > 0);
        bidders.await(200);
        leave(fourth, bidders);
        nodes.remove(fourth);
        untilWhole();
    }

    private void kill(AuctionBidders bidders) {
        var killed = nodes.remove(NODES - 1);
        String lost = id(killed);
        killed.kill();
        bidders.leaving(killed);
        Await.until(() -> "the killed node is a member", () -> shardsOf(lost) == 0);
        untilWhole();
        // asks that were sent before the loss was noticed have ended
        bidders.await(2500);
    }

    @Test
    void onlyACrashFailsRequestsAndNothingLosesAState() throws IOException {
        try (var bidders = new AuctionBidders(nodes)) {
            seen.add(bidders.during("rolling restart of three", () -> restartOneAfterTheOther(bidders)));
            seen.add(bidders.during("SIGTERM while clients use the node", () -> stopInUse(bidders)));
            seen.add(bidders.during("drain, taken back", this::drainAndTakeBack));
            seen.add(bidders.during("join of a fourth, and its leave", () -> joinAndLeave(bidders)));
            seen.add(bidders.during("`kill -9` of one of three", () -> kill(bidders)));
        } finally {
            Files.writeString(
                    Path.of("target", "auction-load.md"),
                    seen.stream().map(Seen::row).collect(Collectors.joining("\n")));
        }
        for (var each : seen) {
            assertEquals(List.of(), each.lost(), each::row);
        }
        for (var planned : seen.subList(0, 4)) {
            assertEquals(Map.of(), planned.failures(), planned::row);
            // the clients wait for each answer, and each bid is stored in a file that three processes share
            assertTrue(planned.perSecond() > LEAST_PER_SECOND, planned::row);
        }
        var crash = seen.get(4);
        assertTrue(OF_A_CRASH.containsAll(crash.failures().keySet()), crash::row);
    }
}
