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

/**
 * A client of the network that is no node: it makes messages up, in its own name and in that of members. It forges no
 * message that its sender could send at that moment and whose words a node has to take: a goodbye in the leaving node's
 * own name, an abdication in the name of the term's owner, a report of the shards that a region has stopped.
 */
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
                : packet(victim.knownTerm(), member, nodes.get(dice.nextInt(nodes.size())).id);
        world.timeline().add(named, "is forged to " + victim, packet);
        victim.run(() -> victim.receive(named, packet));
        start();
    }

    private Network.Packet packet(TermId known, NodeId member, NodeId other) {
        return switch (dice.nextInt(8)) {
            case 0 -> announced(new TermId(Long.MAX_VALUE, 1), member);
            case 1 -> announced(new TermId(known.number() + FAR, dice.nextLong()), STRANGER);
            case 2 -> announced(new TermId(known.number() + 1 + dice.nextInt(3), 1), member);
            case 3 -> farewell(STRANGER);
            case 4 ->
                new Network.ForAll(new NodeMessage.Abdicated(
                        new TermId(known.number() - 1, 1), Map.of("a type that there is not", Set.of(STRANGER))));
            case 5 -> farewell(other.equals(member) ? STRANGER : other);
            case 6 -> isOwner(member, known) ? farewell(STRANGER) : givenUp(known);
            default ->
                new Network.ForCoordinator(
                        new TermId(FAR + known.number(), -1), Simulation.TYPE, new ToCoordinator.Leave(1));
        };
    }

    /** That a node leaves, which another one says. */
    private static Network.Packet farewell(NodeId leaving) {
        return new Network.ForAll(new NodeMessage.NodeLeaving(leaving, true));
    }

    /** What only the owner of a term may say: it has given up the term, and no region holds a lease of it. */
    private static Network.Packet givenUp(TermId term) {
        return new Network.ForAll(new NodeMessage.Abdicated(term, Map.of(Simulation.TYPE, Set.of())));
    }

    private static boolean isOwner(NodeId node, TermId term) {
        return node.equals(new NodeId("n" + term.incarnation()));
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
