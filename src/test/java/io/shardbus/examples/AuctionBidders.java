package io.shardbus.examples;

import io.shardbus.integration.Await;
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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that bid on auctions, together 200 times a second, through any node, and compare each answer with what they
 * were answered before. Each auction has one bidder: it knows how many bids the auction has taken.
 */
final class AuctionBidders implements AutoCloseable {
    private static final int CLIENTS = 8;
    private static final int GOAL_PER_SECOND = 200;
    private static final int AUCTIONS = 40;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<CounterNodeProcess> targets = new CopyOnWriteArrayList<>();
    /** Nodes that are about to be stopped, unknown to the clients. */
    private final Set<CounterNodeProcess> inUse = ConcurrentHashMap.newKeySet();

    private final List<Thread> clients = new ArrayList<>();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong slowestNanos = new AtomicLong();
    private final ConcurrentHashMap<String, Long> failures = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    /**
     * What clients saw while something happened.
     *
     * @param failures requests that failed, by status and code
     * @param lost auctions that had forgotten bids which were answered
     */
    record Seen(
            String event,
            long requests,
            long perSecond,
            Map<String, Long> failures,
            List<String> lost,
            long slowestMs) {
        String row() {
            return "| " + event + " | " + requests + " | " + perSecond + " | "
                    + failures.values().stream().mapToLong(count -> count).sum() + " " + failures + " | " + lost.size()
                    + " | " + slowestMs + " |";
        }
    }

    AuctionBidders(List<CounterNodeProcess> nodes) {
        targets.addAll(nodes);
        for (int client = 0; client < CLIENTS; client++) {
            int first = client;
            var thread = new Thread(() -> bid(first), "bidder-" + client);
            clients.add(thread);
            thread.start();
        }
    }

    /** What one bidder knows of its auction. */
    private static final class Known {
        private long amount;
        private long bids;
        /** Whether the outcome of a bid since is not known. */
        private boolean unsure;

        /** Whether the auction has all bids that were answered. */
        boolean has(long now) {
            boolean good = now == bids + 1 || unsure && now >= bids + 1;
            bids = now;
            unsure = false;
            return good;
        }
    }

    private void bid(int client) {
        var auctions = new TreeMap<Integer, Known>();
        long pause = TimeUnit.SECONDS.toNanos(CLIENTS) / GOAL_PER_SECOND;
        long next = System.nanoTime();
        while (!ended) {
            for (int auction = client; auction < AUCTIONS && !ended; auction += CLIENTS) {
                var known = auctions.computeIfAbsent(auction, key -> new Known());
                one("lot-" + auction, known);
                // a client that was held up does not catch up by a burst
                next = Math.max(next + pause, System.nanoTime() - pause);
                LockSupport.parkNanos(next - System.nanoTime());
            }
        }
    }

    private void one(String id, Known known) {
        long begun = System.nanoTime();
        try {
            var answer = send(id, ++known.amount);
            var body = new JsonObject(answer.body());
            if (answer.statusCode() != 200) {
                known.unsure = true;
                fail(answer.statusCode() + " " + body.getString("error"));
            } else if (!known.has(body.getLong("bids"))) {
                lost.add(id);
            }
        } catch (IOException e) {
            known.unsure = true;
            fail("no answer: " + e.getClass().getSimpleName());
        } finally {
            sent.incrementAndGet();
            slowestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        }
    }

    private void fail(String why) {
        failures.merge(why, 1L, Long::sum);
    }

    private HttpResponse<String> send(String id, long amount) throws IOException {
        var target = targets.get(ThreadLocalRandom.current().nextInt(targets.size()));
        try {
            return send(target, id, amount);
        } catch (ConnectException refused) {
            if (!inUse.contains(target)) {
                throw refused;
            }
            // nothing was sent: the client goes to another node
            targets.remove(target);
            return send(id, amount);
        }
    }

    private HttpResponse<String> send(CounterNodeProcess to, String id, long amount) throws IOException {
        var bid = new JsonObject().put("bidder", "bidder").put("amount", amount);
        var request = HttpRequest.newBuilder(to.uri("/auctions/" + id + "/bids"))
                .POST(HttpRequest.BodyPublishers.ofString(bid.encode()))
                .timeout(Duration.ofSeconds(20))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** What a load balancer does with a node that is about to be stopped, or does not answer its checks. */
    void leaving(CounterNodeProcess node) {
        targets.remove(node);
    }

    /** The clients are not told: they use the node until it refuses their connections. */
    void leavingUntold(CounterNodeProcess node) {
        inUse.add(node);
    }

    void joined(CounterNodeProcess node) {
        targets.add(node);
    }

    /** Waits for so many more requests. */
    void await(int more) {
        long goal = sent.get() + more;
        Await.until(failures::toString, () -> sent.get() >= goal);
    }

    /** What was seen from a little before the event until a little after it. */
    Seen during(String event, Runnable action) {
        failures.clear();
        lost.clear();
        slowestNanos.set(0);
        long first = sent.get();
        long begun = System.nanoTime();
        await(2 * GOAL_PER_SECOND);
        action.run();
        await(2 * GOAL_PER_SECOND);
        long requests = sent.get() - first;
        return new Seen(
                event,
                requests,
                requests * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begun),
                new TreeMap<>(failures),
                lost.stream().distinct().sorted().toList(),
                TimeUnit.NANOSECONDS.toMillis(slowestNanos.get()));
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
}
