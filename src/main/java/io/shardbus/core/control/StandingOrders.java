package io.shardbus.core.control;

import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The orders of operators that outlive the coordinator: which nodes are drained or cordoned, where rebalancing has
 * stopped, where shards are pinned. An order that takes another one back removes it. If an order for all types is taken
 * back for one type, the exception is kept beside it. Immutable.
 */
public final class StandingOrders {
    /** More than operators give by hand, and a record that one read answers. */
    public static final int MOST = 1_000;

    /** No order. */
    public static final StandingOrders NONE = new StandingOrders(new LinkedHashMap<>());

    /** Latest word on each subject, by the order that begins it. */
    private final Map<OperatorOrder, Given> given;

    /**
     * An order that stands.
     *
     * @param since when it was given, in milliseconds since 1970
     */
    public record Given(OperatorOrder order, long since) {}

    private StandingOrders(Map<OperatorOrder, Given> given) {
        this.given = given;
    }

    /**
     * The orders that {@link #given} has listed: later ones about the same subject replace earlier ones; those beyond
     * the limit are ignored.
     */
    public static StandingOrders of(List<Given> given) {
        Map<OperatorOrder, Given> all = new LinkedHashMap<>();
        given.stream()
                .filter(each -> each.order().kind() != Kind.MOVE)
                .limit(MOST)
                .forEach(each -> all.put(subject(each.order()), each));
        return new StandingOrders(all);
    }

    /** The orders that stand, in the order in which they were given. */
    public List<Given> given() {
        return List.copyOf(given.values());
    }

    public boolean isEmpty() {
        return given.isEmpty();
    }

    /** Whether the order was given already, or does not stand. */
    public boolean include(OperatorOrder order) {
        return with(order, 0) == this;
    }

    /**
     * The orders that stand after this one; unchanged if it has no effect, or is executed at once like a move. There
     * may be more than {@link #MOST} then, which are not to be kept.
     *
     * @param at when it is given, in milliseconds since 1970
     */
    public StandingOrders with(OperatorOrder order, long at) {
        Map<OperatorOrder, Given> next = new LinkedHashMap<>(given);
        switch (order.kind()) {
            case MOVE -> {}
            case PIN -> next.put(subject(order), new Given(order, at));
            case UNPIN -> next.remove(subject(order));
            default -> turn(order, at, next);
        }
        return orders(next).equals(orders(given)) ? this : new StandingOrders(next);
    }

    /** Without all that is about a node. */
    public StandingOrders without(Collection<NodeId> nodes) {
        Map<OperatorOrder, Given> next = new LinkedHashMap<>(given);
        next.values()
                .removeIf(each -> each.order().node() != null
                        && nodes.contains(each.order().node()));
        return next.size() == given.size() ? this : new StandingOrders(next);
    }

    /**
     * Whether the node that the order names is there or was: a member, or one that an order is about, which may have
     * left. An order that names none is about all.
     */
    public boolean know(OperatorOrder order, Collection<NodeId> members) {
        NodeId node = order.node();
        return node == null || members.contains(node) || nodes().contains(node);
    }

    public boolean isTooLarge() {
        return given.size() > MOST;
    }

    private static List<OperatorOrder> orders(Map<OperatorOrder, Given> given) {
        return given.values().stream().map(Given::order).toList();
    }

    /** Turns an order on or off: for all types, which ends exceptions, or for one. */
    private static void turn(OperatorOrder order, long at, Map<OperatorOrder, Given> next) {
        OperatorOrder subject = subject(order);
        boolean on = subject.kind() == order.kind();
        if (order.type().isEmpty()) {
            Given same = next.get(subject);
            next.keySet().removeIf(each -> each.kind() == subject.kind() && isAbout(each, order.node()));
            if (on) {
                next.put(subject, same == null ? new Given(order, at) : same);
            }
            return;
        }
        next.remove(subject);
        if (holds(next, subject.kind(), order.type(), order.node()) != on) {
            next.put(subject, new Given(order, at));
        }
    }

    private static boolean isAbout(OperatorOrder order, @Nullable NodeId node) {
        return node == null ? order.node() == null : node.equals(order.node());
    }

    private static boolean holds(Map<OperatorOrder, Given> given, Kind kind, String type, @Nullable NodeId node) {
        Given ofType = given.get(new OperatorOrder(kind, type, node, -1));
        return ofType != null
                ? ofType.order().kind() == kind
                : given.containsKey(new OperatorOrder(kind, "", node, -1));
    }

    /** The order that begins the state that this one begins or ends; for moves, the move of the shard to anywhere. */
    public static OperatorOrder subject(OperatorOrder order) {
        return switch (order.kind()) {
            case MOVE -> new OperatorOrder(Kind.MOVE, order.type(), null, order.shard());
            case PIN, UNPIN -> new OperatorOrder(Kind.PIN, order.type(), null, order.shard());
            case DRAIN, UNDRAIN -> new OperatorOrder(Kind.DRAIN, order.type(), order.node(), -1);
            case CORDON, UNCORDON -> new OperatorOrder(Kind.CORDON, order.type(), order.node(), -1);
            case PAUSE, RESUME -> new OperatorOrder(Kind.PAUSE, order.type(), null, -1);
        };
    }

    /** The nodes that an order is about. */
    public Set<NodeId> nodes() {
        Set<NodeId> nodes = new LinkedHashSet<>();
        given.values().forEach(each -> {
            if (each.order().node() != null) {
                nodes.add(each.order().node());
            }
        });
        return nodes;
    }

    /** The nodes that are to have no shards of the type; of any, with exceptions, if it is empty. */
    public Set<NodeId> drained(String type) {
        return nodesOf(Kind.DRAIN, type);
    }

    /** The nodes that get no more shards of the type. */
    public Set<NodeId> cordoned(String type) {
        return nodesOf(Kind.CORDON, type);
    }

    private Set<NodeId> nodesOf(Kind kind, String type) {
        Set<NodeId> nodes = nodes();
        nodes.removeIf(node -> !holds(given, kind, type, node));
        return nodes;
    }

    /** Whether no round of rebalancing of the type begins by itself. */
    public boolean isPaused(String type) {
        return holds(given, Kind.PAUSE, type, null);
    }

    /** The pinned shards of the type, and their nodes. */
    public Map<Integer, NodeId> pins(String type) {
        Map<Integer, NodeId> pins = new TreeMap<>();
        given.values().stream()
                .map(Given::order)
                .filter(order -> order.kind() == Kind.PIN && order.type().equals(type) && order.node() != null)
                .forEach(order -> pins.put(order.shard(), order.node()));
        return pins;
    }

    @Override
    public String toString() {
        return given.values().toString();
    }
}
