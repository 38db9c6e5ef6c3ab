package io.shardbus.core.splitbrain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The nodes that are missing from a cache's last topology")
class MissingNodesTest {
    private static final NodeId OWN = new NodeId("own");
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private static void expect(
            boolean gone, Set<NodeId> topology, List<NodeId> view, Set<NodeId> left, boolean merging) {
        var missing = new MissingNodes(topology, Set.of(OWN), view);
        assertEquals(gone, missing.areGone(left::contains, merging), missing::toString);
    }

    @Test
    @DisplayName("are gone when each has left or is given up")
    void areGone() {
        expect(false, Set.of(OWN, A, B), List.of(OWN), Set.of(A), false);
        expect(true, Set.of(OWN, A, B), List.of(OWN), Set.of(A, B), false);
    }

    @Test
    @DisplayName("are not gone while one is back in the view")
    void isBack() {
        expect(false, Set.of(OWN, A, B), List.of(OWN, A), Set.of(A, B), false);
    }

    @Test
    @DisplayName("are not gone after a merge with a side that the topology does not name, which may have gone on")
    void isBackAndNotNamed() {
        expect(false, Set.of(OWN), List.of(OWN, A), Set.of(), true);
        expect(false, Set.of(OWN, B), List.of(OWN, A), Set.of(B), true);
        expect(true, Set.of(OWN), List.of(OWN, A), Set.of(A), true);
        expect(true, Set.of(OWN), List.of(OWN), Set.of(), true);
    }

    @Test
    @DisplayName("are gone without a merge, also beside a member that has not joined the cache")
    void newcomer() {
        expect(true, Set.of(OWN), List.of(OWN, A), Set.of(), false);
    }
}
