package io.shardbus.simulation;

import io.shardbus.NodeId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** One node's witness: it is asked about every member that vanished, and tells the truth about processes, over any partition. */
final class Witness {
    private static final long PAUSE = 40;

    private final SimNode node;
    private final Simulation world;
    private final Set<NodeId> undecided = new HashSet<>();

    Witness(SimNode node) {
        this.node = node;
        this.world = node.world;
    }

    void viewChanged(Collection<NodeId> vanished, Collection<NodeId> found) {
        if (world.options().witness) {
            found.forEach(undecided::remove);
            vanished.forEach(member -> {
                undecided.add(member);
                ask(member);
            });
        }
    }

    private void ask(NodeId member) {
        boolean dead = world.options().sabotage.isDead(world.node(member) == null);
        world.scheduler().after(world.delay(), () -> node.onControl(0, () -> answered(member, dead)));
    }

    private void answered(NodeId member, boolean dead) {
        if (dead && undecided.remove(member)) {
            world.timeline().add(node, "knows dead", member);
            node.reign.provenDead(member, !undecided.isEmpty());
        } else if (undecided.contains(member)) {
            world.scheduler().after(PAUSE, () -> node.onControl(0, () -> ask(member)));
        }
    }
}
