package io.shardbus.launcher.demo;

import io.shardbus.model.ShardHash;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Script of the demo: a cluster of three nodes, traffic, a fourth node that joins, one that leaves, and the proof that
 * no message was lost on the way. Told in plain lines.
 */
public final class DemoStory {
    private static final String LEAVER = "B";
    private static final long LISTEN_MS = 1500;
    private static final int MOST_SHOWN = 3;

    private final FlightLog log = FlightLog.read();
    private final DemoCluster cluster = new DemoCluster();
    private final DemoTraffic traffic = new DemoTraffic(log);
    private final Consumer<String> out;

    /** @param out takes the lines */
    public DemoStory(Consumer<String> out) {
        this.out = out;
    }

    /** Starts the first node, which stays to the end. */
    public Future<DemoNode> begin() {
        say(
                "%,d real flights between %d airports. An airport is an entity; a flight is a message to two of them.",
                log.flights().size(), log.cities().size());
        return cluster.startFirst();
    }

    /** The rest; fails if something was lost. */
    public Future<Void> tell() {
        Promise<Void> told = Promise.promise();
        cluster.context()
                .runOnContext(go -> threeNodes()
                        .compose(done -> listen())
                        .compose(done -> fourth())
                        .compose(done -> listen())
                        .compose(done -> goodbye())
                        .compose(done -> listen())
                        .compose(done -> traffic.end())
                        .compose(done -> count())
                        .onComplete(told));
        return told.future();
    }

    /** Ends the cluster; not needed where the process ends. */
    public Future<Void> end() {
        return cluster.end();
    }

    private Future<Void> threeNodes() {
        return cluster.start("B", "C")
                .compose(started -> cluster.isReady())
                .compose(ready -> {
                    cluster.nodes().forEach(traffic::sendFrom);
                    traffic.start(cluster.first().vertx());
                    return cluster.isEven(shards(), 3);
                })
                .onSuccess(state ->
                        say("Nodes A, B and C run; flights come in on all of them. Shards: %s.", cluster.shares(state)))
                .mapEmpty();
    }

    private Future<Void> fourth() {
        return cluster.start("D")
                .compose(started -> {
                    traffic.sendFrom(cluster.node("D"));
                    return cluster.isEven(shards(), 4);
                })
                .onSuccess(state ->
                        say("Node D joined, and shards moved to it under full traffic: %s.", cluster.shares(state)))
                .mapEmpty();
    }

    private Future<Void> goodbye() {
        var leaver = cluster.node(LEAVER);
        return traffic.stopSendingFrom(leaver)
                .compose(done -> cluster.leave(leaver))
                .compose(done -> cluster.isEven(shards(), 3))
                .onSuccess(state -> say(
                        "Node %s left in good order, its shards went to the others: %s.",
                        LEAVER, cluster.shares(state)))
                .mapEmpty();
    }

    /** Not every shard has an airport. */
    private int shards() {
        int numberOfShards = cluster.first().airports().numberOfShards();
        return (int) log.cities().keySet().stream()
                .mapToInt(code -> ShardHash.shard(code, numberOfShards))
                .distinct()
                .count();
    }

    private Future<Void> listen() {
        Promise<Void> over = Promise.promise();
        cluster.first().vertx().setTimer(LISTEN_MS, timer -> over.complete());
        return over.future();
    }

    private Future<Void> count() {
        var answers = new LinkedHashMap<String, Future<AirportTotals>>();
        log.cities().keySet().forEach(code -> answers.put(code, totals(code)));
        return Future.all(List.copyOf(answers.values())).compose(all -> {
            var counted = answers.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().result()));
            report(counted);
            return verdict(counted.values().stream().reduce(AirportTotals.NONE, AirportTotals::plus));
        });
    }

    private Future<AirportTotals> totals(String code) {
        return cluster.first().airports().entityRef(code).ask(new AirportMessage.GetTotals());
    }

    private void report(Map<String, AirportTotals> counted) {
        var busiest = counted.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> -entry.getValue().departures()))
                .limit(MOST_SHOWN)
                .map(entry -> String.format(
                        Locale.ROOT,
                        "%s %,d departures, arrivals %.1f minutes late",
                        log.cities().get(entry.getKey()),
                        entry.getValue().departures(),
                        (double) entry.getValue().minutesLate()
                                / entry.getValue().arrivals()))
                .collect(Collectors.joining("; "));
        say("The busiest airports: %s.", busiest);
    }

    private Future<Void> verdict(AirportTotals counted) {
        var sent = traffic.sent();
        if (!traffic.failures().isEmpty() || !counted.equals(sent)) {
            return Future.failedFuture("sent " + sent + ", counted " + counted + ", failed " + traffic.failures());
        }
        say(
                "Sent %,d flights (%,d messages), none failed; the airports counted %,d departures, %,d arrivals "
                        + "and %,d"
                        + " minutes late, as many as were sent: nothing was lost or counted twice.",
                sent.departures(),
                sent.departures() + sent.arrivals(),
                counted.departures(),
                counted.arrivals(),
                counted.minutesLate());
        return Future.succeededFuture();
    }

    private void say(String text, Object... values) {
        out.accept(String.format(Locale.ROOT, text, values));
    }
}
