package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A goodbye")
class GoodbyeTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final ElapsedTime CLOCK = ElapsedTime.from(new ClockReading(0, 0, ClockReading.NO_BOOT, 0));
    private static final LeaseTimes TIMES = new LeaseTimes(2_000, 300, true);

    private final NodeControl control = new NodeControl(
            new NodeSetup(SELF, 1, true, Seats.ALONE, TIMES, 0, true, false, "keep-majority"),
            null,
            (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
            at(0));

    private static Moment at(long now) {
        return new Moment(now, now, CLOCK);
    }

    private Set<NodeId> withoutLeases() {
        return control.election().holders().farewells().keySet();
    }

    @Test
    @DisplayName("of a node whose code runs on excuses its absence, and does not end its leases")
    void ofANodeWhoseCodeRunsOn() {
        control.viewChanged(List.of(SELF, OTHER), true, false, at(0));
        control.forNode(OTHER, new NodeMessage.NodeLeaving(OTHER, false), at(1));
        assertTrue(control.peers().status(OTHER).isDeparting());
        assertEquals(Set.of(), withoutLeases(), "its leases are awaited");
        control.forNode(OTHER, new NodeMessage.NodeLeaving(OTHER, true), at(2));
        assertEquals(Set.of(OTHER), withoutLeases());
    }
}
