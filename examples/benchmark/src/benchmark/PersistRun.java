package benchmark;

import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Commands that store an event each, beside plain inserts of the same rows by the same client: floor and entities take
 * turns.
 */
final class PersistRun {
    private static final List<Integer> ENTITIES = List.of(1, 16, 128, 1000);
    /** Chains that ask the same entity. */
    private static final int HOT = 256;
    /** Of a batch of Shardbus. */
    private static final int MOST_ROWS = 1000;

    private final int rounds;
    private final double seconds;
    private final List<Integer> entities;

    PersistRun(Arguments told) {
        this.rounds = told.number("rounds", 5, 1, 1000);
        this.seconds = Double.parseDouble(told.get("seconds", "3"));
        this.entities = told.has("entities") ? List.of(told.number("entities", 1, 1, 100_000)) : ENTITIES;
    }

    void run(StoreUnderTest under) throws Exception {
        var region = under.start(StoredCounter.type("persist"));
        for (int count : entities) {
            var ids = IntStream.range(0, count).mapToObj(i -> "e-" + i).toList();
            measure(under, region, ids, count);
        }
        measure(under, region, List.of("hot"), HOT);
    }

    private void measure(StoreUnderTest under, ShardRegion<CounterMessage> region, List<String> ids, int window)
            throws Exception {
        int chains = Math.min(window, under.floor().chains());
        int rows = Math.min(MOST_ROWS, window / chains);
        List<EntityRef<CounterMessage>> refs =
                ids.stream().map(region::entityRef).toList();
        var medians = new Medians();
        for (int round = 0; round <= rounds; round++) {
            var floor = Loop.during(
                    seconds, chains, under::cpuSeconds, chain -> under.floor().insert(chain, rows));
            var asks = Loop.during(
                    seconds,
                    window,
                    under::cpuSeconds,
                    chain -> refs.get(chain % refs.size()).ask(StoredCounter.ADD));
            medians.add("events_per_s", asks.perSecond())
                    .add("floor_per_s", floor.perSecond(rows))
                    .add("of_floor", asks.perSecond() / floor.perSecond(rows))
                    .add("", asks.times())
                    .add("floor_batch_p50_us", floor.times().micros(0.5))
                    .add(
                            "more_than_floor_p50_us",
                            asks.times().micros(0.5) - floor.times().micros(0.5))
                    .add("events_per_cpu_s", asks.perCpuSecond(1))
                    .add("floor_per_cpu_s", floor.perCpuSecond(rows));
        }
        System.out.println("persist store=" + under.name() + " entities=" + ids.size() + " window=" + window
                + " floor_rows=" + rows + " " + medians);
    }
}
