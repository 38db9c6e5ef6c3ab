package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What examples/counter promises to its callers; three nodes that were started at the same moment. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
@WholeMachine
class CounterExampleIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<String> HOSTS = LoopbackHosts.of(3);
    private static List<CounterNodeProcess> nodes;

    @BeforeAll
    static void start() {
        nodes = IntStream.rangeClosed(1, 3)
                .mapToObj(number -> CounterNodeProcess.start(number, HOSTS))
                .toList();
        nodes.forEach(node -> node.awaitReady(LONGEST_START));
        Await.until(
                () -> "no cluster of three",
                () -> nodes.stream()
                        .allMatch(node -> send(node, "GET", "/sharding/api/cluster", 200)
                                        .getJsonArray("nodes")
                                        .size()
                                == 3));
    }

    @AfterAll
    static void stop() {
        nodes.forEach(CounterNodeProcess::close);
    }

    @Test
    void everyNodeReachesTheSameInstance() {
        var added = send(nodes.get(0), "POST", "/counters/same/add/40", 200);
        assertEquals(Set.of("id", "value", "node", "incarnation", "token"), added.fieldNames());
        assertEquals(Set.of("term", "sequence"), added.getJsonObject("token").fieldNames());
        assertEquals("same", added.getString("id"));
        assertEquals(40, added.getLong("value"));
        assertEquals(42, send(nodes.get(1), "POST", "/counters/same/add/2", 200).getLong("value"));
        for (var node : nodes) {
            assertEquals(added.copy().put("value", 42), send(node, "GET", "/counters/same", 200));
        }
    }

    @Test
    void countersAreSpreadOverTheNodes() {
        var homes = IntStream.range(0, 60)
                .mapToObj(n -> send(nodes.get(n % 3), "GET", "/counters/spread-" + n, 200)
                        .getString("node"))
                .distinct()
                .count();
        assertEquals(3, homes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "-7", "0", "9223372036854775807", "-9223372036854775808", "+3"})
    void takesEveryLong(String amount) {
        var path = "/counters/long" + amount.replace("+", "p") + "/add/" + amount;
        assertEquals(
                Long.parseLong(amount), send(nodes.get(1), "POST", path, 200).getLong("value"));
    }

    @ParameterizedTest
    @CsvSource({"a%2Fb, a/b", "%C3%BC%20x, ü x", "a+b, a+b", "%25, %", "%F0%9F%90%98, 🐘"})
    void takesEveryId(String encoded, String id) {
        assertEquals(
                id,
                send(nodes.get(2), "POST", "/counters/" + encoded + "/add/1", 200)
                        .getString("id"));
        assertEquals(1, send(nodes.get(0), "GET", "/counters/" + encoded, 200).getLong("value"));
    }

    @Test
    void takesTheLongestIdAndNoLongerOne() {
        var longest = "x".repeat(1024);
        assertEquals(
                longest, send(nodes.get(0), "GET", "/counters/" + longest, 200).getString("id"));
        assertEquals(
                "INVALID_ID",
                send(nodes.get(0), "GET", "/counters/x" + longest, 400).getString("error"));
        assertEquals(
                "INVALID_ID",
                send(nodes.get(0), "POST", "/counters/" + "%C3%BC".repeat(513) + "/add/1", 400)
                        .getString("error"));
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /counters/a/add/x, 400, BAD_REQUEST",
        "POST, /counters/a/add/, 400, BAD_REQUEST",
        "POST, /counters/a/add/05, 400, BAD_REQUEST",
        "POST, /counters/a/add/%D9%A5, 400, BAD_REQUEST",
        "POST, /counters//add/1, 400, INVALID_ID",
        "GET, /counters/%ff, 400, INVALID_ID",
        "POST, /counters/a/add/1.5, 400, BAD_REQUEST",
        "POST, /counters/a/add/9223372036854775808, 400, BAD_REQUEST",
        "GET, /counters/a?timeoutMs=0, 400, BAD_REQUEST",
        "GET, /counters/a?timeoutMs=-5, 400, BAD_REQUEST",
        "GET, /counters/a?timeoutMs=soon, 400, BAD_REQUEST",
        "GET, /counters/a?timeoutMs=, 400, BAD_REQUEST",
        "GET, /counters/, 400, INVALID_ID",
        "GET, /, 404, NOT_FOUND",
        "GET, /counters, 404, NOT_FOUND",
        "GET, /counters/a/b/c, 404, NOT_FOUND",
        "GET, /sharding/api/types/other, 404, NOT_FOUND",
        "POST, /counters/a, 405, METHOD_NOT_ALLOWED",
        "GET, /counters/a/add/1, 405, METHOD_NOT_ALLOWED",
        "DELETE, /counters/a, 405, METHOD_NOT_ALLOWED"
    })
    void refusesInJson(String method, String path, int status, String error) {
        var refusal = send(nodes.get(0), method, path, status);
        assertEquals(error, refusal.getString("error"));
        assertEquals(Set.of("error", "message"), refusal.fieldNames());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/counters/\u00e9", "/counters/\u00ff"})
    void refusesBytesThatAreNotAscii(String path) throws IOException {
        var node = nodes.get(0).uri("/");
        try (var socket = new Socket(node.getHost(), node.getPort())) {
            var request = "GET " + path + " HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            assertTrue(answer.contains("INVALID_ID"), answer);
        }
    }

    @Test
    void aNodeWithAWrongPeerSaysSoAndEnds() {
        var wrong = Map.of("SHARDBUS_PEERS", HOSTS.get(0) + ":99999");
        try (var node = CounterNodeProcess.ofExample("counter", 8080, 1, LoopbackHosts.of(1), wrong)) {
            assertEquals(1, node.awaitExit());
            assertTrue(node.log().contains("99999"), node.log());
            assertFalse(node.log().contains("did not stop"), node.log());
        }
    }

    @Test
    void refusesASumThatIsTooLarge() {
        send(nodes.get(0), "POST", "/counters/full/add/" + Long.MAX_VALUE, 200);
        assertEquals(
                "OVERFLOW",
                send(nodes.get(1), "POST", "/counters/full/add/1", 400).getString("error"));
        assertEquals(
                Long.MAX_VALUE, send(nodes.get(2), "GET", "/counters/full", 200).getLong("value"));
    }

    @Test
    void isHealthy() {
        for (var node : nodes) {
            assertEquals("UP", send(node, "GET", "/sharding/health/ready", 200).getString("status"));
            assertEquals("UP", send(node, "GET", "/sharding/health/live", 200).getString("status"));
        }
    }

    @Test
    void servesMetricsOfWhichOneNodeCoordinates() {
        Await.until(
                () -> "no one coordinator in the metrics",
                () -> nodes.stream()
                                .filter(node -> metrics(node).contains("\nshardbus_coordinator_reigning 1.0"))
                                .count()
                        == 1);
        assertEquals(
                2,
                nodes.stream()
                        .filter(node -> metrics(node).contains("\nshardbus_coordinator_reigning 0.0"))
                        .count());
        for (var node : nodes) {
            assertTrue(metrics(node).contains("\nshardbus_members 3.0"), () -> metrics(node));
            assertTrue(
                    metrics(node).contains("shardbus_shard_moves_total{cause=\"crash\",outcome=\"moved\""),
                    () -> metrics(node));
        }
    }

    private static String metrics(CounterNodeProcess node) {
        try {
            var request = HttpRequest.newBuilder(node.uri("/metrics"))
                    .timeout(Duration.ofSeconds(20))
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new AssertionError(node.log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void theScriptOfOperatorsShowsTheNodes() throws IOException, InterruptedException {
        var script = new ProcessBuilder(
                        "examples/operations/shardbus.sh",
                        "--url",
                        nodes.get(1).uri("/sharding").toString(),
                        "nodes",
                        "--json")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var out = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, script.waitFor(), out);
        assertEquals(3, new JsonObject(out).getJsonArray("nodes").size(), out);
    }

    @Test
    @Order(Integer.MAX_VALUE - 1)
    void aSecondProcessOfANodeSaysThatItsPortIsTaken() {
        var second = CounterNodeProcess.start(1, HOSTS);
        assertEquals(1, second.awaitExit(), second::log);
        assertTrue(second.log().contains("did not start"), second::log);
    }

    @Test
    void aNodeWhoseHttpPortIsTakenNamesIt() throws IOException {
        var host = LoopbackHosts.of(1).get(0);
        try (var taken = new ServerSocket(8081, 1, InetAddress.getByName(host))) {
            var node = CounterNodeProcess.start(1, List.of(host));
            assertEquals(1, node.awaitExit(), node::log);
            assertTrue(node.log().contains("HTTP cannot listen at " + host + ":" + taken.getLocalPort()), node::log);
        }
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void sigtermLeavesInGoodOrderOneAfterTheOther() {
        var before = send(nodes.get(0), "GET", "/counters/same", 200).getString("incarnation");
        for (var node : nodes) {
            node.terminate();
            node.terminate();
            assertEquals(0, node.awaitExit(), node::log);
            if (node != nodes.get(2)) {
                assertNotEquals(
                        "", send(nodes.get(2), "GET", "/counters/same", 200).getString("incarnation"), before);
            }
        }
    }

    private static JsonObject send(CounterNodeProcess node, String method, String path, int status) {
        try {
            var request = HttpRequest.newBuilder(node.uri(path))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .timeout(Duration.ofSeconds(20))
                    .build();
            var response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(status, response.statusCode(), response::body);
            assertEquals(
                    "application/json",
                    response.headers().firstValue("content-type").orElse(""));
            return new JsonObject(response.body());
        } catch (IOException e) {
            throw new AssertionError(node + " does not answer " + path + "\n" + node.log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
