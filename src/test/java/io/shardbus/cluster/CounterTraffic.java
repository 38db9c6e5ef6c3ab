package io.shardbus.cluster;

import io.shardbus.history.Exchange;
import io.shardbus.verify.CounterNodeProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Clients that send requests to counters, without a pause longer than a few milliseconds, to the nodes that they are
 * given. A node that ends its connections for a while is leaving, and they look elsewhere: a port that is closed while
 * connections arrive resets the last of them.
 */
final class CounterTraffic implements AutoCloseable {
    private static final int CLIENTS = 6;
    private static final List<String> COUNTERS =
            IntStream.range(0, 60).mapToObj(n -> "counter-" + n).toList();
    private static final int LARGEST_AMOUNT = 9;
    private static final int CONNECTIONS_ENDED = 30;
    private static final long THINK_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(20);

    private final List<CounterNodeProcess> nodes = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<CounterNodeProcess, AtomicInteger> goodbyes = new ConcurrentHashMap<>();
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean ended;

    CounterTraffic(List<CounterNodeProcess> nodes) {
        this.nodes.addAll(nodes);
        for (int i = 0; i < CLIENTS; i++) {
            var client = new Thread(this::send, "client-" + i);
            clients.add(client);
            client.start();
        }
    }

    /** The ids of the counters. */
    static List<String> counters() {
        return COUNTERS;
    }

    void use(CounterNodeProcess node) {
        nodes.add(node);
    }

    void useNoMore(CounterNodeProcess node) {
        nodes.remove(node);
    }

    /** What was answered or has failed so far. */
    List<Exchange> exchanges() {
        return List.copyOf(exchanges);
    }

    /** What has failed since a moment, by {@link System#nanoTime}. */
    List<Exchange> failedSince(long moment) {
        return exchanges.stream()
                .filter(exchange -> exchange.answered() >= moment && exchange.failure() != null)
                .toList();
    }

    @Override
    public void close() {
        ended = true;
        clients.forEach(client -> {
            try {
                client.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private void send() {
        var http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        while (!ended) {
            var present = List.copyOf(nodes);
            exchange(http, present.get(ThreadLocalRandom.current().nextInt(present.size())));
            LockSupport.parkNanos(THINK_NANOS);
        }
    }

    private void exchange(HttpClient http, CounterNodeProcess node) {
        var random = ThreadLocalRandom.current();
        var id = COUNTERS.get(random.nextInt(COUNTERS.size()));
        long amount = random.nextInt(5) == 0 ? 0 : random.nextInt(1, LARGEST_AMOUNT);
        var request = HttpRequest.newBuilder(node.uri("/counters/" + id + (amount == 0 ? "" : "/add/" + amount)))
                .method(amount == 0 ? "GET" : "POST", HttpRequest.BodyPublishers.noBody())
                .timeout(LONGEST_REQUEST)
                .build();
        long sent = System.nanoTime();
        Exchange.State state = null;
        Exchange.Failure failure = null;
        try {
            var response = http.send(request, HttpResponse.BodyHandlers.ofString());
            noteGoodbye(node, response);
            state = response.statusCode() == 200 ? state(new JsonObject(response.body())) : null;
            failure = state == null ? new Exchange.Failure(false, response.statusCode() + " " + response.body()) : null;
        } catch (ConnectException e) {
            nodes.remove(node);
            failure = new Exchange.Failure(true, e.toString());
        } catch (IOException e) {
            failure = new Exchange.Failure(false, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchanges.add(new Exchange(node.toString(), id, amount, 0, sent, System.nanoTime(), state, failure));
    }

    private void noteGoodbye(CounterNodeProcess node, HttpResponse<?> response) {
        if (response.headers().firstValue("Connection").filter("close"::equals).isPresent()
                && goodbyes.computeIfAbsent(node, key -> new AtomicInteger()).incrementAndGet() == CONNECTIONS_ENDED) {
            useNoMore(node);
        }
    }

    private static Exchange.State state(JsonObject json) {
        var token = json.getJsonObject("token");
        return new Exchange.State(
                json.getLong("value"), json.getString("incarnation"), token.getLong("term"), token.getLong("sequence"));
    }
}
