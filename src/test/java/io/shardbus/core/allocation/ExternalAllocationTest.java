package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.B;
import static io.shardbus.core.allocation.TestCluster.C;
import static io.shardbus.core.allocation.TestCluster.D;
import static io.shardbus.core.allocation.TestCluster.shards;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.NodeId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExternalAllocationTest {
    private static final Set<Integer> NOTHING = Set.of();

    private final ExternalAllocation silent = new ExternalAllocation(Optional::empty);

    @Test
    void placesShardOnDesiredHome() {
        assertEquals(Optional.of(C), desiring(Map.of(7, C)).allocate(7, A, TestCluster.ofEmpty(3)));
    }

    @Test
    @DisplayName("EXT-02 the requesting region while the desired homes do not answer")
    void requesterWhileStateIsSilent() {
        assertEquals(Optional.of(B), silent.allocate(7, B, TestCluster.ofEmpty(3)));
    }

    @Test
    @DisplayName("EXT-02 EXT-04 the requesting region for a shard without a desired home")
    void requesterWithoutDesiredHome() {
        assertEquals(Optional.of(B), desiring(Map.of(8, C)).allocate(7, B, TestCluster.of(0, 9, 0)));
    }

    @Test
    void requesterWhileDesiredHomeCannotHost() {
        assertEquals(Optional.of(B), desiring(Map.of(7, D)).allocate(7, B, TestCluster.ofEmpty(3)));
        assertEquals(
                Optional.of(B),
                desiring(Map.of(7, C)).allocate(7, B, TestCluster.ofEmpty(3).leaving(C)));
    }

    @Test
    void mostSuitableIfRequesterCannotHost() {
        assertEquals(Optional.of(C), silent.allocate(7, D, TestCluster.of(1, 1, 0)));
        assertEquals(Optional.empty(), silent.allocate(7, D, TestCluster.of()));
    }

    @Test
    @DisplayName("EXT-03 nothing moves while the desired homes do not answer")
    void nothingMovesWhileStateIsSilent() {
        assertEquals(NOTHING, silent.rebalance(TestCluster.of(9, 0, 0)));
    }

    @Test
    void movesShardsToDesiredHomes() {
        ExternalAllocation rule = desiring(Map.of(1, B, 2, A, 3, C));
        TestCluster cluster = TestCluster.of(4, 0, 0);
        assertEquals(shards(1, 3), cluster.round(rule));
        assertEquals(shards(1), cluster.shardsOf(B));
        assertEquals(shards(3), cluster.shardsOf(C));
        assertEquals(NOTHING, rule.rebalance(cluster));
    }

    @Test
    void waitsForHandoffsAndForDesiredHomes() {
        ExternalAllocation rule = desiring(Map.of(1, B, 2, D, 3, C));
        assertEquals(
                NOTHING, rule.rebalance(TestCluster.of(4, 0, 0).inHandoff(1).leaving(C)));
    }

    private static ExternalAllocation desiring(Map<Integer, NodeId> homes) {
        return new ExternalAllocation(() -> Optional.of(homes));
    }
}
