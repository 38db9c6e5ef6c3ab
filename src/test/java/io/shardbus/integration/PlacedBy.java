package io.shardbus.integration;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.spi.AllocationStrategy;
import io.vertx.core.Future;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A user's strategy of one node that gives every shard to the requester, and writes down on which nodes strategies were
 * asked.
 */
public final class PlacedBy implements AllocationStrategy {
    /** A question that reached a strategy: the node that coordinates, and the node that wants the shard. */
    public record Question(NodeId coordinator, NodeId requester, int shard) {}

    private final NodeId node;
    private final Queue<Question> questions;

    public PlacedBy(NodeId node, Queue<Question> questions) {
        this.node = node;
        this.questions = questions;
    }

    public static Queue<Question> questions() {
        return new ConcurrentLinkedQueue<>();
    }

    @Override
    public Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot) {
        questions.add(new Question(node, requester, shard));
        NodeId home = snapshot.regions().contains(requester)
                ? requester
                : snapshot.regions().iterator().next();
        return Future.succeededFuture(home);
    }

    @Override
    public Future<Set<Integer>> rebalance(AllocationSnapshot snapshot) {
        return Future.succeededFuture(Set.of());
    }
}
