package io.shardbus.core.allocation;

import static io.shardbus.core.allocation.TestCluster.A;
import static io.shardbus.core.allocation.TestCluster.B;
import static io.shardbus.core.allocation.TestCluster.C;
import static io.shardbus.core.allocation.TestCluster.D;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VirtualNodeRingTest {
    private static final int SHARDS = 1000;

    private final HashRing ring = new VirtualNodeRing();

    @Test
    @DisplayName("the owners are the ones every release and every type computes")
    void ownersNeverChange() {
        assertEquals(
                "[B, C, C, A, B, B, C, C, C, A, B, B]",
                owners(A, B, C).subList(0, 12).toString());
    }

    @Test
    void orderOfRegionsDoesNotMatter() {
        assertEquals(owners(A, B, C), owners(C, A, B));
    }

    @Test
    void onlyShardsOfLostRegionMove() {
        List<NodeId> before = owners(A, B, C);
        List<NodeId> after = owners(A, B);
        for (int shard = 0; shard < SHARDS; shard++) {
            assertTrue(before.get(shard).equals(C) || before.get(shard).equals(after.get(shard)), "shard " + shard);
        }
    }

    @Test
    void onlyNewRegionGetsShards() {
        List<NodeId> before = owners(A, B, C);
        List<NodeId> after = owners(A, B, C, D);
        for (int shard = 0; shard < SHARDS; shard++) {
            assertTrue(after.get(shard).equals(D) || before.get(shard).equals(after.get(shard)), "shard " + shard);
        }
    }

    @Test
    void manyVirtualNodesSpreadEvenly() {
        IntFunction<NodeId> owners = new VirtualNodeRing(500).among(Set.of(A, B, C, D));
        Map<NodeId, Long> counts = IntStream.range(0, 10_000)
                .mapToObj(owners)
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
        counts.forEach((region, count) -> assertTrue(count > 2000 && count < 3000, region + " owns " + count));
    }

    @Test
    void needsRegionsAndVirtualNodes() {
        assertThrows(IllegalArgumentException.class, () -> ring.among(Set.of()));
        assertThrows(IllegalArgumentException.class, () -> new VirtualNodeRing(0));
    }

    private List<NodeId> owners(NodeId... regions) {
        IntFunction<NodeId> owners = ring.among(new LinkedHashSet<>(List.of(regions)));
        return IntStream.range(0, SHARDS).mapToObj(owners).toList();
    }
}
