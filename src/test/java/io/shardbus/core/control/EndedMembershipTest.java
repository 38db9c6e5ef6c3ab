package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.NodeId;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node that has left its cluster while it shards")
class EndedMembershipTest {
    private static final NodeId SELF = new NodeId("a");
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

    @Test
    @DisplayName("forbids its regions to run at once, whatever its last views say, and does not permit it again")
    void forbidsItsRegionsToRun() {
        control.viewChanged(List.of(SELF), true, false, at(0));
        assertNull(control.refusal());
        assertEquals(List.of(new NodeCommand.Permit("why")), control.membershipEnded("why", at(1)));
        control.viewChanged(List.of(SELF), true, true, at(2));
        control.tick(at(3));
        assertEquals("why", control.refusal());
    }
}
