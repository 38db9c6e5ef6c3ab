package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples answer whatever comes over a socket in JSON, and log no error for it. */
@Tag("slow")
@WholeMachine
class MalformedRequestsIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final int LONGEST_ANSWER_MS = 20_000;
    /** Of the counter, the auction and the accounts, with the path of an entity. */
    private static final List<String> PATHS = List.of("/counters/", "/auctions/", "/accounts/");

    @TempDir
    private static Path directory;

    private static final List<CounterNodeProcess> NODES = new ArrayList<>();

    private record Answer(int status, String head, String body) {}

    @BeforeAll
    static void start() {
        NODES.add(CounterNodeProcess.start(1, LoopbackHosts.of(1)).awaitReady(LONGEST_START));
        NODES.add(stored("auction", 8280));
        NODES.add(stored("persistence", 8180));
    }

    private static CounterNodeProcess stored(String example, int port) {
        var store = Map.of("SHARDBUS_STORE", "sqlite:" + directory.resolve(example + ".db"));
        return CounterNodeProcess.ofExample(example, port, 1, LoopbackHosts.of(1), store)
                .awaitReady(LONGEST_START);
    }

    @AfterAll
    static void stop() {
        for (var node : NODES) {
            node.terminate();
            assertEquals(0, node.awaitExit(), node::log);
        }
    }

    /** Sends the bytes of a request as they are; the server is to close the connection. */
    private static Answer send(CounterNodeProcess node, String method, String path, String headers, String body) {
        var place = node.uri("/");
        var request = method + " " + path + " HTTP/1.1\r\nHost: " + place.getHost() + "\r\nConnection: close\r\n"
                + "Content-Length: " + body.length() + "\r\n" + headers + "\r\n" + body;
        try (var socket = new Socket(place.getHost(), place.getPort())) {
            socket.setSoTimeout(LONGEST_ANSWER_MS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int end = answer.indexOf("\r\n\r\n");
            assertTrue(end > 0, () -> path + ": no answer but '" + answer + "'");
            return new Answer(
                    Integer.parseInt(answer.substring(9, 12)), answer.substring(0, end), answer.substring(end + 4));
        } catch (IOException e) {
            throw new AssertionError(method + " " + path + "\n" + node.log(), e);
        }
    }

    private static void assertRefusal(CounterNodeProcess node, int status, Answer answer) {
        assertEquals(status, answer.status(), answer::toString);
        assertTrue(answer.head().toLowerCase(java.util.Locale.ROOT).contains("application/json"), answer::toString);
        var body = new JsonObject(answer.body());
        assertFalse(body.getString("error").isEmpty(), answer::toString);
        assertTrue(body.getString("message").length() > 5, answer::toString);
        assertFalse(node.log().contains(" ERROR "), node::log);
    }

    private static Stream<String> strangeEnds() {
        return Stream.of(
                "%zz",
                "%",
                "%f",
                "%ff",
                "",
                ".",
                "..",
                "%2e%2e",
                "a?a=%zz",
                "a?timeoutMs=%",
                "a?%zz",
                "x".repeat(1_025),
                "%C3%BC".repeat(513),
                "\u00e9",
                "/a");
    }

    @ParameterizedTest
    @MethodSource("strangeEnds")
    void aStrangeIdOrQueryIs400(String end) {
        for (int i = 0; i < NODES.size(); i++) {
            var node = NODES.get(i);
            assertRefusal(node, 400, send(node, "GET", PATHS.get(i) + end, "", ""));
            assertRefusal(node, 400, send(node, "GET", "/sharding/api/v1/types/%zz?a=%zz", "", ""));
            assertRefusal(node, 400, send(node, "GET", "/sharding/api/v1/events?after=%zz", "", ""));
        }
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS, *", "GET, *", "GET, counters/a"})
    void aTargetThatIsNoPathIs404(String method, String target) {
        for (var node : NODES) {
            assertRefusal(node, 404, send(node, method, target, "", ""));
        }
    }

    /** What a proxy or a browser does whose user goes away. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatGoesAwayIsNoError(boolean reset) throws IOException {
        for (int i = 0; i < NODES.size(); i++) {
            var node = NODES.get(i);
            for (var rest : List.of("Content-Length: 9\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\nzz\r\n")) {
                try (var socket =
                        new Socket(node.uri("/").getHost(), node.uri("/").getPort())) {
                    socket.setSoLinger(reset, 0);
                    var request = "POST " + PATHS.get(i) + "a/bids HTTP/1.1\r\nHost: a\r\n" + rest;
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        }
        for (int i = 0; i < NODES.size(); i++) {
            var node = NODES.get(i);
            assertRefusal(node, 400, send(node, "GET", PATHS.get(i) + "%zz", "", ""));
        }
    }

    @ParameterizedTest
    @CsvSource({"414, 20000, 1", "431, 1, 20000"})
    void whatIsTooLongIsSaidInJson(int status, int path, int header) {
        for (int i = 0; i < NODES.size(); i++) {
            var node = NODES.get(i);
            var answer =
                    send(node, "GET", PATHS.get(i) + "x".repeat(path), "X-Long: " + "x".repeat(header) + "\r\n", "");
            assertRefusal(node, status, answer);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, PUT, /counters/a, GET",
        "0, GET, /counters/a/add/1, POST",
        "1, DELETE, /auctions/a, 'GET, POST'",
        "1, GET, /auctions/a/bids, POST",
        "1, POST, /auctions/a/events, GET",
        "2, DELETE, /accounts/a, GET",
        "2, GET, /accounts/a/deposit/1, POST",
        "2, PUT, /accounts/a/withdraw/1, POST",
        "2, GET, /transfers/a/b/1, POST",
        "2, POST, /statements/a, GET"
    })
    void anotherMethodIs405WithThoseThatThereAre(int which, String method, String path, String allowed) {
        var node = NODES.get(which);
        var answer = send(node, method, path, "", "");
        assertRefusal(node, 405, answer);
        assertTrue(answer.head().lines().anyMatch(line -> line.equalsIgnoreCase("Allow: " + allowed)), answer::head);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0 | /counters/a/add/99999999999999999999
        0 | /counters/a/add/%00
        0 | /counters/a/add/1e3
        0 | /counters/a/add/1?timeoutMs=99999999999999999999
        2 | /accounts/a/deposit/0
        2 | /accounts/a/deposit/-1
        2 | /accounts/a/deposit/1000000000001
        2 | /accounts/a/withdraw/%D9%A5
        2 | /accounts//deposit/1
        2 | /accounts/%zz/deposit/1
        2 | /transfers/a/a/5
        2 | /transfers/a//5
        2 | /transfers/a/%ff/5
        2 | /transfers/a/b/x
        """)
    void aStrangeNumberOrAccountIs400(int which, String path) {
        var node = NODES.get(which);
        assertRefusal(node, 400, send(node, "POST", path, "", ""));
    }

    private static Stream<String> strangeHeaders() {
        return Stream.of(
                "Command-Id:",
                "Command-Id: " + "x".repeat(201),
                "Command-Id: a\tb",
                "Command-Id: a\r\nCommand-Time: soon",
                "Command-Id: a\r\nCommand-Time: -1",
                "Command-Id: a\r\nCommand-Time: 99999999999999");
    }

    @ParameterizedTest
    @MethodSource("strangeHeaders")
    void aStrangeCommandIdIs400AndTheAccountStaysAsItWas(String headers) {
        var node = NODES.get(2);
        for (var path : List.of("/accounts/kept/deposit/5", "/transfers/kept/other/5")) {
            assertRefusal(node, 400, send(node, "POST", path, headers + "\r\n", ""));
        }
        var account = send(node, "GET", "/accounts/kept", "", "");
        assertEquals(0, new JsonObject(account.body()).getInteger("sequenceNumber"), account::toString);
    }

    private static Stream<String> strangeBodies() {
        return Stream.of(
                "",
                "{",
                "[]",
                "7",
                "null",
                "\0",
                "\u00ff\u00fe",
                "{\"bidder\":\"b\"}",
                "{\"amount\":5}",
                "{\"bidder\":\"b\",\"amount\":\"5\"}",
                "{\"bidder\":\"b\",\"amount\":1.5}",
                "{\"bidder\":\"b\",\"amount\":0}",
                "{\"bidder\":\"b\",\"amount\":99999999999999999999}",
                "{\"bidder\":7,\"amount\":5}",
                "{\"bidder\":\" \",\"amount\":5}",
                "[".repeat(5_000));
    }

    @ParameterizedTest
    @MethodSource("strangeBodies")
    void aBodyOfAnotherShapeIs400(String body) {
        var node = NODES.get(1);
        for (var headers : List.of(
                "",
                "Content-Type: application/json\r\n",
                "Content-Type: text/plain; charset=nix\r\n",
                "Content-Type: application/x-www-form-urlencoded\r\n",
                "Content-Type: multipart/form-data; boundary=x\r\n",
                "Content-Type: multipart/form-data\r\n")) {
            assertRefusal(node, 400, send(node, "POST", "/auctions/a/bids", headers, body));
        }
    }

    @ParameterizedTest
    @CsvSource({"/auctions/a/bids", "/auctions/a"})
    void aBodyThatIsTooLargeIs413(String path) {
        var node = NODES.get(1);
        var headers = "Content-Type: application/json\r\n";
        assertRefusal(node, 413, send(node, "POST", path, headers, "[" + "7,".repeat(5_000) + "7]"));
    }
}
