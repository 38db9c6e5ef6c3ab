package io.shardbus.simulation;

import io.shardbus.NodeId;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.simulation.SimulationOptions.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What goes wrong, and what operators do. A majority of the members stays, so that the cluster can go on. */
final class Faults {
    private static final int MOST_NODES = 7;

    private final Simulation world;
    private final Random random;
    private boolean stopped;

    Faults(Simulation world) {
        this.world = world;
        this.random = world.random();
    }

    void start() {
        if (world.options().faults.isEmpty()) {
            return;
        }
        world.scheduler().after(random.nextInt((int) (2 * world.options().faultPause)), () -> {
            if (!stopped) {
                List<Fault> possible = List.copyOf(world.options().faults);
                inflict(possible.get(random.nextInt(possible.size())));
                start();
            }
        });
    }

    /** No new faults, and an end of those that last. */
    void stop() {
        stopped = true;
        world.network().heal();
        world.alive().stream().filter(SimNode::isSilent).forEach(SimNode::thaw);
        world.scheduler().after(300, world.membership()::merge);
        world.scheduler().after(1_500, world.membership()::merge);
    }

    void inflict(Fault fault) {
        world.timeline().add("-", "fault", fault);
        switch (fault) {
            case CRASH -> crash(anyone());
            case COORDINATOR_CRASH -> crash(world.coordinatorNode());
            case JOIN -> join();
            case LEAVE -> leave(anyone());
            case COORDINATOR_LEAVE -> leave(world.coordinatorNode());
            case CUT -> cut();
            case STALL -> stall();
            case REBALANCE -> atCoordinator(new CoordinatorEvent.RebalanceRequested());
            case DRAIN -> drain(anyone());
            case FREEZE -> freeze(anyone(), 20 + random.nextInt(random.nextBoolean() ? 300 : 4_000));
            case PARTITION -> partition();
        }
    }

    private @Nullable SimNode anyone() {
        List<SimNode> nodes = world.staying();
        return nodes.isEmpty() ? null : nodes.get(random.nextInt(nodes.size()));
    }

    long detection() {
        return 250L + random.nextInt(350);
    }

    void crash(@Nullable SimNode node) {
        if (node == null
                || !world.membership().canLose(Set.of(node.id))
                || world.network().isSplit()) {
            return;
        }
        node.crash();
        world.scheduler().after(detection(), () -> world.membership().suspect(node.id));
        if (random.nextBoolean()) {
            world.scheduler().after(100 + random.nextInt(3_000), this::join);
        }
    }

    void join() {
        if (world.staying().size() < MOST_NODES && !world.network().isSplit()) {
            world.addNode();
        }
    }

    void leave(@Nullable SimNode node) {
        if (node == null || !node.isStaying() || !othersAccept(node)) {
            return;
        }
        node.leave();
        if (random.nextBoolean()) {
            world.scheduler().after(100 + random.nextInt(2_000), this::join);
        }
    }

    private void cut() {
        SimNode a = anyone();
        SimNode b = anyone();
        if (a != null && b != null) {
            world.network().cut(a.id, b.id);
        }
    }

    private void stall() {
        SimNode a = anyone();
        SimNode b = anyone();
        if (a != null && b != null && a != b) {
            world.network().stall(a.id, b.id, 100 + random.nextInt(random.nextBoolean() ? 800 : 6_000));
        }
    }

    private void atCoordinator(CoordinatorEvent event) {
        SimNode coordinator = world.coordinatorNode();
        if (coordinator != null) {
            coordinator.onControl(0, () -> coordinator.reign.step(event));
        }
    }

    /** Whether two nodes are left that take shards: when all drain or leave, shards have no home at all. */
    private boolean othersAccept(SimNode node) {
        return world.staying().stream()
                        .filter(other -> other != node && !other.drained)
                        .count()
                >= 2;
    }

    private void drain(@Nullable SimNode node) {
        if (node != null && othersAccept(node)) {
            node.drained = true;
            atCoordinator(new CoordinatorEvent.DrainRequested(node.id));
            world.scheduler().after(500 + random.nextInt(2_500), () -> leave(node));
        }
    }

    void freeze(@Nullable SimNode node, long millis) {
        if (node == null || node.isSilent() || !world.membership().canLose(Set.of(node.id))) {
            return;
        }
        node.freeze();
        world.scheduler().after(detection(), () -> world.membership().suspect(node.id));
        world.scheduler().after(millis, () -> {
            if (!node.isGone() && node.isSilent()) {
                node.thaw();
                world.scheduler().after(300 + random.nextInt(1_200), world.membership()::merge);
            }
        });
    }

    private void partition() {
        List<NodeId> nodes =
                new ArrayList<>(world.alive().stream().map(node -> node.id).toList());
        if (world.network().isSplit() || nodes.size() < 2) {
            return;
        }
        java.util.Collections.shuffle(nodes, random);
        Set<NodeId> side =
                nodes.stream().limit(1 + random.nextInt(nodes.size() - 1)).collect(Collectors.toSet());
        split(side, 300 + random.nextInt(5_000));
    }

    void split(Set<NodeId> side, long millis) {
        world.timeline().add("-", "split", side);
        world.network().split(side);
        world.scheduler().after(detection(), world.membership()::splitSeen);
        world.scheduler().after(millis, () -> {
            world.timeline().add("-", "heals", "");
            world.network().heal();
            world.scheduler().after(300 + random.nextInt(1_200), world.membership()::merge);
        });
    }
}
