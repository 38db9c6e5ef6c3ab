package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("examples/persistence, three nodes that share a file")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
@WholeMachine
class PersistenceExampleIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<String> HOSTS = LoopbackHosts.of(3);

    @TempDir
    private static Path directory;

    private static List<CounterNodeProcess> nodes;

    @BeforeAll
    static void start() {
        var store = Map.of("SHARDBUS_STORE", "sqlite:" + directory.resolve("accounts.db"));
        nodes = IntStream.rangeClosed(1, 3)
                .mapToObj(number -> CounterNodeProcess.ofExample("persistence", 8180, number, HOSTS, store))
                .toList();
        nodes.forEach(node -> node.awaitReady(LONGEST_START));
    }

    @AfterAll
    static void stop() {
        nodes.forEach(CounterNodeProcess::close);
    }

    @Test
    @Order(1)
    @DisplayName("answers for every account on every node, and each command id once")
    void commands() {
        var unused = send(0, "GET", "/accounts/unused", 200);
        assertEquals(Set.of("id", "balance", "sequenceNumber", "node", "incarnation", "token"), unused.fieldNames());
        assertEquals(0, unused.getLong("balance"));
        var first = send(0, "POST", "/accounts/ann/deposit/40", 200, "d-1");
        assertEquals(first, send(1, "POST", "/accounts/ann/deposit/40", 200, "d-1"), "the same answer");
        assertEquals(40, send(2, "GET", "/accounts/ann", 200).getLong("balance"));
        assertEquals(
                "COMMAND_ID_REUSED",
                send(2, "POST", "/accounts/ann/deposit/41", 409, "d-1").getString("error"));
        forgotten();
        repeatedLate();
        assertEquals(30, send(1, "POST", "/accounts/ann/withdraw/10", 200).getLong("balance"));
        assertEquals(
                "INSUFFICIENT",
                send(2, "POST", "/accounts/ann/withdraw/31", 409).getString("error"));
        assertEquals(
                "INSUFFICIENT", send(2, "POST", "/transfers/ann/bob/31", 409).getString("error"));
        send(0, "POST", "/transfers/ann/bob/5", 202, "t-1");
        send(1, "POST", "/transfers/ann/bob/5", 202, "t-1");
        awaitBalance("bob", 5);
        Await.until(
                () -> "no statement of three movements",
                () -> movements(2, "ann").size() == 3);
        assertEquals(List.of(1L, 2L, 3L), numbers(movements(2, "ann")));
        assertEquals(-5, movements(2, "ann").getJsonObject(2).getLong("amount"));
    }

    @Test
    @Order(2)
    @DisplayName("begins an erased account anew, with the next number and a statement of its own")
    void erased() {
        assertEquals(7, send(0, "POST", "/accounts/eve/deposit/7", 200).getLong("balance"));
        Await.until(() -> "no movement", () -> movements(1, "eve").size() == 1);
        send(2, "POST", "/sharding/api/v1/types/account/entities/eve/erase", 200);
        var account = send(1, "GET", "/accounts/eve", 200);
        assertEquals(0, account.getLong("balance"));
        assertEquals(2, account.getLong("sequenceNumber"), "the deletion has a number");
        Await.until(() -> "movements are shown", () -> movements(1, "eve").isEmpty());
        assertEquals(3, send(0, "POST", "/accounts/eve/deposit/2", 200, "e-1").getLong("sequenceNumber"));
        Await.until(() -> "no movement", () -> movements(1, "eve").size() == 1);
        assertEquals(2, movements(1, "eve").getJsonObject(0).getLong("balance"));
    }

    /** An account remembers 128 ids. One that says when its command was made is not executed again after that. */
    private static void forgotten() {
        assertEquals(1, timed("POST", "/accounts/busy/deposit/1", "first", 1000).getLong("balance"));
        for (int i = 0; i < 128; i++) {
            timed("POST", "/accounts/busy/deposit/1", "k-" + i, 2000 + i);
        }
        var refused = call(1, "POST", "/accounts/busy/deposit/1", "first", 1000L);
        assertEquals(409, refused.statusCode(), refused.body());
        assertEquals("COMMAND_TOO_OLD", new JsonObject(refused.body()).getString("error"));
        assertEquals(129, send(2, "GET", "/accounts/busy", 200).getLong("balance"));
    }

    /** Without the moment of the command, its first answer is kept for as long as the account, also a refusal. */
    private static void repeatedLate() {
        var first = send(0, "POST", "/accounts/late/deposit/1", 200, "first");
        assertEquals(1, first.getLong("balance"));
        var poor = send(1, "POST", "/accounts/late/withdraw/1000", 409, "poor");
        assertEquals("INSUFFICIENT", poor.getString("error"));
        for (int i = 0; i < 200; i++) {
            assertEquals(
                    2 + i,
                    send(i % 3, "POST", "/accounts/late/deposit/1", 200, "k-" + i)
                            .getLong("balance"));
        }
        assertEquals(first, send(1, "POST", "/accounts/late/deposit/1", 200, "first"));
        assertEquals(
                "COMMAND_ID_REUSED",
                send(1, "POST", "/accounts/late/deposit/2", 409, "first").getString("error"));
        assertEquals(201, send(2, "GET", "/accounts/late", 200).getLong("balance"));
        var refused = send(0, "POST", "/accounts/late/withdraw/202", 409, "again");
        assertEquals("INSUFFICIENT", refused.getString("error"));
        send(1, "POST", "/accounts/late/deposit/1000", 200);
        for (var node : List.of(0, 1, 2)) {
            assertEquals(refused, send(node, "POST", "/accounts/late/withdraw/202", 409, "again"), "the same answer");
            assertEquals(poor, send(node, "POST", "/accounts/late/withdraw/1000", 409, "poor"), "200 ids later");
        }
        assertEquals(
                "COMMAND_ID_REUSED",
                send(2, "POST", "/transfers/late/other/202", 409, "again").getString("error"));
        assertEquals(1201, send(2, "GET", "/accounts/late", 200).getLong("balance"));
        assertEquals(
                1,
                send(2, "POST", "/accounts/later/deposit/1", 200, "first").getLong("balance"),
                "an id is one account's");
    }

    private static JsonObject timed(String method, String path, String commandId, long made) {
        var answer = call(0, method, path, commandId, made);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }

    @ParameterizedTest
    @Order(2)
    @CsvSource({
        "POST, /accounts/a/deposit/x, 400, BAD_REQUEST",
        "POST, /accounts/a/deposit/0, 400, BAD_REQUEST",
        "POST, /accounts/a/withdraw/-1, 400, BAD_REQUEST",
        "POST, /accounts/a/deposit/+5, 400, BAD_REQUEST",
        "POST, /accounts/a/deposit/05, 400, BAD_REQUEST",
        "POST, /accounts/a/deposit/%D9%A5, 400, BAD_REQUEST",
        "POST, /accounts//deposit/1, 400, INVALID_ID",
        "POST, /transfers/ann//5, 400, INVALID_ID",
        "POST, /accounts/%ff/deposit/1, 400, INVALID_ID",
        "POST, /accounts/a%c3/deposit/1, 400, INVALID_ID",
        "POST, /accounts/%2e/deposit/1, 400, INVALID_ID",
        "GET, /accounts/x/../a, 400, INVALID_ID",
        "POST, /transfers/a/a/1, 400, BAD_REQUEST",
        "GET, /accounts/a?timeoutMs=0, 400, BAD_REQUEST",
        "GET, /accounts/, 400, INVALID_ID",
        "GET, /nothing, 404, NOT_FOUND",
        "DELETE, /accounts/a, 405, METHOD_NOT_ALLOWED"
    })
    void refusesInJson(String method, String path, int status, String error) {
        assertEquals(error, send(0, method, path, status).getString("error"));
    }

    @Test
    @Order(3)
    @DisplayName("PERS-01 has all that was answered when all nodes were killed, and money that was on its way arrives")
    void killed() {
        for (int i = 0; i < 20; i++) {
            send(i % 3, "POST", "/accounts/from-" + i + "/deposit/100", 200);
        }
        for (int i = 0; i < 20; i++) {
            send(i % 3, "POST", "/transfers/from-" + i + "/sink/7", 202, "k-" + i);
        }
        nodes.forEach(CounterNodeProcess::kill);
        nodes.forEach(CounterNodeProcess::close);
        start();
        for (int i = 0; i < 20; i++) {
            assertEquals(93, send(i % 3, "GET", "/accounts/from-" + i, 200).getLong("balance"));
            send(i % 3, "POST", "/transfers/from-" + i + "/sink/7", 202, "k-" + i);
        }
        awaitBalance("sink", 140);
        assertEquals(25, send(0, "GET", "/accounts/ann", 200).getLong("balance"));
        nodes.get(1).kill();
        awaitBalance("sink", 140);
        assertEquals(147, send(0, "POST", "/accounts/sink/deposit/7", 200).getLong("balance"));
    }

    private static void awaitBalance(String id, long balance) {
        Await.until(() -> id + " has not " + balance, () -> balance(id) == balance);
    }

    private static long balance(String id) {
        var answer = call(0, "GET", "/accounts/" + id, null);
        return answer.statusCode() == 200 ? new JsonObject(answer.body()).getLong("balance") : -1;
    }

    private static JsonArray movements(int node, String id) {
        return send(node, "GET", "/statements/" + id, 200).getJsonArray("movements");
    }

    private static List<Long> numbers(JsonArray movements) {
        return movements.stream()
                .map(movement -> ((JsonObject) movement).getLong("sequenceNumber"))
                .toList();
    }

    private static JsonObject send(int node, String method, String path, int status) {
        return send(node, method, path, status, null);
    }

    private static JsonObject send(int node, String method, String path, int status, String commandId) {
        var answer = call(node, method, path, commandId);
        assertEquals(status, answer.statusCode(), () -> method + " " + path + ": " + answer.body());
        return new JsonObject(answer.body());
    }

    private static HttpResponse<String> call(int node, String method, String path, String commandId) {
        return call(node, method, path, commandId, null);
    }

    private static HttpResponse<String> call(int node, String method, String path, String commandId, Long made) {
        var request =
                HttpRequest.newBuilder(nodes.get(node).uri(path)).method(method, HttpRequest.BodyPublishers.noBody());
        if (path.startsWith("/sharding/")) {
            request.header("X-Shardbus-Request", "1");
        }
        if (commandId != null) {
            request.header("Command-Id", commandId);
        }
        if (made != null) {
            request.header("Command-Time", made.toString());
        }
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
