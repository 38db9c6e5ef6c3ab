package io.shardbus.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.core.allocation.FixedSnapshot;
import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.MemberStatus;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import io.shardbus.spi.AllocationStrategy;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");

    private static FixedSnapshot table(int shardsOfA) {
        return FixedSnapshot.builder()
                .region(
                        new RegionInfo(A, "1", MemberStatus.UP),
                        IntStream.range(0, shardsOfA).boxed().toList())
                .region(new RegionInfo(B, "1", MemberStatus.UP), List.of())
                .region(new RegionInfo(C, "1", MemberStatus.UP), List.of())
                .build();
    }

    @Test
    void aPlanReadsARuleOfOursOnceAndShowsItOneCopy() {
        ShardAllocation least = new LeastShards(new RoundLimit(10, 1));
        Set<AllocationSnapshot> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        ShardAllocation rule = new ShardAllocation() {
            @Override
            public Optional<NodeId> allocate(int shard, NodeId requester, AllocationSnapshot snapshot) {
                seen.add(snapshot);
                return least.allocate(shard, requester, snapshot);
            }

            @Override
            public Set<Integer> rebalance(AllocationSnapshot snapshot) {
                return least.rebalance(snapshot);
            }
        };
        AtomicInteger reads = new AtomicInteger();
        CoordinatorCommandRunner.Placing placing = CoordinatorCommandRunner.Placing.by(() -> {
            reads.incrementAndGet();
            return Future.succeededFuture(rule);
        });
        List<MovePlan.Move> moves = new Planner(placing, table(1_000)).empty(A).result();
        assertEquals(500, moves.stream().filter(move -> B.equals(move.to())).count());
        assertEquals(500, moves.stream().filter(move -> C.equals(move.to())).count());
        assertEquals(1, seen.size());
        assertEquals(1, reads.get());
    }

    @Test
    void aUsersStrategyIsAskedForAsManyShardsOnlyAsCopiesMayBeMade() {
        AtomicInteger asked = new AtomicInteger();
        AllocationStrategy strategy = new AllocationStrategy() {
            @Override
            public Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot) {
                asked.incrementAndGet();
                return Future.succeededFuture(B);
            }

            @Override
            public Future<Set<Integer>> rebalance(AllocationSnapshot snapshot) {
                return Future.succeededFuture(Set.of());
            }
        };
        int shards = 10_000;
        List<MovePlan.Move> moves = new Planner(CoordinatorCommandRunner.Placing.by(strategy), table(shards))
                .empty(A)
                .result();
        assertEquals(shards, moves.size());
        assertEquals(Planner.COPIED_ROWS / shards, asked.get());
        assertEquals(
                asked.get(), moves.stream().filter(move -> move.to() != null).count());
    }
}
