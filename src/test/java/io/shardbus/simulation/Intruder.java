package io.shardbus.simulation;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** A client of the network that is no node: it makes messages up, in its own name and in that of members. */
final class Intruder {
    private static final NodeId STRANGER = new NodeId("stranger");
    private static final long PAUSE = 150;
    /** More than terms are ahead of any clock, in milliseconds. */
    private static final long FAR = 100_000_000;

    private final Simulation world;
    private final SplittableRandom dice;

    Intruder(Simulation world) {
        this.world = world;
        this.dice = world.dice("intruder");
    }

    void start() {
        world.scheduler().after(1 + dice.nextInt((int) PAUSE), this::intrude);
    }

    private void intrude() {
        List<SimNode> nodes = world.alive();
        if (world.faults().areOver() || nodes.isEmpty()) {
            return;
        }
        SimNode victim = nodes.get(dice.nextInt(nodes.size()));
        NodeId member = nodes.get(dice.nextInt(nodes.size())).id;
        NodeId named = dice.nextInt(3) == 0 ? STRANGER : member;
        Network.Packet packet = named.equals(STRANGER) && dice.nextBoolean()
                ? takenForCoordinator(victim)
                : packet(victim.knownTerm(), member);
        world.timeline().add(named, "is forged to " + victim, packet);
        victim.run(() -> victim.receive(named, packet));
        start();
    }

    private Network.Packet packet(TermId known, NodeId member) {
        return switch (dice.nextInt(6)) {
            case 0 -> announced(new TermId(Long.MAX_VALUE, 1), member);
            case 1 -> announced(new TermId(known.number() + FAR, dice.nextLong()), STRANGER);
            case 2 -> announced(new TermId(known.number() + 1 + dice.nextInt(3), 1), member);
            case 3 -> new Network.ForAll(new NodeMessage.NodeLeaving(STRANGER, true));
            case 4 ->
                new Network.ForAll(new NodeMessage.Abdicated(
                        new TermId(known.number() - 1, 1), Map.of("a type that there is not", Set.of(STRANGER))));
            default ->
                new Network.ForCoordinator(
                        new TermId(FAR + known.number(), -1), Simulation.TYPE, new ToCoordinator.Leave(1));
        };
    }

    /** What only the coordinator says to a region: a shard is yours. A stranger knows all but how to be a member. */
    private Network.Packet takenForCoordinator(SimNode victim) {
        TermId term = victim.knownTerm();
        FencingToken token = new FencingToken(term.number(), term.incarnation(), 1_000_000 + dice.nextInt(1_000));
        int shard = dice.nextInt(victim.hosting().type.shards());
        long attempt = victim.hosting().attempt();
        return new Network.ForRegion(term, Simulation.TYPE, new ToRegion.HostShard(attempt, shard, token));
    }

    private static Network.Packet announced(TermId term, NodeId coordinator) {
        return new Network.ForAll(new NodeMessage.TermAnnounced(term, coordinator));
    }
}
