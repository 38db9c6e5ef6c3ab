package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.history.CounterHistory;
import io.shardbus.history.Exchange;
import io.shardbus.integration.Await;
import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three nodes of examples/counter as processes of their own, under constant traffic. */
@Timeout(240)
@Tag("slow")
@WholeMachine
class CounterClusterIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration STEADY = Duration.ofSeconds(2);
    private static final Map<String, Long> NONE = Map.of();

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> hosts = LoopbackHosts.of(4);
    private final List<CounterNodeProcess> started = new ArrayList<>();
    private CounterTraffic traffic;

    @BeforeEach
    void startThree() {
        IntStream.rangeClosed(1, 3).forEach(this::begin);
        started.forEach(node -> node.awaitReady(LONGEST_START));
        Await.until(() -> get(1, "/sharding/api/cluster"), () -> nodesSeenBy(1) == 3 && nodesSeenBy(2) == 3);
        traffic = new CounterTraffic(started);
        steady();
    }

    @AfterEach
    void stopAll() {
        traffic.close();
        started.forEach(CounterNodeProcess::close);
    }

    @Test
    void joiningAndLeavingFailNoRequest() {
        var fourth = begin(4).awaitReady(LONGEST_START);
        traffic.use(fourth);
        Await.until(() -> get(1, "/sharding/api/types/counter"), () -> shardsOf(4) > 0);
        steady();

        var second = node(2);
        traffic.useNoMore(second);
        second.terminate();
        assertEquals(0, second.awaitExit(), second::log);
        steady();

        fourth.terminate();
        assertEquals(0, fourth.awaitExit(), fourth::log);
        steady();

        traffic.close();
        assertEquals(NONE, CounterHistory.failures(withoutRefused()));
        assertEquals(List.of(), CounterHistory.wrongIn(traffic.exchanges()));
    }

    @Tag("long-fault")
    @Test
    void aKilledNodeFailsOnlyWhatItHeldAndItsCountersComeBack() {
        var oldest = node(1);
        oldest.kill();
        traffic.useNoMore(oldest);
        Await.until(() -> get(2, "/sharding/api/types/counter"), this::allAnswerAgain);
        assertEquals(NONE, CounterHistory.failures(steady()));

        var fourth = begin(4).awaitReady(LONGEST_START);
        traffic.use(fourth);
        assertEquals(NONE, CounterHistory.failures(steady()));
        traffic.close();
        assertEquals(List.of(), CounterHistory.wrongIn(traffic.exchanges()));
    }

    private CounterNodeProcess begin(int number) {
        var node = CounterNodeProcess.start(number, hosts);
        started.add(node);
        return node;
    }

    private CounterNodeProcess node(int number) {
        return started.get(number - 1);
    }

    /** Lets some traffic pass; what failed of it. */
    private List<Exchange> steady() {
        long from = System.nanoTime();
        int before = traffic.exchanges().size();
        Await.until(
                () -> traffic.exchanges().size() - before + " requests",
                () -> System.nanoTime() - from > STEADY.toNanos()
                        && traffic.exchanges().size() > before + 100);
        return traffic.failedSince(from);
    }

    private boolean allAnswerAgain() {
        return CounterTraffic.counters().stream()
                .allMatch(
                        id -> request(2, "/counters/" + id + "?timeoutMs=1000").statusCode() == 200);
    }

    private List<Exchange> withoutRefused() {
        return traffic.failedSince(Long.MIN_VALUE).stream()
                .filter(exchange -> !exchange.failure().refused())
                .toList();
    }

    private int nodesSeenBy(int number) {
        return get(number, "/sharding/api/cluster").getJsonArray("nodes").size();
    }

    private int shardsOf(int number) {
        var self = get(number, "/sharding/api/cluster").getString("self");
        return objects(get(1, "/sharding/api/types/counter").getJsonArray("regions")).stream()
                .filter(region -> region.getString("node").equals(self))
                .mapToInt(region -> region.getInteger("shards"))
                .sum();
    }

    private static List<JsonObject> objects(JsonArray array) {
        return IntStream.range(0, array.size()).mapToObj(array::getJsonObject).toList();
    }

    private JsonObject get(int number, String path) {
        return new JsonObject(request(number, path).body());
    }

    private HttpResponse<String> request(int number, String path) {
        try {
            var request = HttpRequest.newBuilder(node(number).uri(path))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(
                    node(number) + " does not answer\n" + node(number).log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
