package benchmark;

import io.shardbus.ShardRegion;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.StateCodec;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Entities that were passivated and are asked again, with and without snapshots, beside plain reads of the same rows.
 */
final class RecoverRun {
    private static final int SHORT = 10;
    /** Events that one command stores. */
    private static final int COMMAND = 500;

    private static final int WINDOW = 512;
    /** As many ids as one read of Shardbus has. */
    private static final int IDS = 64;
    /** Asks a second to other entities of the same node. */
    private static final int OTHERS = 500;

    private final int rounds;
    private final int entities;
    private final int events;

    RecoverRun(Arguments told) {
        this.rounds = told.number("rounds", 5, 1, 1000);
        this.entities = told.number("entities", 5000, 1, 1_000_000);
        this.events = told.number("events", 50_000, COMMAND, 10_000_000) / COMMAND * COMMAND;
    }

    void run(StoreUnderTest under) throws Exception {
        for (boolean snapshots : List.of(false, true)) {
            many(under, snapshots);
            one(under, snapshots);
        }
    }

    private static EventSourced<CounterMessage, ?, ?> type(String name, boolean snapshots, int every) {
        var type = StoredCounter.type(name);
        return snapshots ? type.withSnapshots(StateCodec.json(Long.class), every) : type;
    }

    private void many(StoreUnderTest under, boolean snapshots) throws Exception {
        var name = "recover-many-" + snapshots;
        var region = under.start(type(name, snapshots, SHORT));
        var ids = IntStream.range(0, entities).mapToObj(i -> "e-" + i).toList();
        all(under, region, ids, StoredCounter.add(SHORT));
        all(under, region, ids, StoredCounter.LEAVE);
        int reads = (entities + IDS - 1) / IDS;
        var medians = new Medians();
        for (int round = 0; round <= rounds; round++) {
            var floor = Loop.times(
                    reads,
                    2 * under.floor().chains(),
                    under::cpuSeconds,
                    read -> under.floor()
                            .load(
                                    read % under.floor().chains(),
                                    name,
                                    ids.subList(read * IDS, Math.min(entities, (read + 1) * IDS)),
                                    snapshots));
            try (var others = new AskStream(under.node(), new String[] {"other-1", "other-2"}, OTHERS)) {
                var asks = all(under, region, ids, StoredCounter.READ);
                double floorPerSecond = floor.perSecond() * entities / reads;
                medians.add("entities_per_s", asks.perSecond())
                        .add("events_per_s", asks.perSecond(SHORT))
                        .add("floor_entities_per_s", floorPerSecond)
                        .add("of_floor", asks.perSecond() / floorPerSecond)
                        .add("", asks.times())
                        .add("other_asks_p99_ms", others.cut().times().millis(0.99));
            }
            all(under, region, ids, StoredCounter.LEAVE);
        }
        System.out.println("recover store=" + under.name() + " entities=" + entities + " events=" + SHORT
                + " snapshots=" + snapshots + " " + medians);
    }

    private static Loop.Measured all(
            StoreUnderTest under,
            ShardRegion<CounterMessage> region,
            List<String> ids,
            CounterMessage.AddAndGet command)
            throws Exception {
        return Loop.times(
                ids.size(),
                WINDOW,
                under::cpuSeconds,
                i -> region.entityRef(ids.get(i))
                        .ask(command)
                        .compose(sum -> sum == SHORT
                                ? Future.succeededFuture(sum)
                                : Future.failedFuture(ids.get(i) + " has " + sum + " events, and not " + SHORT)));
    }

    private void one(StoreUnderTest under, boolean snapshots) throws Exception {
        var name = "recover-one-" + snapshots;
        // the last snapshot is a thousand events or less before the end
        var region = under.start(type(name, snapshots, 2 * COMMAND));
        var entity = region.entityRef("long");
        for (int stored = 0; stored < events; stored += COMMAND) {
            StoreUnderTest.await(entity.ask(StoredCounter.add(COMMAND)));
        }
        StoreUnderTest.await(entity.ask(StoredCounter.LEAVE));
        var medians = new Medians();
        for (int round = 0; round <= rounds; round++) {
            long begin = System.nanoTime();
            pages(under, name, 0);
            double floor = seconds(begin);
            begin = System.nanoTime();
            long sum = StoreUnderTest.await(entity.ask(StoredCounter.READ));
            double asked = seconds(begin);
            if (sum != events) {
                throw new IllegalStateException(sum + " events were read, and not " + events);
            }
            medians.add("recovered_ms", asked * 1e3)
                    .add("events_per_s", events / asked)
                    .add("floor_events_per_s", events / floor)
                    .add("of_floor", floor / asked);
            StoreUnderTest.await(entity.ask(StoredCounter.LEAVE));
        }
        System.out.println("recover store=" + under.name() + " entities=1 events=" + events + " snapshots=" + snapshots
                + " " + medians);
    }

    /** The floor reads all events, also where the entity needs only those behind its snapshot. */
    private static void pages(StoreUnderTest under, String name, long from) throws Exception {
        long after = from;
        for (long last = -1; last != 0; ) {
            last = StoreUnderTest.await(under.floor().page(name, "long", after));
            after = last;
        }
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }
}
