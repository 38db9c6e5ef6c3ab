package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.B;
import static io.shardbus.core.allocation.TestCluster.C;
import static io.shardbus.core.allocation.TestCluster.shards;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.MemberStatus;
import io.shardbus.model.RegionInfo;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FixedSnapshotTest {
    @Test
    void showsWhatWasBuilt() {
        FixedSnapshot snapshot = FixedSnapshot.builder()
                .region(RegionInfo.up(B, "2.0"), List.of(9, 3))
                .region(new RegionInfo(A, "1.0", MemberStatus.LEAVING), List.of())
                .inHandoff(Set.of(3))
                .memberJoining(true)
                .build();
        assertEquals(List.of(B, A), List.copyOf(snapshot.regions()));
        assertEquals(List.of(3, 9), List.copyOf(snapshot.shardsOf(B)));
        assertEquals(2, snapshot.count(B));
        assertEquals("2.0", snapshot.region(B).appVersion());
        assertFalse(snapshot.region(A).stays());
        assertEquals(Set.of(3), snapshot.inHandoff());
        assertTrue(snapshot.memberJoining());
        assertFalse(snapshot.memberUnreachable());
    }

    @Test
    void copyStaysAsItWas() {
        TestCluster live = TestCluster.of(2, 1).inHandoff(1).unreachable();
        FixedSnapshot copy = FixedSnapshot.copyOf(live);
        live.add(C, 4);
        live.shardsOf(A).add(5);
        live.inHandoff(2).joining();
        assertEquals(Set.of(A, B), copy.regions());
        assertEquals(shards(1, 2), copy.shardsOf(A));
        assertEquals(Set.of(1), copy.inHandoff());
        assertTrue(copy.memberUnreachable());
        assertFalse(copy.memberJoining());
        assertSame(copy, FixedSnapshot.copyOf(copy));
    }

    @Test
    void itCannotBeModified() {
        FixedSnapshot snapshot = FixedSnapshot.copyOf(TestCluster.of(2));
        assertThrows(
                UnsupportedOperationException.class, () -> snapshot.shardsOf(A).add(7));
        assertThrows(
                UnsupportedOperationException.class, () -> snapshot.regions().clear());
    }

    @Test
    void refusesUnknownRegions() {
        FixedSnapshot snapshot = FixedSnapshot.copyOf(TestCluster.of(2));
        assertThrows(NoSuchElementException.class, () -> snapshot.count(B));
        assertThrows(NoSuchElementException.class, () -> snapshot.region(B));
    }
}
