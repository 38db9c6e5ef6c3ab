package io.shardbus.simulation;

import io.shardbus.model.NodeId;
import io.shardbus.simulation.SimulationOptions.Witnesses;
import java.util.Collection;

/**
 * One node's witness: it is asked about every member that vanished, and tells the truth about processes, over any
 * partition.
 */
final class Witness {
    private static final long PAUSE = 40;

    private final SimNode node;
    private final Simulation world;

    Witness(SimNode node) {
        this.node = node;
        this.world = node.world;
    }

    void askAbout(Collection<NodeId> vanished) {
        if (world.options().witness != Witnesses.NONE) {
            long delay = world.options().witnessDelay;
            vanished.forEach(member -> world.scheduler().after(delay, () -> node.onControl(0, () -> ask(member))));
        }
    }

    private void ask(NodeId member) {
        boolean dead = world.isProvenDead(member) || world.options().witness == Witnesses.RASH;
        world.scheduler().after(1 + node.dice.nextInt(60), () -> node.onControl(0, () -> answered(member, dead)));
    }

    private void answered(NodeId member, boolean dead) {
        if (dead) {
            node.control.run((machine, at) -> machine.provenDead(member, at));
        }
        if (node.control.machine().peers().status(member).isLost()) {
            world.scheduler().after(PAUSE, () -> node.onControl(0, () -> ask(member)));
        }
    }
}
