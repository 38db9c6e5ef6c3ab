package io.shardbus.core.control;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.NodeId;

/** Control planes for tests, where the caches alone decide about splits, and the node is alone with its seat. */
final class ControlPlanes {
    static final NodeId SELF = new NodeId("a");

    private static final ElapsedTime CLOCK = ElapsedTime.from(new ClockReading(0, 0, ClockReading.NO_BOOT, 0));
    private static final LeaseTimes TIMES = new LeaseTimes(2_000, 300, true);

    private ControlPlanes() {}

    /** The control plane of {@link #SELF} at the moment 0. */
    static NodeControl begin() {
        return new NodeControl(
                new NodeSetup(SELF, 1, true, Seats.ALONE, TIMES, 0, true, false, "keep-majority"),
                null,
                (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
                at(0));
    }

    /** @param now elapsed and wall-clock milliseconds */
    static Moment at(long now) {
        return new Moment(now, now, CLOCK);
    }
}
