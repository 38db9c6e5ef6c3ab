package io.shardbus.examples;

import io.shardbus.integration.Await;
import io.shardbus.verify.CounterNodeProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Clients of examples/persistence, each of one node. They pay into accounts without a command id, each time an amount
 * that no other deposit has: so the stored events tell of each deposit whether it took effect, and how often.
 */
final class AccountTraffic {
    static final String ANSWERED = "ANSWERED";
    /** The node was gone, or went. */
    static final String NO_ANSWER = "NO_ANSWER";

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(90);
    /** Of all deposits of this process. */
    private static final AtomicLong AMOUNT = new AtomicLong();

    private static final Executor SOON = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private final List<CounterNodeProcess> nodes;
    private final List<String> accounts;
    private final long deadlineMs;
    private final AtomicLong answered = new AtomicLong();
    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<Void>> clients = new ArrayList<>();
    private volatile boolean stopping;

    /**
     * How a deposit ended.
     *
     * @param node of its client, from 0
     * @param code {@link #ANSWERED}, the code of the failure, or {@link #NO_ANSWER}
     * @param body of the answer; empty where there was none
     */
    record Outcome(int node, String account, long amount, String code, JsonObject body) {
        boolean isAnswered() {
            return code.equals(ANSWERED);
        }
    }

    /**
     * @param nodes may change their processes meanwhile
     * @param deadlineMs of the asks
     */
    AccountTraffic(List<CounterNodeProcess> nodes, int accounts, long deadlineMs) {
        this.nodes = nodes;
        this.accounts =
                IntStream.range(0, accounts).mapToObj(n -> "account-" + n).toList();
        this.deadlineMs = deadlineMs;
    }

    List<String> accounts() {
        return accounts;
    }

    /** Each client sends its next deposit when the one before has ended. */
    AccountTraffic start(int clientsOfEachNode) {
        for (int node = 0; node < nodes.size(); node++) {
            for (int client = 0; client < clientsOfEachNode; client++) {
                clients.add(deposits(node, client));
            }
        }
        return this;
    }

    private CompletableFuture<Void> deposits(int node, int turn) {
        if (stopping) {
            return CompletableFuture.completedFuture(null);
        }
        return deposit(node, accounts.get(turn % accounts.size()))
                .thenCompose(outcome -> outcome.isAnswered()
                        ? deposits(node, turn + 1)
                        : CompletableFuture.runAsync(() -> {}, SOON).thenCompose(paused -> deposits(node, turn + 1)));
    }

    /** One deposit through a node. */
    CompletableFuture<Outcome> deposit(int node, String account) {
        long paid = AMOUNT.incrementAndGet();
        String path = "/accounts/" + account + "/deposit/" + paid + "?timeoutMs=" + deadlineMs;
        var request = HttpRequest.newBuilder(nodes.get(node).uri(path))
                .method("POST", HttpRequest.BodyPublishers.noBody())
                // the answer, which names the home that wrote it, is stored beside the event
                .header("Command-Id", "deposit-" + paid)
                .timeout(LONGEST_REQUEST)
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).handle((answer, failure) -> {
            var body = failure == null ? new JsonObject(answer.body()) : new JsonObject();
            String code = NO_ANSWER;
            if (failure == null) {
                code = answer.statusCode() == 200 ? ANSWERED : body.getString("error");
            }
            var outcome = new Outcome(node, account, paid, code, body);
            outcomes.add(outcome);
            if (outcome.isAnswered()) {
                answered.incrementAndGet();
            }
            return outcome;
        });
    }

    /** The account as a node answers; empty where it does not answer with one. */
    JsonObject account(int node, String account) {
        var request = HttpRequest.newBuilder(nodes.get(node).uri("/accounts/" + account + "?timeoutMs=" + deadlineMs))
                .timeout(LONGEST_REQUEST)
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .handle((answer, failure) -> failure == null && answer.statusCode() == 200
                        ? new JsonObject(answer.body())
                        : new JsonObject())
                .join();
    }

    void awaitAnswers(int more) {
        long goal = answered.get() + more;
        Await.until(() -> answered + " answers of " + goal + ": " + counts(), () -> answered.get() >= goal);
    }

    /** The clients send nothing more, and end with the answers that they wait for. */
    void end() {
        stopping = true;
    }

    /** How all deposits ended; waits for them. */
    List<Outcome> stop() {
        end();
        CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();
        return outcomes();
    }

    /** What has ended so far. */
    List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    Map<String, Long> counts() {
        return outcomes.stream().collect(Collectors.groupingBy(Outcome::code, TreeMap::new, Collectors.counting()));
    }
}
