package io.shardbus.simulation;

import io.shardbus.NodeId;
import io.shardbus.simulation.SimulationOptions.Witnesses;
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
        if (world.options().witness != Witnesses.NONE) {
            found.forEach(undecided::remove);
            vanished.forEach(member -> {
                undecided.add(member);
                ask(member);
            });
        }
    }

    private void ask(NodeId member) {
        boolean dead = world.node(member) == null || world.options().witness == Witnesses.RASH;
        world.scheduler().after(1 + node.dice.nextInt(60), () -> node.onControl(0, () -> answered(member, dead)));
    }

    private void answered(NodeId member, boolean dead) {
        if (dead && undecided.remove(member)) {
            world.timeline().turn(node, "knows dead", member);
            node.decisions.excused(member);
            node.reign.provenDead(member, !undecided.isEmpty());
        } else if (undecided.contains(member)) {
            world.scheduler().after(PAUSE, () -> node.onControl(0, () -> ask(member)));
        }
    }
}
