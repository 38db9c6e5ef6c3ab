package benchmark;

import io.shardbus.core.passivation.PassivationSettings;
import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Climbing;
import io.shardbus.core.passivation.PassivationSettings.Idle;
import io.shardbus.core.passivation.PassivationSettings.Order;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import io.shardbus.core.passivation.PassivationSettings.Sketch;
import io.shardbus.core.passivation.PassivationSettings.Window;
import java.util.List;

/** A way to put entities away, with the defaults of docs/guides/passivation.md. */
record Policy(String name, PassivationSettings settings) {
    static List<Policy> all(int limit) {
        var segments = new Replacing(Order.LEAST_RECENT, List.of(0.2, 0.8));
        var admission = new Admission(
                new Window(Replacing.RECENT, 0.01, 0.01, 1),
                new Sketch(4, 4, 4, 10),
                new Climbing(10, 0.0625, 0.05, 0.98));
        return List.of(
                new Policy("idle", new PassivationSettings(new Idle(limit, Math.max(1, limit / 2)), null)),
                limited("lru", limit, Replacing.RECENT, null),
                limited("segmented-lru", limit, segments, null),
                limited("mru", limit, new Replacing(Order.MOST_RECENT, List.of()), null),
                limited("lfu", limit, new Replacing(Order.LEAST_FREQUENT, List.of()), null),
                limited("lfu-aging", limit, new Replacing(Order.LEAST_FREQUENT_AGING, List.of()), null),
                limited("composite", limit, segments, admission));
    }

    private static Policy limited(String name, int limit, Replacing main, Admission admission) {
        return new Policy(name, new PassivationSettings(null, new ActiveLimit(limit, main, admission)));
    }
}
