package io.shardbus.simulation;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.simulation.time.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One connection for each ordered pair of nodes: it keeps the order. What is under way when it breaks is lost, or comes
 * late, while the next connection carries on; what is sent while no way leads there is lost, or held until one does.
 */
final class Network {
    /** What travels between nodes. */
    interface Packet {}

    record ForAll(NodeMessage message) implements Packet {}

    record ForCoordinator(TermId term, String type, ToCoordinator message) implements Packet {}

    record ForRegion(TermId term, String type, ToRegion message) implements Packet {}

    /** A new region of the sender, whose lanes have said that they are there, asks whether that has arrived. */
    record Greeting(String type) implements Packet {}

    record Greeted(String type) implements Packet {}

    record Frame(PeerLane from, String type, int lane, FrameHead head, List<FrameItem> items) implements Packet {
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

    private final class Connection {
        private final Pair pair;
        private final SplittableRandom dice;
        private final Scheduler.Line line = world.scheduler().new Line();
        private final ArrayDeque<Packet> underWay = new ArrayDeque<>();
        private final ArrayDeque<Packet> held = new ArrayDeque<>();
        private int life;

        Connection(Pair pair) {
            this.pair = pair;
            this.dice = world.dice("connection " + pair.from() + " " + pair.to());
        }

        void send(Packet packet) {
            int born = life;
            underWay.add(packet);
            line.deliver(delay(dice), () -> {
                if (life == born) {
                    arrive(underWay.remove());
                }
            });
        }

        private void arrive(Packet packet) {
            if (carries(pair) && held.isEmpty()) {
                give(packet);
            } else if (holds) {
                held.add(packet);
            }
        }

        private void give(Packet packet) {
            SimNode receiver = world.node(pair.to());
            if (receiver != null) {
                receiver.receive(pair.from(), packet);
            }
        }

        /** A way leads there again: first comes what was held. */
        void resume() {
            if (!held.isEmpty() && carries(pair)) {
                line.deliver(delay(dice), () -> {
                    while (!held.isEmpty() && carries(pair)) {
                        give(held.remove());
                    }
                });
            }
        }

        List<Packet> breakOff() {
            List<Packet> lost = new ArrayList<>(held);
            lost.addAll(underWay);
            held.clear();
            underWay.clear();
            life++;
            return lost;
        }
    }

    private final Simulation world;
    private final Map<Pair, Connection> connections = new LinkedHashMap<>();
    private final Map<NodeId, Integer> sides = new HashMap<>();
    private final Set<Pair> cutOneWay = new HashSet<>();
    private boolean holds;
    private long stalledUntil;

    Network(Simulation world) {
        this.world = world;
    }

    void send(NodeId from, NodeId to, Packet packet) {
        world.timeline().add(from, "to " + to, packet);
        connection(from, to).send(packet);
    }

    private Connection connection(NodeId from, NodeId to) {
        return connections.computeIfAbsent(new Pair(from, to), Connection::new);
    }

    /** How long a message is under way between nodes. */
    static long delay(SplittableRandom dice) {
        return dice.nextInt(100) < 3 ? 10 + dice.nextInt(60) : 1 + dice.nextInt(5);
    }

    /** The connection carries nothing for a time, and then all of it. */
    void stall(NodeId from, NodeId to, long millis) {
        world.timeline().turn(from, "stalls to", to + " for " + millis);
        stalledUntil = Math.max(stalledUntil, world.scheduler().now() + millis);
        connection(from, to).line.deliver(millis, () -> {});
    }

    /** Whether a connection may still carry nothing for a fault's sake. */
    boolean isStalled() {
        return wasStalledWithin(0);
    }

    /** Whether a connection has stood still within the last so many milliseconds. */
    boolean wasStalledWithin(long millis) {
        return world.scheduler().now() - millis <= stalledUntil;
    }

    /** Both connections break, with all that is under way. */
    void cut(NodeId a, NodeId b) {
        connection(a, b).breakOff();
        connection(b, a).breakOff();
    }

    /**
     * A connection breaks, and a new one is there at once. What was under way on the old one is lost, comes late, or,
     * if it is a frame, twice: the receiver reads both at its leisure.
     */
    void reconnect(NodeId from, NodeId to, SplittableRandom dice) {
        reconnect(from, to, dice, 1L + dice.nextInt(dice.nextBoolean() ? 30 : 3_000));
    }

    /** The same, with what comes late so much later. */
    void reconnect(NodeId from, NodeId to, SplittableRandom dice, long by) {
        Connection connection = connection(from, to);
        List<Packet> old = connection.breakOff();
        world.timeline().turn(from, "reconnects to", to + " with " + old.size() + " under way");
        Scheduler.Line late = world.scheduler().new Line();
        for (Packet packet : old) {
            int fate = dice.nextInt(4);
            if (fate < 3) {
                late.deliver(by, () -> connection.give(packet));
            }
            if (fate < 2 && packet instanceof Frame) {
                connection.send(packet);
            }
        }
    }

    private boolean carries(Pair pair) {
        return side(pair.from()).equals(side(pair.to())) && !cutOneWay.contains(pair);
    }

    boolean areConnected(NodeId a, NodeId b) {
        return carries(new Pair(a, b)) && carries(new Pair(b, a));
    }

    /** On which side of a split a node is; all are on one without a split. */
    Integer side(NodeId node) {
        return sides.getOrDefault(node, 0);
    }

    boolean isSplit() {
        return !sides.isEmpty();
    }

    boolean isCutOneWay() {
        return !cutOneWay.isEmpty();
    }

    /** What is sent from now on while no way leads there is held, as by TCP for a while, or lost. */
    void hold(boolean packets) {
        holds = packets;
    }

    void split(List<? extends Collection<NodeId>> groups) {
        for (int side = 0; side < groups.size(); side++) {
            for (NodeId node : groups.get(side)) {
                sides.put(node, side);
            }
        }
    }

    /** A new node is on this side of a split. */
    void put(NodeId node, int side) {
        sides.put(node, side);
    }

    void cutOneWay(NodeId from, NodeId to) {
        cutOneWay.add(new Pair(from, to));
    }

    void mendOneWay(NodeId from, NodeId to) {
        cutOneWay.remove(new Pair(from, to));
        connection(from, to).resume();
    }

    void heal() {
        sides.clear();
        resume();
    }

    /** What was held travels on where a way leads there now. */
    void resume() {
        connections.values().forEach(Connection::resume);
    }

    void mendAll() {
        cutOneWay.clear();
        heal();
    }
}
