package io.shardbus.verify;

import io.shardbus.history.CounterHistory;
import io.shardbus.history.Exchange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Clients use the counters of a cluster on this machine on every node, while one fault after the other happens to it.
 */
public final class FaultSession implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration CALM = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETURN = Duration.ofSeconds(60);
    private static final Duration SHARDS_RETURN = Duration.ofSeconds(12);

    /** Counters that an earlier session used do not begin at 0. */
    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private final LocalCluster cluster;
    private final CounterClients clients;

    private FaultSession(LocalCluster cluster, CounterClients clients) {
        this.cluster = cluster;
        this.clients = clients;
    }

    /** Starts clients for so many new counters. The session does not close the cluster. */
    public static FaultSession start(LocalCluster cluster, int counters) {
        int number = SESSIONS.incrementAndGet();
        var ids = IntStream.rangeClosed(1, counters)
                .mapToObj(i -> "s" + number + "-" + i)
                .toList();
        var session = new FaultSession(cluster, CounterClients.start(cluster.urls(), ids, PAUSE));
        session.untilAllAnswer(System.nanoTime());
        return session;
    }

    public CounterClients clients() {
        return clients;
    }

    /** Lets a fault happen to a node, and waits until all is well again, or does not get well in time. */
    public FaultRun run(Fault fault, int target) {
        return run(fault, target, () -> fault.happenTo(target, cluster, this::answersWithout));
    }

    /** The same for something that the caller lets happen to a node. */
    public FaultRun run(Fault fault, int target, Runnable happening) {
        boolean coordinator = cluster.coordinator() == target;
        Waiting.pass(CALM);
        long from = System.nanoTime();
        happening.run();
        long healed = System.nanoTime();
        untilAllAnswer(healed);
        boolean whole = Waiting.comesTrue(LONGEST_RETURN, cluster::isWhole);
        var silent = untilAllAnswer(whole ? System.nanoTime() : healed);
        var seen = Seen.of(clients.ids(), clients.exchanges(), from, System.nanoTime());
        var since = Seen.of(clients.ids(), clients.exchanges(), healed, System.nanoTime());
        Waiting.comesTrue(SHARDS_RETURN, () -> shards(target) > 0);
        return new FaultRun(
                fault,
                target,
                coordinator,
                seen,
                since.silenceMs(),
                CounterHistory.wrongIn(clients.exchanges()),
                silent,
                whole,
                shards(target));
    }

    private int shards(int target) {
        int asked = cluster.numbers().stream()
                .filter(number -> number != target)
                .findFirst()
                .orElse(target);
        return cluster.shardsOf(target, asked);
    }

    /** Which ids have not answered requests sent since a moment through every node, after a long wait. */
    public List<String> untilAllAnswer(long since) {
        Waiting.comesTrue(LONGEST_RETURN, () -> clients.silentSince(since).isEmpty());
        return clients.silentSince(since);
    }

    /** Whether all ids have answered requests that were sent through the other nodes since a moment. */
    public boolean answersWithout(int node, long since) {
        var url = cluster.node(node).uri("/").toString();
        return clients.silentSince(since).stream().allMatch(sender -> sender.endsWith(url));
    }

    /** Ends the traffic; what its history shows that must not be. */
    public List<String> end() {
        clients.stop();
        return CounterHistory.wrongIn(clients.exchanges());
    }

    /** Keeps the history, the logs of all nodes, and what the threads of those that live do. */
    public void save(Path directory) {
        var lines = new ArrayList<String>();
        lines.add("id\tsender\tamount\tsent\tanswered\tvalue\tincarnation\tterm\tsequence\tfailure");
        clients.exchanges().forEach(exchange -> lines.add(line(exchange)));
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve("history.tsv"), lines);
            cluster.save(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Exchange exchange) {
        var request = exchange.id() + "\t" + exchange.sender() + "\t" + exchange.amount() + "\t" + exchange.sent()
                + "\t" + exchange.answered() + "\t";
        var state = exchange.state();
        return state == null
                ? request + "\t\t\t\t" + exchange.failure()
                : request + state.value() + "\t" + state.incarnation() + "\t" + state.term() + "\t" + state.sequence()
                        + "\t";
    }

    @Override
    public void close() {
        clients.close();
    }
}
