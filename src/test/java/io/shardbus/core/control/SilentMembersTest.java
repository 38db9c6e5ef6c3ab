package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node")
class SilentMembersTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final ElapsedTime CLOCK = ElapsedTime.from(new ClockReading(0, 0, ClockReading.NO_BOOT, 0));
    private static final LeaseTimes TIMES = new LeaseTimes(2_000, 300, true);
    private static final PeerAttributes SAID = new PeerAttributes(Set.of(), true, null);

    private final NodeControl control = new NodeControl(
            new NodeSetup(SELF, 1, true, Seats.ALONE, TIMES, 0, true, false, "keep-majority"),
            null,
            (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
            at(0));

    private static Moment at(long now) {
        return new Moment(now, now, CLOCK);
    }

    @Test
    @DisplayName("does not wait for a member whose sharding has ended without a goodbye, once it is silent for long")
    void doesNotWaitForASilentMember() {
        control.viewChanged(List.of(OTHER, SELF), true, false, at(0));
        control.countedChanged(Set.of(OTHER, SELF), at(0));
        control.attributesChanged(Map.of(SELF, SAID, OTHER, SAID), at(0));
        control.attributesChanged(Map.of(SELF, SAID), at(1_000));
        control.tick(at(1_000 + SilentMembers.LONGEST_PAUSE - 1));
        assertEquals(Set.of(OTHER), control.dependents().candidates());
        control.tick(at(1_000 + SilentMembers.LONGEST_PAUSE));
        assertEquals(Dependents.NONE, control.dependents());
        control.viewChanged(List.of(SELF), true, false, at(40_000));
        control.viewChanged(List.of(OTHER, SELF), true, true, at(41_000));
        assertEquals(Set.of(OTHER), control.dependents().candidates(), "it may be published after the merge");
    }
}
