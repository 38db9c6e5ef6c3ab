package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownMembersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    @Test
    void membersAreKnownAndOthersAreNot() {
        KnownMembers known = KnownMembers.NONE.viewChanged(List.of(A));
        assertTrue(known.contains(A));
        assertFalse(known.contains(B), "it was no member yet");
        assertTrue(known.viewChanged(List.of(A, B)).contains(B));
    }

    @Test
    void aNodeThatLeftIsKnownUntilManyOthersHaveLeftAfterIt() {
        KnownMembers known = KnownMembers.NONE.viewChanged(List.of(A, B)).viewChanged(List.of(A));
        for (int i = 0; i < KnownMembers.MOST_DEPARTED - 1; i++) {
            known = known.viewChanged(List.of(A, new NodeId("n" + i))).viewChanged(List.of(A));
        }
        assertTrue(known.contains(B), "its goodbye may come after the view");
        known = known.viewChanged(List.of(A, new NodeId("last"))).viewChanged(List.of(A));
        assertFalse(known.contains(B));
        assertTrue(known.contains(new NodeId("n0")));
    }

    @Test
    void saysWhichNodesItHasForgotten() {
        KnownMembers before = KnownMembers.NONE.viewChanged(List.of(A, B));
        KnownMembers known = before.viewChanged(List.of(A));
        assertEquals(Set.of(), known.forgottenSince(before));
        for (int i = 0; i < KnownMembers.MOST_DEPARTED; i++) {
            before = known;
            known = known.viewChanged(List.of(A, new NodeId("n" + i))).viewChanged(List.of(A));
        }
        assertEquals(Set.of(B), known.forgottenSince(before));
        assertEquals(Set.of(), known.forgottenSince(known));
    }

    @Test
    void aNodeThatCameBackIsForgottenNoEarlierThanOthers() {
        KnownMembers known = KnownMembers.NONE.viewChanged(List.of(A, B)).viewChanged(List.of(A));
        for (int i = 0; i < KnownMembers.MOST_DEPARTED - 1; i++) {
            known = known.viewChanged(List.of(A, new NodeId("n" + i))).viewChanged(List.of(A));
        }
        known = known.viewChanged(List.of(A, B)).viewChanged(List.of(A));
        known = known.viewChanged(List.of(A, new NodeId("last"))).viewChanged(List.of(A));
        assertTrue(known.contains(B));
        assertFalse(known.contains(new NodeId("n0")));
    }
}
