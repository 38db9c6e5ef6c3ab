package io.shardbus.simulation;

import io.shardbus.NodeId;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.FrameHead;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One connection for each ordered pair of nodes: it keeps the order, and loses what is under way when it breaks. */
final class Network {
    /** What travels between nodes. */
    interface Packet {}

    record ForAll(NodeMessage message) implements Packet {}

    record ForCoordinator(TermId term, ToCoordinator message) implements Packet {}

    record ForRegion(TermId term, ToRegion message) implements Packet {}

    record Frame(PeerLane from, int lane, FrameHead head, List<FrameItem> items) implements Packet {
        @Override
        public String toString() {
            return "Frame[" + from.node() + "/" + from.lane() + "->lane " + lane + " epoch " + head.epoch() + " number "
                    + head.number() + " answers " + head.answer().epoch() + ":"
                    + head.answer().received() + " bounces "
                    + head.answer().bounces().size() + " " + describe() + "]";
        }

        private String describe() {
            StringBuilder text = new StringBuilder();
            for (FrameItem item : items) {
                boolean message = item instanceof Envelope;
                text.append(' ').append(message ? describe((Envelope) item) : item);
            }
            return text.toString();
        }

        private static String describe(Envelope envelope) {
            return envelope.payload() + "@" + envelope.token().sequence();
        }
    }

    private record Pair(NodeId from, NodeId to) {}

    private final Simulation world;
    private final Map<Pair, Scheduler.Line> connections = new HashMap<>();
    private final Set<NodeId> farSide = new HashSet<>();

    Network(Simulation world) {
        this.world = world;
    }

    void send(NodeId from, NodeId to, Packet packet) {
        world.timeline().add(from, "to " + to, packet);
        connection(from, to).deliver(world.delay(), () -> {
            SimNode receiver = world.node(to);
            if (receiver != null && areConnected(from, to)) {
                receiver.receive(from, packet);
            }
        });
    }

    private Scheduler.Line connection(NodeId from, NodeId to) {
        return connections.computeIfAbsent(new Pair(from, to), pair -> world.scheduler().new Line());
    }

    /** The connection carries nothing for a time, and then all of it. */
    void stall(NodeId from, NodeId to, long millis) {
        world.timeline().add(from, "stalls to", to + " for " + millis);
        connection(from, to).deliver(millis, () -> {});
    }

    void cut(NodeId a, NodeId b) {
        connection(a, b).cut();
        connection(b, a).cut();
    }

    boolean areConnected(NodeId a, NodeId b) {
        return farSide.contains(a) == farSide.contains(b);
    }

    boolean isFar(NodeId node) {
        return farSide.contains(node);
    }

    boolean isSplit() {
        return !farSide.isEmpty();
    }

    void split(Set<NodeId> side) {
        farSide.addAll(side);
    }

    void heal() {
        farSide.clear();
    }
}
