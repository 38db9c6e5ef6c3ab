package io.shardbus.core.control;

import static io.shardbus.core.control.ControlPlanes.SELF;
import static io.shardbus.core.control.ControlPlanes.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node that has left its cluster while it shards")
class EndedMembershipTest {
    private final NodeControl control = ControlPlanes.begin();

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
