package io.shardbus.verify;

import io.shardbus.history.Exchange;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Clients of counters: one for each node and id, which sends its next request a while after the last one was answered
 * or has failed. So no id waits for another, and none waits for a node that does not answer.
 */
public final class CounterClients implements AutoCloseable {
    private static final int LARGEST_AMOUNT = 9;
    private static final int ONE_QUESTION_IN = 5;
    private static final Duration ASK_DEADLINE = Duration.ofSeconds(2);
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(4);

    private final List<URI> nodes;
    private final List<String> ids;
    private final Duration pause;
    private final Recorder recorder = new Recorder();
    private final ExecutorService executor = Executors.newFixedThreadPool(2, task -> {
        var thread = new Thread(task, "counter-clients");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .executor(executor)
            .build();
    private volatile boolean ended;

    private CounterClients(List<URI> nodes, List<String> ids, Duration pause) {
        this.nodes = List.copyOf(nodes);
        this.ids = List.copyOf(ids);
        this.pause = pause;
    }

    /**
     * Begins to send.
     *
     * @param nodes where the nodes' HTTP servers are
     * @param ids of counters that no other client uses
     * @param pause between an answer and the next request of the same client
     */
    public static CounterClients start(List<URI> nodes, List<String> ids, Duration pause) {
        var clients = new CounterClients(nodes, ids, pause);
        for (int node = 0; node < nodes.size(); node++) {
            for (int i = 0; i < ids.size(); i++) {
                var client = clients.new Client(node, ids.get(i), new Random(31L * node + i));
                clients.after(pause.toMillis() * i / ids.size(), client::send);
            }
        }
        return clients;
    }

    private void after(long millis, Runnable task) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, executor)
                .execute(task);
    }

    public List<String> ids() {
        return ids;
    }

    /** All that was sent so far; requests under way are among the failed ones. */
    public List<Exchange> exchanges() {
        return recorder.exchanges();
    }

    /** The pairs of an id and a node through which it has not answered any request sent since a moment. */
    public List<String> silentSince(long moment) {
        var answered = recorder.answeredSince(moment);
        var silent = new ArrayList<String>();
        for (int node = 0; node < nodes.size(); node++) {
            for (var id : ids) {
                var sender = sender(node, id);
                if (!answered.contains(sender)) {
                    silent.add(sender);
                }
            }
        }
        return silent;
    }

    private String sender(int node, String id) {
        return id + " through " + nodes.get(node);
    }

    /** Sends no more, and waits for what is under way. */
    public void stop() {
        ended = true;
        Waiting.until("all requests have ended", LONGEST_REQUEST.multipliedBy(3), recorder::isQuiet);
    }

    @Override
    public void close() {
        ended = true;
        executor.shutdownNow();
    }

    private final class Client {
        private final int node;
        private final String id;
        private final Random random;
        private long number;

        Client(int node, String id, Random random) {
            this.node = node;
            this.id = id;
            this.random = random;
        }

        void send() {
            if (ended) {
                return;
            }
            long amount = random.nextInt(ONE_QUESTION_IN) == 0 ? 0 : 1 + random.nextInt(LARGEST_AMOUNT);
            var path =
                    "/counters/" + id + (amount == 0 ? "" : "/add/" + amount) + "?timeoutMs=" + ASK_DEADLINE.toMillis();
            var message = HttpRequest.newBuilder(nodes.get(node).resolve(path))
                    .method(amount == 0 ? "GET" : "POST", HttpRequest.BodyPublishers.noBody())
                    .timeout(LONGEST_REQUEST)
                    .build();
            var request = new Request(sender(node, id), id, amount, ++number, System.nanoTime());
            recorder.begin(request);
            var unused = http.sendAsync(message, HttpResponse.BodyHandlers.ofString())
                    .whenComplete((response, failure) -> {
                        recorder.end(request, exchange(request, response, failure));
                        again();
                    });
        }

        private void again() {
            if (!ended) {
                after(pause.toMillis(), this::send);
            }
        }
    }

    private static Exchange exchange(
            Request request, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        long now = System.nanoTime();
        if (response == null) {
            var cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException
                    ? request.notSent(now, String.valueOf(cause))
                    : request.silent(now, String.valueOf(cause));
        }
        try {
            var body = new JsonObject(response.body());
            return response.statusCode() == 200
                    ? request.answered(now, state(body))
                    : request.refused(now, response.statusCode() + " " + body.getString("error"));
        } catch (DecodeException | ClassCastException | NullPointerException e) {
            return request.refused(now, response.statusCode() + " with a body that means nothing");
        }
    }

    private static Exchange.State state(JsonObject json) {
        var token = json.getJsonObject("token");
        return new Exchange.State(
                json.getLong("value"), json.getString("incarnation"), token.getLong("term"), token.getLong("sequence"));
    }
}
