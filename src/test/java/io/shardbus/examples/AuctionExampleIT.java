package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What examples/auction promises to its callers; AuctionLoadIT has its processes come and go. */
@Tag("slow")
@WholeMachine
class AuctionExampleIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final int HTTP_PORT = 8280;
    private static final int LOTS = 20;
    /** Longer than a crash is noticed after. */
    private static final long LOT_MS = 12_000;

    private static final List<String> HOSTS = LoopbackHosts.of(3);

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final List<CounterNodeProcess> NODES = new CopyOnWriteArrayList<>();

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() {
        IntStream.rangeClosed(1, 3).forEach(number -> NODES.add(begin(number)));
        NODES.forEach(node -> node.awaitReady(LONGEST_START));
        untilWhole();
    }

    private static CounterNodeProcess begin(int number) {
        return CounterNodeProcess.ofExample("auction", HTTP_PORT, number, HOSTS, store("auctions.db"));
    }

    private static Map<String, String> store(String file) {
        return Map.of("SHARDBUS_STORE", "sqlite:" + directory.resolve(file));
    }

    private static void untilWhole() {
        Await.until(
                () -> "no cluster of three",
                () -> NODES.stream()
                        .allMatch(node -> get(node, "/sharding/api/cluster")
                                        .body()
                                        .getJsonArray("nodes")
                                        .size()
                                == 3));
    }

    @AfterAll
    static void stop() {
        NODES.forEach(CounterNodeProcess::close);
    }

    private record Answer(int status, JsonObject body) {}

    private static Answer send(HttpRequest.Builder request) {
        var response = text(request);
        return new Answer(response.statusCode(), new JsonObject(response.body()));
    }

    private static HttpResponse<String> text(HttpRequest.Builder request) {
        try {
            return HTTP.send(request.timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static Answer get(CounterNodeProcess node, String path) {
        return send(HttpRequest.newBuilder(node.uri(path)));
    }

    private static Answer post(URI to, String body) {
        return send(HttpRequest.newBuilder(to).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static Answer bid(CounterNodeProcess node, String id, String bidder, long amount) {
        var bid = new JsonObject().put("bidder", bidder).put("amount", amount);
        return post(node.uri("/auctions/" + id + "/bids"), bid.encode());
    }

    @Test
    void takesBidsUntilItsEnd() {
        var first = NODES.get(0);
        var unknown = get(first, "/auctions/vase");
        assertEquals(200, unknown.status());
        assertEquals(
                Set.of("id", "highest", "bids", "closed", "node", "incarnation"),
                unknown.body().fieldNames());
        assertNull(unknown.body().getValue("highest"));
        assertEquals(0, unknown.body().getLong("bids"));
        assertEquals(false, unknown.body().getBoolean("closed"));

        var taken = bid(NODES.get(1), "vase", "ann", 5);
        assertEquals(200, taken.status());
        assertEquals(
                new JsonObject().put("bidder", "ann").put("amount", 5),
                taken.body().getJsonObject("highest"));
        assertEquals(taken.body(), get(NODES.get(2), "/auctions/vase").body());
        for (long tooLow : new long[] {5, 4, 1}) {
            var refused = bid(NODES.get(2), "vase", "bob", tooLow);
            assertEquals(409, refused.status());
            assertEquals("TOO_LOW", refused.body().getString("error"));
        }
        assertEquals(2, bid(first, "vase", "bob", 6).body().getLong("bids"));

        assertEquals(
                200, post(first.uri("/auctions/lamp"), "{\"forMillis\":300}").status());
        assertEquals(
                "ALREADY_OPEN",
                post(first.uri("/auctions/lamp"), "{\"forMillis\":300}").body().getString("error"));
        Await.until(() -> "open", () -> get(first, "/auctions/lamp").body().getBoolean("closed"));
        var late = bid(first, "lamp", "ann", 50);
        assertEquals(409, late.status());
        assertEquals("CLOSED", late.body().getString("error"));
        for (var bad : List.of(
                "",
                "x",
                "[]",
                "{}",
                "{\"bidder\":\"b\"}",
                "{\"bidder\":\"b\",\"amount\":0}",
                "{\"bidder\":\"\",\"amount\":3}",
                "{\"bidder\":\"b\",\"amount\":1.5}")) {
            assertEquals(400, post(first.uri("/auctions/vase/bids"), bad).status(), bad);
        }
        assertEquals(400, get(first, "/auctions/" + "x".repeat(1025)).status());
        assertEquals(404, get(first, "/nothing").status());
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /auctions//events, 400, INVALID_ID",
        "GET, /auctions/./events, 400, INVALID_ID",
        "GET, /auctions/, 400, INVALID_ID",
        "GET, /auctions/%ff, 400, INVALID_ID",
        "PUT, /auctions/vase, 405, METHOD_NOT_ALLOWED",
        "GET, /auctions/vase/bids, 405, METHOD_NOT_ALLOWED",
        "POST, /auctions/vase/events, 405, METHOD_NOT_ALLOWED"
    })
    void refusesInJson(String method, String path, int status, String error) {
        var refused = send(
                HttpRequest.newBuilder(NODES.get(0).uri(path)).method(method, HttpRequest.BodyPublishers.noBody()));
        assertEquals(status, refused.status(), path);
        assertEquals(error, refused.body().getString("error"), path);
    }

    @Test
    void refusesALongIdOfAFeedAndALargeBody() {
        var first = NODES.get(0);
        var tooLong = get(first, "/auctions/" + "x".repeat(1025) + "/events");
        assertEquals(400, tooLong.status());
        assertEquals("INVALID_ID", tooLong.body().getString("error"));
        byte[] large = "x".repeat(10_001).getBytes(StandardCharsets.UTF_8);
        for (var body : List.of(
                HttpRequest.BodyPublishers.ofByteArray(large),
                HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)))) {
            var refused = send(HttpRequest.newBuilder(first.uri("/auctions/vase/bids"))
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(body));
            assertEquals(413, refused.status());
            assertEquals("REQUEST_ENTITY_TOO_LARGE", refused.body().getString("error"));
        }
    }

    /** A client of java.net refuses to send it. */
    @ParameterizedTest
    @ValueSource(strings = {"/auctions/%zz", "/%"})
    void refusesAMalformedPathInJson(String path) throws IOException {
        var to = NODES.get(0).uri("/");
        try (var socket = new Socket(to.getHost(), to.getPort())) {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            assertTrue(answer.contains("\"error\":\"BAD_REQUEST\""), answer);
        }
    }

    @Test
    void servesMetricsOfWhichOneNodeCoordinates() {
        Await.until(
                () -> "no one coordinator in the metrics",
                () -> NODES.stream()
                                .filter(node -> metrics(node).contains("\nshardbus_coordinator_reigning 1.0"))
                                .count()
                        == 1);
        for (var node : NODES) {
            assertTrue(metrics(node).contains("\nshardbus_members 3.0"), () -> metrics(node));
            assertTrue(metrics(node).contains("\njvm_memory_used_bytes{"), () -> metrics(node));
        }
    }

    private static String metrics(CounterNodeProcess node) {
        var answer = text(HttpRequest.newBuilder(node.uri("/metrics")));
        assertEquals(200, answer.statusCode(), answer::body);
        return answer.body();
    }

    @Test
    void endsWellOnASignalBeforeItIsReady() {
        var hosts = LoopbackHosts.of(2);
        Map<String, String> settings = new TreeMap<>(store("alone.db"));
        // its cluster is not founded without the other
        settings.put("SHARDBUS_MINIMUM_MEMBERS", "2");
        var alone = CounterNodeProcess.ofExample("auction", HTTP_PORT, 1, hosts, settings);
        Await.until(alone::log, () -> serves(alone));
        alone.terminate();
        assertEquals(0, alone.awaitExit(), alone::log);
    }

    private static boolean serves(CounterNodeProcess node) {
        var to = node.uri("/");
        try (var socket = new Socket(to.getHost(), to.getPort())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void listenersOfAnyNodeHearOfBids() throws Exception {
        assertEquals(200, get(NODES.get(0), "/auctions/clock").status());
        var heard = new ConcurrentLinkedQueue<String>();
        var listening = listen(NODES.get(2), "clock", heard);
        assertEquals(200, bid(NODES.get(1), "clock", "ann", 9).status());
        Await.until(heard::toString, () -> heard.stream().anyMatch(line -> line.contains("\"amount\":9")));
        assertTrue(heard.contains("event: bid"), heard::toString);
        assertTrue(listening.cancel(true));
    }

    private static Future<?> listen(CounterNodeProcess node, String id, ConcurrentLinkedQueue<String> heard) {
        var listening = HTTP.sendAsync(
                HttpRequest.newBuilder(node.uri("/auctions/" + id + "/events")).build(),
                HttpResponse.BodyHandlers.fromLineSubscriber(new Lines(heard)));
        Await.until(heard::toString, () -> heard.contains(": listening"));
        return listening;
    }

    private static String self(CounterNodeProcess node) {
        return get(node, "/sharding/api/cluster").body().getString("self");
    }

    private static String lot(int number) {
        return "lot-" + number;
    }

    /** Lots with a bid each. */
    private static void openLots() {
        for (int number = 0; number < LOTS; number++) {
            var node = NODES.get(number % NODES.size());
            var lot = post(node.uri("/auctions/" + lot(number)), "{\"forMillis\":" + LOT_MS + "}");
            assertEquals(200, lot.status(), lot.body()::encode);
            assertEquals(200, bid(node, lot(number), "ann", 5 + number).status());
        }
    }

    private static void untilLotsAreClosed() {
        for (int number = 0; number < LOTS; number++) {
            var lot = lot(number);
            var bid = new JsonObject().put("bidder", "ann").put("amount", 5 + number);
            Await.until(() -> get(NODES.get(0), "/auctions/" + lot).toString(), () -> {
                var answer = get(NODES.get(0), "/auctions/" + lot);
                return answer.status() == 200
                        && answer.body().getJsonObject("highest").equals(bid)
                        && answer.body().getLong("bids") == 1
                        && answer.body().getBoolean("closed");
            });
        }
    }

    @Test
    void keepsItsBidsAndItsEndInCrashesOfOneNodeAndOfAll() {
        assertEquals(200, bid(NODES.get(1), "book", "ann", 5).status());
        openLots();
        var crashing = self(NODES.get(1));
        String orphan = IntStream.range(0, LOTS)
                .mapToObj(AuctionExampleIT::lot)
                .filter(lot -> get(NODES.get(0), "/auctions/" + lot)
                        .body()
                        .getString("node")
                        .equals(crashing))
                .findFirst()
                .orElseThrow();
        var heard = new ConcurrentLinkedQueue<String>();
        var listening = listen(NODES.get(0), orphan, heard);
        NODES.get(1).kill();
        Await.until(heard::toString, () -> heard.contains("event: closed"));
        assertTrue(listening.cancel(true));
        untilLotsAreClosed();
        NODES.forEach(CounterNodeProcess::kill);
        NODES.clear();
        start();
        untilLotsAreClosed();
        assertEquals("TOO_LOW", bid(NODES.get(2), "book", "bob", 5).body().getString("error"));
        assertEquals(2, bid(NODES.get(2), "book", "bob", 6).body().getLong("bids"));
    }

    /** The lines of a stream that does not end. */
    private record Lines(ConcurrentLinkedQueue<String> heard) implements Flow.Subscriber<String> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            heard.add(line);
        }

        @Override
        public void onError(Throwable failure) {
            heard.add("failed: " + failure);
        }

        @Override
        public void onComplete() {
            heard.add("complete");
        }
    }
}
