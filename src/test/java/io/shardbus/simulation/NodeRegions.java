package io.shardbus.simulation;

import io.shardbus.core.control.RegionEnd;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.NodeId;
import io.shardbus.simulation.SimType.Part;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The regions of one node: how they begin, meet those of other nodes, end, and begin anew. */
final class NodeRegions {
    private static final long LONGEST_LOOP_DELAY = 30;
    private static final long LONGEST_GREETING = 500;

    /** The place of one type's region: between two regions it is still the one before. */
    private static final class Slot {
        Hosting hosting;
        /** How long after the end of the region another one begins; negative if none does. */
        long nextAfter = -1;

        /** The nodes that have not answered the greeting of the present region. */
        final Set<NodeId> ungreeted = new HashSet<>();

        Slot(Hosting first) {
            hosting = first;
        }
    }

    private final SimNode node;
    private final Simulation world;
    private final Map<String, Slot> slots = new LinkedHashMap<>();
    private long begun;

    NodeRegions(SimNode node) {
        this.node = node;
        this.world = node.world;
    }

    /** The regions of the types that this node has from its start; no other node is known yet. */
    void start() {
        for (SimType type : world.types()) {
            Part part = type.draw(node.dice);
            if (part != Part.NONE) {
                Hosting first = new Hosting(node, type, part == Part.PROXY, ++begun);
                slots.put(type.name(), new Slot(first));
                first.lanes.forEach(this::tick);
                node.control.run((control, at) -> control.typeAdded(type.name(), at));
                first.add(node.knownTerm(), null);
            }
        }
    }

    private void tick(LaneLoop lane) {
        node.run(() -> {
            if (lane.hosting.region().status() == RegionStatus.LEFT) {
                return;
            }
            lane.tick();
            world.scheduler().after(node.tickPause(), () -> tick(lane));
        });
    }

    void tick() {
        all().forEach(Hosting::tick);
    }

    /** One for each type that the node has. */
    Collection<Hosting> all() {
        return slots.values().stream().map(slot -> slot.hosting).toList();
    }

    /** The regions that hear of terms, messages and views. */
    List<Hosting> added() {
        return all().stream().filter(Hosting::isAdded).toList();
    }

    /** The region of a type; null if the node has none. */
    @Nullable
    Hosting of(String type) {
        Slot slot = slots.get(type);
        return slot == null ? null : slot.hosting;
    }

    /** The type begins on this node while it runs, or its proxy becomes a host. */
    void host(SimType type, boolean proxy) {
        Hosting present = of(type.name());
        if (!node.isStaying()) {
            return;
        }
        if (present == null) {
            begin(type, proxy);
        } else if (present.isProxy() && !proxy && present.isAdded() && !present.isEnding()) {
            world.timeline().turn(node, "hosts", type.name());
            present.becomeHost();
        }
    }

    private void begin(SimType type, boolean proxy) {
        world.timeline().turn(node, proxy ? "sends to" : "hosts", type.name());
        Hosting first = new Hosting(node, type, proxy, ++begun);
        Slot slot = new Slot(first);
        slots.put(type.name(), slot);
        node.control.run((control, at) -> control.typeAdded(type.name(), at));
        meetOthers(slot);
    }

    /** The region ends in good order, or stops at once, and another one begins in its place after a while. */
    void restart(Hosting present, boolean inGoodOrder, boolean mute, long pause) {
        Slot slot = slots.get(present.type.name());
        if (slot == null || slot.hosting != present || present.isEnding() || !present.isAdded()) {
            return;
        }
        world.timeline().turn(node, inGoodOrder ? "region leaves" : "region stops", "next after " + pause);
        slot.nextAfter = pause;
        if (mute) {
            present.mute();
        }
        if (inGoodOrder) {
            end(present);
        } else {
            present.stopNow();
        }
    }

    void ended(Hosting ended) {
        Slot slot = slots.get(ended.type.name());
        if (slot != null && slot.hosting == ended && slot.nextAfter >= 0) {
            world.scheduler().after(slot.nextAfter, () -> node.run(() -> beginAnew(slot)));
            slot.nextAfter = -1;
        }
    }

    private void beginAnew(Slot slot) {
        if (!node.isStaying()) {
            return;
        }
        world.timeline().turn(node, "region begins", begun + 1);
        slot.hosting = slot.hosting.next(++begun);
        meetOthers(slot);
    }

    private void meetOthers(Slot slot) {
        Hosting next = slot.hosting;
        next.lanes.forEach(this::tick);
        slot.ungreeted.clear();
        slot.ungreeted.addAll(node.members);
        slot.ungreeted.remove(node.id);
        greet(next, node.members);
        world.scheduler().after(LONGEST_GREETING, () -> node.run(() -> add(slot, next)));
        if (slot.ungreeted.isEmpty()) {
            add(slot, next);
        }
    }

    private void add(Slot slot, Hosting next) {
        if (next == slot.hosting && !next.isAdded()) {
            next.add(node.knownTerm(), node.control.machine().refusal());
        }
    }

    /** The first view shows these nodes. */
    void greet(List<NodeId> nodes) {
        all().forEach(hosting -> greet(hosting, nodes));
    }

    /**
     * The lanes and those of other nodes say to each other that they are there, before one has a message for another.
     */
    private void greet(Hosting hosting, List<NodeId> nodes) {
        for (NodeId member : nodes) {
            if (!member.equals(node.id)) {
                if (mayHave(member, hosting.type.name())) {
                    hosting.lanes.forEach(lane -> lane.greet(member));
                }
                Network.Greeting greeting = new Network.Greeting(hosting.type.name());
                world.scheduler().after(LONGEST_LOOP_DELAY, () -> node.run(() -> node.send(member, greeting)));
            }
        }
    }

    private boolean mayHave(NodeId member, String type) {
        SimNode other = world.node(member);
        return other == null || other.regions.of(type) != null;
    }

    /** A node's new region of a type has greeted. */
    void greetBack(NodeId from, String type) {
        Hosting present = of(type);
        if (present != null && present.region().status() != RegionStatus.LEFT) {
            present.lanes.forEach(lane -> lane.greet(from));
        }
        node.send(from, new Network.Greeted(type));
    }

    void greeted(NodeId from, String type) {
        Slot slot = slots.get(type);
        if (slot != null && slot.ungreeted.remove(from) && slot.ungreeted.isEmpty()) {
            add(slot, slot.hosting);
        }
    }

    /** A frame for a lane; between two regions no lane listens. */
    void receive(Network.Frame frame) {
        Hosting present = of(frame.type());
        if (present != null && present.region().status() != RegionStatus.LEFT && frame.lane() < present.lanes.size()) {
            present.lanes.get(frame.lane()).receive(frame);
        }
    }

    /** All regions end in good order. */
    void end() {
        for (Hosting hosting : new ArrayList<>(all())) {
            if (!hosting.isEnding() && hosting.region().status() != RegionStatus.LEFT) {
                end(hosting);
            }
        }
    }

    /** The regions that have not ended in good order stop at once. */
    void stopAll() {
        all().stream()
                .filter(hosting -> hosting.region().status() != RegionStatus.LEFT)
                .forEach(Hosting::stopNow);
    }

    private void end(Hosting hosting) {
        if (node.control.machine().regionEnd(hosting.region().status(), false) == RegionEnd.STOP) {
            hosting.stopNow();
        } else {
            hosting.leave();
        }
    }

    boolean haveLeft() {
        return all().stream().allMatch(hosting -> hosting.region().status() == RegionStatus.LEFT);
    }

    boolean areRegistered() {
        return all().stream().allMatch(hosting -> hosting.region().status() == RegionStatus.REGISTERED);
    }

    /** Whether one was told to leave or to stop. */
    boolean isEnding() {
        return all().stream().anyMatch(Hosting::isEnding);
    }
}
