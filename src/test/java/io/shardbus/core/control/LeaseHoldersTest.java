package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseHoldersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final LeaseTimes TIMES = new LeaseTimes(1_000, 300, true);
    private static final long RUN_OUT = 1_100;

    private final LeaseHolders holders = new LeaseHolders(TIMES);

    private static TermRecord record(Set<NodeId> named) {
        return new TermRecord(5, B, 20, 3, TIMES.lease(), named);
    }

    /**
     * A reigns; no lease of earlier terms lasts longer than one granted at 100. It follows a record that names B and C.
     */
    private void reign(NodeId... members) {
        holders.list();
        holders.viewChanged(List.of(members), 0);
        TermRecord claim = record(holders.claim(record(Set.of(B, C)), List.of(members), 50));
        holders.sent(claim);
        holders.written(claim);
        holders.begun(100);
    }

    @Test
    void saysNothingUnlessItIsToldTo() {
        assertNull(holders.claim(record(Set.of(B)), List.of(A, B), 0));
        assertEquals(Set.of(B), holders.inherited());
        assertEquals(Set.of(A, B), holders.grantable(List.of(A, B)));
    }

    @Test
    void aClaimNamesTheMembersAndWhomItsPredecessorNamed() {
        holders.list();
        assertEquals(Set.of(A, B, C), holders.claim(record(Set.of(C)), List.of(A, B), 0));
        assertEquals(Set.of(C), holders.inherited());
    }

    @Test
    void forgetsWhoWasAwayForALeaseAndAMargin() {
        reign(A);
        assertEquals(Set.of(A, B, C), holders.next(100 + RUN_OUT - 1), "earlier terms granted until 100");
        assertEquals(Set.of(A), holders.next(100 + RUN_OUT));
    }

    @Test
    void whoLeavesTheViewIsRememberedFromThenOn() {
        reign(A, B);
        holders.viewChanged(List.of(A), 3_000);
        assertEquals(Set.of(A, B), holders.next(3_000 + RUN_OUT - 1));
        assertEquals(Set.of(A), holders.next(3_000 + RUN_OUT));
    }

    @Test
    void whoLeavesMayHoldALongerLeaseOfAnEarlierReign() {
        holders.list();
        holders.claim(new TermRecord(5, B, 20, 3, 5_000, Set.of(B, C)), List.of(A, B), 50);
        assertEquals(100 + 5_500 - RUN_OUT, holders.begun(100));
        holders.viewChanged(List.of(A), 200);
        assertEquals(Set.of(A, B, C), holders.next(100 + 5_500 - 1));
        assertEquals(5_000, holders.leaseMillis());
        assertEquals(Set.of(A), holders.next(100 + 5_500));
        assertEquals(1_000, holders.leaseMillis());
    }

    @Test
    void theDeadHoldNothing() {
        reign(A);
        holders.provenDead(B);
        assertEquals(Set.of(A, C), holders.next(200));
        TermRecord mine = record(Set.of(A, B, C));
        holders.claim(mine, List.of(A), 300);
        assertEquals(Set.of(A, C), holders.inherited());
    }

    @Test
    void aDeadNodeThatIsAMemberAgainIsNotDead() {
        reign(A);
        holders.provenDead(B);
        holders.viewChanged(List.of(A, B), 200);
        assertEquals(Set.of(A, B, C), holders.next(200));
    }

    @Test
    void remembersWhoLeftAndWhenThatWasFirstHeard() {
        reign(A, B);
        holders.left(B, 200);
        holders.left(B, 300);
        holders.left(C, 400);
        assertEquals(Map.of(B, 200L, C, 400L), holders.farewells());
    }

    @Test
    void remembersSoManyWhoLeftAndNoMore() {
        for (int i = 0; i <= 1_000; i++) {
            holders.left(new NodeId("n" + i), i);
        }
        assertEquals(1_000, holders.farewells().size());
        assertFalse(holders.farewells().containsKey(new NodeId("n0")));
    }

    @Test
    void grantsToANewMemberOnlyOnceAWriteThatNamesItTookHold() {
        reign(A, B);
        NodeId late = new NodeId("late");
        List<NodeId> members = List.of(A, B, late);
        holders.viewChanged(members, 200);
        assertEquals(Set.of(A, B), holders.grantable(members));
        TermRecord next = record(holders.next(200));
        holders.sent(next);
        assertEquals(Set.of(A, B), holders.grantable(members), "its outcome is not known");
        holders.written(next);
        assertEquals(Set.of(A, B, late), holders.grantable(members));
    }

    @Test
    void grantsNothingToWhomAWriteOnItsWayDoesNotName() {
        reign(A, B);
        holders.viewChanged(List.of(A), 200);
        holders.sent(record(holders.next(200 + RUN_OUT)));
        assertEquals(Set.of(A), holders.grantable(List.of(A, B)), "the successor may know that record only");
    }

    @Test
    void knowsNoHolderUntilLeasesOfUnknownHoldersHaveRunOut() {
        holders.list();
        assertNull(holders.claim(record(null), List.of(A), 50));
        assertNull(holders.inherited());
        holders.begun(100);
        assertNull(holders.next(100 + RUN_OUT - 1));
        assertEquals(Set.of(A, B), holders.grantable(List.of(A, B)), "no successor opens early");
        assertEquals(Set.of(A), holders.next(100 + RUN_OUT));
    }
}
