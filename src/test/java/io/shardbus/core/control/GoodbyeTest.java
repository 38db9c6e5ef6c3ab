package io.shardbus.core.control;

import static io.shardbus.core.control.ControlPlanes.SELF;
import static io.shardbus.core.control.ControlPlanes.at;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A goodbye")
class GoodbyeTest {
    private static final NodeId OTHER = new NodeId("b");

    private final NodeControl control = ControlPlanes.begin();

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
