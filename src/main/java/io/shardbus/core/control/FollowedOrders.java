package io.shardbus.core.control;

import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The standing orders as one reign follows them: the record that holds them is read at its beginning, before a shard
 * gets a home, and again from time to time, as a coordinator before it may have written late.
 */
final class FollowedOrders {
    private static final long READ_AGAIN = 5_000;
    private static final long RETRY = 1_000;
    /** A process that was out of the view for so long does not come back: most come back within seconds, or never. */
    static final long LONGEST_ABSENCE = 3_600_000;

    private final long giveUpAt;
    private final Map<NodeId, Long> absentSince = new HashMap<>();
    private StandingOrders present = StandingOrders.NONE;
    private boolean known;
    private boolean asked;
    private long nextRead;
    private long lastRead = Long.MIN_VALUE;

    /** @param giveUpAt when shards get homes even if the orders could not be read */
    FollowedOrders(long giveUpAt) {
        this.giveUpAt = giveUpAt;
    }

    StandingOrders present() {
        return present;
    }

    /** Whether shards may get homes. */
    boolean areKnown(long now) {
        return known || now >= giveUpAt;
    }

    void read(StandingOrders orders, long now) {
        present = orders;
        known = true;
        answered(now + READ_AGAIN, now);
    }

    void unread(long now) {
        answered(now + RETRY, now);
    }

    private void answered(long next, long now) {
        asked = false;
        nextRead = next;
        lastRead = now;
    }

    /**
     * Whether the record is to be read now, or written.
     *
     * @param ended whether orders in the record have ended
     */
    boolean isDue(boolean ended, long now) {
        return !asked && (now >= nextRead || ended && now >= lastRead + RETRY);
    }

    void ask() {
        asked = true;
    }

    /** The nodes that orders are about and that do not come back. */
    Set<NodeId> gone(Set<NodeId> view, Predicate<NodeId> ended, long now) {
        Set<NodeId> nodes = present.nodes();
        absentSince.keySet().retainAll(nodes);
        nodes.removeIf(node -> {
            if (view.contains(node)) {
                absentSince.remove(node);
                return true;
            }
            return now - absentSince.computeIfAbsent(node, left -> now) < LONGEST_ABSENCE && !ended.test(node);
        });
        return nodes;
    }

    /**
     * The events by which the coordinator of a type changes from the orders that it has followed so far to these.
     *
     * @param isDrained whether it keeps a node empty: a drain begins before it is written, and ends with the region,
     *     too
     */
    static List<CoordinatorEvent> changes(
            StandingOrders before, StandingOrders after, String type, Predicate<NodeId> isDrained) {
        List<CoordinatorEvent> events = new ArrayList<>();
        less(after.drained(type), before.drained(type)).stream()
                .filter(node -> !isDrained.test(node))
                .forEach(node -> events.add(new CoordinatorEvent.DrainRequested(node)));
        less(before.drained(type), after.drained(type)).stream()
                .filter(isDrained)
                .forEach(node -> events.add(new CoordinatorEvent.UndrainRequested(node)));
        less(after.cordoned(type), before.cordoned(type))
                .forEach(node -> events.add(order(Kind.CORDON, type, node, -1)));
        less(before.cordoned(type), after.cordoned(type))
                .forEach(node -> events.add(order(Kind.UNCORDON, type, node, -1)));
        Map<Integer, NodeId> pins = after.pins(type);
        Map<Integer, NodeId> former = before.pins(type);
        pins.forEach((shard, node) -> {
            if (!node.equals(former.get(shard))) {
                events.add(order(Kind.PIN, type, node, shard));
            }
        });
        former.keySet().stream()
                .filter(shard -> !pins.containsKey(shard))
                .forEach(shard -> events.add(order(Kind.UNPIN, type, null, shard)));
        if (before.isPaused(type) != after.isPaused(type)) {
            events.add(order(after.isPaused(type) ? Kind.PAUSE : Kind.RESUME, type, null, -1));
        }
        return events;
    }

    private static Set<NodeId> less(Set<NodeId> nodes, Set<NodeId> others) {
        Set<NodeId> rest = new HashSet<>(nodes);
        rest.removeAll(others);
        return rest;
    }

    private static CoordinatorEvent order(Kind kind, String type, @Nullable NodeId node, int shard) {
        return new CoordinatorEvent.Ordered(new OperatorOrder(kind, type, node, shard));
    }
}
