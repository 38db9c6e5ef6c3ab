package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks and carries out operators' orders about one type. */
final class Orders {
    private final ShardTable table;
    private final LeaseTimes times;
    private final ShardOrders shardOrders;
    private final Moves moves;

    Orders(ShardTable table, LeaseTimes times, ShardOrders shardOrders, Moves moves) {
        this.table = table;
        this.times = times;
        this.shardOrders = shardOrders;
        this.moves = moves;
    }

    /**
     * The reason why the order cannot be carried out now; null if it can.
     *
     * @param awaitsOrders whether pins of earlier reigns may stand that are not known here
     */
    @Nullable
    String refusal(OperatorOrder order, @Nullable RegionProfile profile, boolean awaitsOrders, long now) {
        return switch (order.kind()) {
            case CORDON, UNCORDON, PAUSE, RESUME, DRAIN, UNDRAIN -> null;
            case UNPIN ->
                awaitsOrders || shardOrders.pins().containsKey(order.shard())
                        ? null
                        : "shard " + order.shard() + " is not pinned";
            case MOVE, PIN -> {
                if (profile == null || order.shard() < 0 || order.shard() >= profile.numberOfShards()) {
                    yield "there is no shard " + order.shard();
                } else if (moves.areForbidden()) {
                    yield CoordinatorView.CLUSTER_STOPS;
                }
                yield order.kind() == OperatorOrder.Kind.PIN
                        ? refusalOf(order.shard(), order.node(), now)
                        : moveRefusal(order.shard(), order.node(), now);
            }
        };
    }

    private @Nullable String moveRefusal(int shard, @Nullable NodeId to, long now) {
        Assignment assignment = table.assignment(shard);
        if (assignment == null || !assignment.confirmed) {
            return "shard " + shard + " has no home that it could leave";
        } else if (table.isHomeGone(assignment)) {
            return "node " + assignment.home + ", the home of shard " + shard
                    + ", is gone: the shard gets another home when its lease has ended";
        } else if (assignment.handoff != null) {
            return "shard " + shard + " is on its way already";
        } else if (!assignment.home.equals(to) && shardOrders.isPinnedTo(shard, assignment.home)) {
            return "shard " + shard + " is pinned to node " + assignment.home
                    + ", and would return: remove the pin first";
        } else if (to == null) {
            return table.isTakenElsewhere(assignment) ? null : "no other node takes the shard now";
        }
        return assignment.home.equals(to) ? "shard " + shard + " is at home on " + to : refusalOf(shard, to, now);
    }

    private @Nullable String refusalOf(int shard, @Nullable NodeId to, long now) {
        Session session = to == null ? null : table.session(to);
        if (session == null) {
            return "node " + to + " does not host the type";
        }
        List<String> against = against(session, now);
        if (!against.isEmpty()) {
            return "node " + to + " takes no shards: " + String.join(", ", against);
        }
        return session.isEnding(shard)
                ? "node " + to + " does not take shard " + shard + ": its earlier code still runs there"
                : null;
    }

    /** The reasons why a region gets no shards now. */
    List<String> against(Session session, long now) {
        List<String> reasons = new ArrayList<>();
        add(reasons, session.profile.proxy(), "it is a proxy");
        add(reasons, session.gone, "its node is gone");
        add(reasons, session.leaving, "it leaves");
        add(reasons, session.draining, "it is drained");
        add(reasons, session.cordoned, "it is cordoned");
        boolean heard = session.hosts() && now - session.echoAt <= 3 * times.heartbeatInterval();
        add(reasons, session.hosts() && !heard, "it has sent no heartbeat for a moment");
        return reasons;
    }

    private static void add(List<String> reasons, boolean applies, String reason) {
        if (applies) {
            reasons.add(reason);
        }
    }

    void carryOut(OperatorOrder order, long now) {
        NodeId node = order.node();
        switch (order.kind()) {
            case CORDON, UNCORDON -> {
                if (node != null) {
                    table.cordon(node, order.kind() == OperatorOrder.Kind.CORDON);
                    moves.hasten(now);
                }
            }
            case PAUSE -> shardOrders.pause(true);
            case RESUME -> {
                shardOrders.pause(false);
                moves.hasten(now);
            }
            case UNPIN -> shardOrders.unpin(order.shard());
            case PIN -> {
                if (node != null) {
                    shardOrders.pin(order.shard(), node);
                }
            }
            case MOVE -> move(order.shard(), node, now);
            case DRAIN, UNDRAIN -> throw new IllegalArgumentException("an event of its own: " + order);
        }
    }

    private void move(int shard, @Nullable NodeId to, long now) {
        Assignment assignment = table.assignment(shard);
        if (assignment != null) {
            shardOrders.move(shard, assignment.home, to);
            assignment.wake();
            moves.choose(Set.of(shard), now);
        }
    }

    /** Number of shards of a drained region that no other region takes now. */
    int stranded(Session session) {
        return moves.stranded(session);
    }

    boolean areMovesForbidden() {
        return moves.areForbidden();
    }

    boolean isPaused() {
        return shardOrders.isPaused();
    }

    Map<Integer, NodeId> pins() {
        return shardOrders.pins();
    }
}
