package io.shardbus.core.coordinator;

import io.shardbus.model.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Operators' orders about single shards, as long as the reign lasts: pins, moves and shards to be taken off a node. */
final class ShardOrders {
    private final Map<Integer, NodeId> pins = new TreeMap<>();
    private final Map<Integer, NodeId> targets = new HashMap<>();
    /** Shards that are to leave, for anywhere but this node. */
    private final Map<Integer, NodeId> avoided = new HashMap<>();
    /** Shards that are to leave for the nodes to which they are pinned. */
    private final Set<Integer> returning = new HashSet<>();

    private boolean paused;

    void pause(boolean isPaused) {
        paused = isPaused;
    }

    /** Whether no round of rebalancing begins by itself. */
    boolean isPaused() {
        return paused;
    }

    void pin(int shard, NodeId node) {
        pins.put(shard, node);
    }

    void unpin(int shard) {
        pins.remove(shard);
        returning.remove(shard);
    }

    Map<Integer, NodeId> pins() {
        return pins;
    }

    /** Whether the shard is pinned to this node. */
    boolean isPinnedTo(int shard, NodeId node) {
        return node.equals(pins.get(shard));
    }

    /** The shard waits for its turn to go where it is pinned. */
    void returns(int shard) {
        returning.add(shard);
    }

    void move(int shard, NodeId from, @Nullable NodeId to) {
        if (to == null) {
            avoided.put(shard, from);
        } else {
            targets.put(shard, to);
        }
    }

    /** Whether the shard is to leave by an order of an operator: a move, or a pin elsewhere. */
    boolean isSent(int shard) {
        return isMoved(shard) || returning.contains(shard);
    }

    /** The node for which the shard is to leave by an operator's order; null where the order does not say one. */
    @Nullable
    NodeId sentTo(int shard) {
        return isMoved(shard) ? targets.get(shard) : pins.get(shard);
    }

    /** The shard has stayed, or has another home. */
    void forget(int shard) {
        targets.remove(shard);
        avoided.remove(shard);
        returning.remove(shard);
    }

    /** Whether an operator moves the shard, or pins it. */
    boolean moves(int shard) {
        return isMoved(shard) || pins.containsKey(shard);
    }

    /** Whether an operator has ordered a move of the shard that has not ended. */
    boolean isMoved(int shard) {
        return targets.containsKey(shard) || avoided.containsKey(shard);
    }

    /** The shards of which an operator has ordered a move that has not ended. */
    Set<Integer> moved() {
        Set<Integer> shards = new TreeSet<>(targets.keySet());
        shards.addAll(avoided.keySet());
        return shards;
    }

    /** Whether a home of the shard is one to which an operator moves it. */
    boolean isWhereMoved(int shard, NodeId home) {
        NodeId target = targets.get(shard);
        return target == null ? !home.equals(avoided.get(shard)) : target.equals(home);
    }

    /** The node that the shard is to go to; null where no order says one. */
    @Nullable
    NodeId target(int shard) {
        NodeId target = targets.get(shard);
        return target == null ? pins.get(shard) : target;
    }

    /** The node that the shard is to leave; null where no order says one. */
    @Nullable
    NodeId avoided(int shard) {
        return avoided.get(shard);
    }
}
