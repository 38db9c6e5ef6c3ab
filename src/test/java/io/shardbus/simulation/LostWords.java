package io.shardbus.simulation;

import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.model.NodeId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Faults of what is said between coordinators, regions and the term record, which no view shows. */
final class LostWords {
    private final Simulation world;
    private final Faults faults;
    /** Regions that another fault is about to restore. */
    private final Set<NodeId> silenced = new HashSet<>();

    LostWords(Simulation world, Faults faults) {
        this.world = world;
        this.faults = faults;
    }

    void inflict(Fault fault, SplittableRandom random) {
        SimNode coordinator = world.coordinatorNode();
        SimNode region = faults.anyone();
        if (coordinator == null || region == null || region == coordinator) {
            return;
        }
        switch (fault) {
            case MUFFLED, UNHEARD, DEAF -> silence(coordinator, region, fault, random);
            case LEFT_BEHIND -> leaveBehind(coordinator, region, random);
            case RELAPSE -> relapse(coordinator, region, random);
            case UNWRITTEN -> leaveUnwritten(coordinator, region, random);
            case LATE_ANSWER -> answerLate(coordinator, random);
            default -> oust(coordinator, random);
        }
    }

    void stop() {
        world.alive().forEach(LostWords::restore);
    }

    private static void restore(SimNode node) {
        node.deaf = false;
        node.unheard = false;
    }

    /** Briefly, so that only messages are lost; or for longer than leases last and stops take. */
    private void silence(SimNode coordinator, SimNode region, Fault fault, SplittableRandom random) {
        if (!silenced.add(region.id)) {
            return;
        }
        boolean deaf = fault == Fault.DEAF;
        world.timeline().turn(region, deaf ? "is deaf" : "is unheard", "");
        region.deaf = deaf;
        region.unheard = !deaf;
        boolean brief = fault == Fault.MUFFLED;
        long enough = world.options().lease * 2;
        Coordinator present = coordinator.control.coordinator();
        if (!brief) {
            world.scheduler().after(enough, () -> mustHaveNothing(coordinator, present, region));
        }
        faults.later(brief ? 50 + random.nextInt(1_500) : enough + random.nextInt(1_000), () -> {
            world.timeline().turn(region, "is back", "");
            silenced.remove(region.id);
            restore(region);
        });
    }

    /**
     * A reign that has gone on meanwhile has found other homes for the region's shards: if its connections did not
     * stand still, as they keep the word of a region that has lost its lease.
     */
    private void mustHaveNothing(SimNode coordinator, @Nullable Coordinator present, SimNode region) {
        // one that is stopped may have forgotten its shards, and still say that it is there
        boolean silent = (region.deaf || region.unheard) && !region.isSilent() && !region.regions.isEnding();
        boolean reigns = present != null
                && coordinator.control.coordinator() == present
                && present.isOpen()
                && coordinator.control.reigns().hasConfirmedFor(world.options().lease / 2);
        if (!silent || !reigns || world.network().wasStalledWithin(world.options().lease)) {
            return;
        }
        for (CoordinatorView.Region known : present.inspect(coordinator.clock()).regions()) {
            world.check(
                    !known.node().equals(region.id) || known.shards() == 0,
                    coordinator + " leaves shards to " + region + ", which is silent: " + known);
        }
    }

    private void leaveBehind(SimNode coordinator, SimNode region, SplittableRandom random) {
        boolean toRegion = random.nextBoolean();
        SimNode from = toRegion ? coordinator : region;
        SimNode to = toRegion ? region : coordinator;
        int millis = 300 + random.nextInt(random.nextBoolean() ? 700 : 2_700);
        world.network().stall(from.id, to.id, millis);
        SplittableRandom dice = random.split();
        faults.later(millis - 1, () -> world.network().reconnect(from.id, to.id, dice));
    }

    private void relapse(SimNode coordinator, SimNode region, SplittableRandom random) {
        if (!silenced.add(region.id)) {
            return;
        }
        long lease = world.options().lease;
        long first = lease + 300 + random.nextInt(500);
        long until = first + 300 + random.nextInt(500);
        long second = until + lease + 200 + random.nextInt(300);
        long late = second - first + 200 + random.nextInt(1_500);
        SplittableRandom dice = random.split();
        world.network().stall(region.id, coordinator.id, first);
        faults.later(first - 1, () -> world.network().reconnect(region.id, coordinator.id, dice, late));
        faults.later(until, () -> {
            world.timeline().turn(region, "is deaf", "again");
            region.deaf = true;
        });
        faults.later(second, () -> {
            world.timeline().turn(region, "is back", "");
            silenced.remove(region.id);
            restore(region);
        });
    }

    private void answerLate(SimNode coordinator, SplittableRandom random) {
        if (faults.isTroubled()) {
            return;
        }
        long now = world.scheduler().now();
        long late = 500L + random.nextInt(1_000);
        long cut = 500L + random.nextInt(1_500);
        world.timeline().turn(coordinator, "hears late", "of its writes, by " + late);
        world.store().answerLate(coordinator.id, late, now + cut);
        faults.later(cut, () -> faults.cutOff(coordinator));
        faults.later(cut + world.options().lease * 3 / 2 + random.nextInt(1_500), () -> {
            world.timeline().turn(coordinator, "is back", "");
            world.network().mendAll();
            world.scheduler().after(300L + random.nextInt(1_200), world.membership()::merge);
        });
    }

    private void oust(SimNode coordinator, SplittableRandom random) {
        if (faults.isTroubled() || !world.membership().canLose(Set.of(coordinator.id))) {
            return;
        }
        world.timeline().turn(coordinator, "is ousted", "");
        coordinator.views.deliver(1_200 + random.nextInt(800), () -> {});
        world.membership().expel(coordinator.id);
        world.scheduler().after(300L + random.nextInt(600), world.membership()::merge);
    }

    private void leaveUnwritten(SimNode coordinator, SimNode region, SplittableRandom random) {
        if (faults.isTroubled()) {
            return;
        }
        long millis = world.options().lease + 500 + random.nextInt(5_000);
        world.timeline().turn(coordinator, "cannot write", "and only it reaches " + region);
        world.store().loseWrites(coordinator.id, world.scheduler().now() + millis);
        List<SimNode> others = world.alive().stream()
                .filter(other -> other != coordinator && other != region)
                .filter(other -> !other.id.equals(world.membership().primary(coordinator.id)))
                .toList();
        for (SimNode other : others) {
            world.network().cutOneWay(other.id, region.id);
            world.network().cutOneWay(region.id, other.id);
        }
        world.network().hold(random.nextBoolean());
        world.scheduler().after(millis, () -> {
            world.timeline().turn(region, "is reached", others);
            for (SimNode other : others) {
                world.network().mendOneWay(other.id, region.id);
                world.network().mendOneWay(region.id, other.id);
            }
        });
    }
}
