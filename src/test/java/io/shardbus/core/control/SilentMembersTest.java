package io.shardbus.core.control;

import static io.shardbus.core.control.ControlPlanes.SELF;
import static io.shardbus.core.control.ControlPlanes.at;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node")
class SilentMembersTest {
    private static final NodeId OTHER = new NodeId("b");
    private static final PeerAttributes SAID = new PeerAttributes(Set.of(), true, null);

    private final NodeControl control = ControlPlanes.begin();

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
