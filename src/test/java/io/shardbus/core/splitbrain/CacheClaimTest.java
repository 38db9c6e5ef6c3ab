package io.shardbus.core.splitbrain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.splitbrain.CacheClaim.Cache;
import io.shardbus.core.splitbrain.CacheClaim.Verdict;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The claim of a side to the caches")
class CacheClaimTest {
    private static final NodeId OWN = new NodeId("own");
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final List<NodeId> ALONE = List.of(OWN);

    private final CacheClaim claim = new CacheClaim();

    private static Cache denied(NodeId... topology) {
        return new Cache(false, Set.of(topology), Set.of(OWN));
    }

    private Verdict look(List<NodeId> members, boolean acts) {
        return claim.look(denied(OWN, A, B), members, acts);
    }

    @Test
    @DisplayName("is made by the acting node alone, when each missing member said goodbye or is given up")
    void claims() {
        assertEquals(Verdict.UNAVAILABLE, look(ALONE, true));
        claim.said(A);
        assertEquals(Verdict.UNAVAILABLE, look(ALONE, true), "b may go on");
        claim.goOnWithout(Set.of(B));
        assertEquals(Verdict.UNAVAILABLE, look(ALONE, false));
        assertEquals(Verdict.CLAIM, look(ALONE, true));
        assertEquals(Verdict.AVAILABLE, claim.look(new Cache(true, Set.of(OWN), Set.of(OWN)), ALONE, true));
    }

    @Test
    @DisplayName("does not outlast the return of a member that was given up: lost again, it may go on")
    void returns() {
        claim.said(A);
        claim.goOnWithout(Set.of(B));
        assertEquals(Verdict.UNAVAILABLE, look(List.of(OWN, B), true));
        assertEquals(Verdict.UNAVAILABLE, look(ALONE, true));
    }

    @Test
    @DisplayName("waits while the side keeps the caches for the members in whose favour it stopped")
    void yields() {
        assertFalse(claim.yieldTo(Set.of(A, B), List.of(OWN, A)), "one of them is here");
        assertTrue(claim.yieldTo(Set.of(A, B), ALONE));
        claim.goOnWithout(Set.of(A, B));
        assertEquals(Verdict.UNAVAILABLE, look(ALONE, true));
        claim.rejoined();
        assertEquals(Verdict.CLAIM, look(ALONE, true));
    }

    @Test
    @DisplayName("waits ten seconds after a merge for the caches of a member that the topology does not name")
    void merges() {
        claim.said(A);
        claim.said(B);
        claim.merged();
        List<NodeId> met = List.of(OWN, new NodeId("met"));
        for (int second = 0; second <= MergeTime.SECONDS; second++) {
            assertEquals(Verdict.UNAVAILABLE, look(met, true), "second " + second);
            claim.secondPassed();
        }
        assertEquals(Verdict.CLAIM, look(met, true));
    }

    @Test
    @DisplayName("takes further caches along, each by its own topology")
    void follows() {
        claim.said(A);
        assertTrue(claim.follows(denied(OWN, A), ALONE));
        assertFalse(claim.follows(denied(OWN, A, B), ALONE));
        assertFalse(claim.follows(new Cache(true, Set.of(OWN, A), Set.of(OWN)), ALONE));
    }

    @Test
    @DisplayName("is acted on for the members that have not said goodbye")
    void staying() {
        claim.said(A);
        assertEquals(List.of(OWN, B), claim.staying(List.of(A, OWN, B)));
    }
}
