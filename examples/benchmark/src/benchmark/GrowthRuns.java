package benchmark;

import java.nio.file.Path;
import java.util.Locale;

/** What grows: shards, entities, nodes, sizes of messages; and what the cluster does with many of them. */
final class GrowthRuns {
    private GrowthRuns() {}

    static void run(Arguments told, Path logs) throws Exception {
        switch (told.word(1)) {
            case "shards" -> new GrowthOfCost(told, logs).shards();
            case "entities" -> new GrowthOfCost(told, logs).entities();
            case "memory" -> new IdleMemory(told).run();
            case "nodes" -> new GrowthOfCost(told, logs).nodes();
            case "size" -> new GrowthOfCost(told, logs).sizes();
            case "allocation" -> new AllocationRun(told, logs).run();
            case "rebalance" -> new RebalanceRun(told, logs).run();
            case "takeover" -> new TakeoverRun(told, logs).run();
            case "idle" -> new IdleRun(told, logs).run();
            default ->
                throw new IllegalArgumentException(
                        "growth of what? shards, entities, memory, nodes, size, allocation, rebalance, takeover or idle");
        }
    }

    static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
