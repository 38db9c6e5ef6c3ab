package io.shardbus.simulation;

import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Processes that start and end while others are not reached: what founds clusters. */
final class Starts {
    private static final int MOST_NODES = 10;
    private static final int SIDE = 7;

    private final Simulation world;
    private final Faults faults;
    private int sides;
    private boolean over;

    Starts(Simulation world, Faults faults) {
        this.world = world;
        this.faults = faults;
    }

    void inflict(Fault fault, SplittableRandom random) {
        switch (fault) {
            case START_APART -> startApart(1 + random.nextInt(3), random);
            case EXODUS -> exodus(1 + random.nextInt(2), random);
            case BLACKOUT -> blackout(random);
            case SEAT_RESTART -> restart(random);
            case RELICT -> relict(random);
            case SECESSION -> secede(random);
            case LATECOMER -> latecomer(random);
            case GROWING_MINORITY -> growMinority(random);
            case CRASH_LOOP -> crashLoop(random);
            case LOST_AGAIN -> loseAgain(random);
            case OUTLIVED -> outlive(random);
            default -> throw new IllegalArgumentException(fault.toString());
        }
    }

    /** Processes join those that go on without one node, and the others die, mostly within a lease of its loss. */
    private void outlive(SplittableRandom random) {
        SimNode apart = faults.anyone();
        List<SimNode> dying =
                world.staying().stream().filter(node -> node != apart).toList();
        boolean calm = world.membership().isWhole() && world.alive().size() == dying.size() + 1;
        if (apart == null || dying.isEmpty() || dying.size() + 3 > MOST_NODES || !calm || faults.isTroubled()) {
            return;
        }
        world.timeline().turn(apart, "is outlived", dying);
        List<NodeId> others = dying.stream().map(node -> node.id).toList();
        long duration = 3_500L + random.nextInt(3_000);
        boolean frozen = random.nextBoolean();
        if (frozen) {
            faults.freeze(apart, duration - 500);
        }
        faults.split(List.of(others, List.of(apart.id)), duration);
        faults.later(700 + random.nextInt(300), () -> {
            SimNode beside = dying.get(0);
            for (int i = 0; i < 2 && !beside.isGone() && world.network().isSplit(); i++) {
                world.addNodeBeside(beside, "");
            }
        });
        long death = 1_100L + random.nextInt(500);
        for (SimNode node : dying) {
            faults.later(death, () -> {
                if (world.network().isSplit() && !node.isGone()) {
                    node.crash();
                    world.scheduler().after(250, () -> world.membership().suspect(node.id));
                }
            });
            death += 300 + random.nextInt(200);
        }
    }

    /** At the end every seat is held, and all meet. */
    void stop() {
        over = true;
        if (world.options().startsApart) {
            world.scheduler().after(200, this::fillSeats);
            for (int i = 1; i < 10; i++) {
                world.scheduler().after(1_500L * i, () -> {
                    fillSeats();
                    world.membership().merge();
                });
            }
        }
    }

    private void fillSeats() {
        start(world.seats().free(), 0);
    }

    private void start(List<String> seats, int side) {
        for (String seat : seats) {
            world.addNodesApart(List.of(seat), side);
        }
        if (!world.network().isSplit()) {
            return;
        }
        if (side == 0 && over) {
            world.network().heal();
        }
    }

    void join(SplittableRandom random) {
        if (world.alive().size() < MOST_NODES) {
            SimNode beside = faults.anyone();
            int side = beside == null ? 0 : world.network().side(beside.id);
            world.addNodesApart(List.of(seat(random)), side);
            meetLater(side, random);
        }
    }

    /** A free seat, or none. */
    private String seat(SplittableRandom random) {
        List<String> free = world.seats().free();
        return free.isEmpty() || random.nextInt(4) == 0 ? "" : free.get(random.nextInt(free.size()));
    }

    private void startApart(int count, SplittableRandom random) {
        if (world.alive().size() + count > MOST_NODES) {
            return;
        }
        int side = SIDE + ++sides;
        for (int i = 0; i < count; i++) {
            world.addNodesApart(List.of(seat(random)), side);
        }
        meetLater(side, random);
        healLater(500 + random.nextInt(7_000), random);
    }

    /** Processes on one side that are not in one group yet find each other. */
    private void meetLater(int side, SplittableRandom random) {
        faults.later(300L + random.nextInt(1_200), () -> world.membership().meet(side));
    }

    private void healLater(long millis, SplittableRandom random) {
        long untilMerge = 300L + random.nextInt(1_200);
        world.scheduler().after(millis, () -> {
            if (!over) {
                world.timeline().turn("-", "heals", "");
                world.network().heal();
                world.scheduler().after(untilMerge, world.membership()::merge);
            }
        });
    }

    private void exodus(int left, SplittableRandom random) {
        List<SimNode> all = new ArrayList<>(world.staying());
        long at = 0;
        while (all.size() > left) {
            SimNode next = all.remove(random.nextInt(all.size()));
            faults.later(at, () -> leaveOthers(next));
            at += 100 + random.nextInt(900);
        }
    }

    /** Two departures of all but one may overlap: the last process stays. */
    private void leaveOthers(SimNode node) {
        if (world.staying().size() > 1) {
            node.leave();
        }
    }

    private void blackout(SplittableRandom random) {
        world.alive().forEach(this::crash);
        faults.later(200 + random.nextInt(1_000), () -> startApart(1 + random.nextInt(3), random));
    }

    private void restart(SplittableRandom random) {
        SimNode node = faults.anyone();
        if (node == null || node.seat.isEmpty()) {
            return;
        }
        NodeId id = node.id;
        boolean apart = random.nextBoolean();
        int side = apart ? SIDE + ++sides : world.network().side(id);
        long pause = 50L + random.nextInt(1_500);
        long until = 500L + random.nextInt(7_000);
        node.crash();
        world.scheduler()
                .after(250L + random.nextInt(350), () -> world.membership().suspect(id));
        faults.later(pause, () -> {
            if (world.seats().free().contains(node.seat)) {
                world.addNodesApart(List.of(node.seat), side);
                meetLater(side, random);
                if (apart) {
                    healLater(until, random);
                }
            }
        });
    }

    /** At least two processes without a seat. */
    private void addOutsiders() {
        long outsiders =
                world.staying().stream().filter(node -> node.seat.isEmpty()).count();
        for (long i = outsiders; i < 2; i++) {
            world.addNodesApart(List.of(""), 0);
        }
    }

    /**
     * The seats are cut off from more processes that hold none, and found the cluster anew; then one of them is cut off
     * from the other seats and meets those processes again.
     */
    private void secede(SplittableRandom random) {
        List<SimNode> holders =
                world.staying().stream().filter(node -> !node.seat.isEmpty()).toList();
        int outsiders = holders.size() + 1;
        if (world.network().isSplit() || holders.size() < 3 || holders.size() + outsiders > MOST_NODES) {
            return;
        }
        for (int i = world.staying().size() - holders.size(); i < outsiders; i++) {
            world.addNodesApart(List.of(""), 0);
        }
        int side = SIDE + ++sides;
        SimNode one = holders.get(random.nextInt(holders.size()));
        faults.later(1_200, () -> holders.forEach(holder -> world.network().put(holder.id, side)));
        faults.later(1_600, world.membership()::splitSeen);
        long goesOver = 8_500L + random.nextInt(2_000);
        faults.later(goesOver, () -> {
            world.timeline().turn(one, "goes over", "");
            world.network().put(one.id, 0);
        });
        faults.later(goesOver + 400, world.membership()::splitSeen);
        faults.later(goesOver + 900, () -> world.membership().meet(0));
        healLater(goesOver + 7_000 + random.nextInt(2_000), random);
    }

    private void relict(SplittableRandom random) {
        if (world.network().isSplit()) {
            return;
        }
        addOutsiders();
        int side = SIDE + ++sides;
        List<SimNode> holders =
                world.staying().stream().filter(node -> !node.seat.isEmpty()).toList();
        long left = 300L + random.nextInt(600);
        for (SimNode holder : holders) {
            // the last one is refused to leave before the others
            boolean isLast = holder == holders.get(holders.size() - 1);
            faults.later(left, isLast ? () -> crash(holder) : holder::leave);
            left += 50 + random.nextInt(250);
        }
        faults.later(left + 400, () -> world.addNodesApart(world.seats().free(), side));
        faults.later(left + 700, () -> world.membership().meet(side));
        faults.later(left + 3_200 + random.nextInt(1_500), () -> returnAlone(side, random));
        healLater(left + 8_500 + random.nextInt(3_000), random);
    }

    /** One of those on a side crashes, and starts again among the others. */
    private void returnAlone(int side, SplittableRandom random) {
        List<SimNode> there = world.staying().stream()
                .filter(node -> !node.seat.isEmpty() && world.network().side(node.id) == side)
                .toList();
        if (there.isEmpty()) {
            return;
        }
        SimNode one = there.get(random.nextInt(there.size()));
        one.crash();
        world.scheduler().after(300, () -> world.membership().suspect(one.id));
        faults.later(400, () -> {
            if (world.seats().free().contains(one.seat)) {
                world.addNodesApart(List.of(one.seat), 0);
                meetLater(0, random);
            }
        });
    }

    private void growMinority(SplittableRandom random) {
        SimNode one = faults.anyone();
        if (one == null || world.network().isSplit() || world.staying().size() < 3) {
            return;
        }
        int side = SIDE + ++sides;
        world.timeline().turn(one, "is cut off", "");
        world.network().put(one.id, side);
        faults.later(250L + random.nextInt(350), world.membership()::splitSeen);
        faults.later(900, () -> {
            for (int i = 1 + random.nextInt(2); i > 0; i--) {
                world.addNodesApart(List.of(seat(random)), side);
            }
        });
        meetLater(side, random);
        faults.later(1_500L + random.nextInt(500), () -> world.membership().meet(side));
        healLater(6_000 + random.nextInt(3_000), random);
    }

    /** One seat starts again behind a cut and waits there; then the others crash, and start beside it at once. */
    private void latecomer(SplittableRandom random) {
        if (world.network().isSplit()) {
            return;
        }
        addOutsiders();
        int side = SIDE + ++sides;
        List<SimNode> holders =
                world.staying().stream().filter(node -> !node.seat.isEmpty()).toList();
        long at = 400L + random.nextInt(400);
        for (SimNode holder : holders) {
            faults.later(at, () -> {
                if (holder.isStaying()) {
                    holder.crash();
                    world.scheduler().after(300, () -> world.membership().suspect(holder.id));
                }
            });
            faults.later(at + 50, () -> world.addNodesApart(world.seats().free(), side));
            at += holder == holders.get(0) ? 2_600 + random.nextInt(1_000) : 20;
        }
        faults.later(at + 60, () -> world.membership().meet(side));
        faults.later(at + 400, () -> world.membership().meet(side));
        healLater(at + 4_000 + random.nextInt(2_000), random);
    }

    /**
     * All but one process crash at once, and their seats start again; one without a seat crashes and starts again until
     * its region is registered.
     */
    private void crashLoop(SplittableRandom random) {
        SimNode last = world.staying().stream()
                .filter(node -> !node.seat.isEmpty())
                .findFirst()
                .orElse(null);
        if (last == null || world.network().isSplit() || world.staying().size() < 3) {
            return;
        }
        for (SimNode node : world.staying()) {
            if (node != last) {
                crash(node);
            }
        }
        faults.later(1_000L + random.nextInt(2_000), () -> {
            world.seats().free().forEach(seat -> world.addNodeBeside(last, seat));
            startAgain(last, 700L + random.nextInt(700));
        });
    }

    /**
     * What one side has left behind long ago is still awaited when it has lost all others, and knows that they are
     * dead.
     */
    private void loseAgain(SplittableRandom random) {
        SimNode last = survivor();
        if (last == null || !world.membership().isWhole()) {
            return;
        }
        List<SimNode> others =
                world.staying().stream().filter(node -> node != last).toList();
        SimNode first = others.get(random.nextInt(others.size()));
        first.unproven = true;
        crash(first);
        faults.later(1_000, () -> startBeside(last));
        faults.later(3_000L + random.nextInt(2_000), () -> {
            world.staying().stream().filter(node -> node != last).forEach(this::crash);
            faults.later(400L + random.nextInt(600), () -> startBeside(last));
        });
    }

    private @Nullable SimNode survivor() {
        List<SimNode> seated =
                world.staying().stream().filter(node -> !node.seat.isEmpty()).toList();
        return seated.isEmpty() || world.staying().size() < 3 || world.network().isSplit() ? null : seated.get(0);
    }

    private void startBeside(SimNode last) {
        if (!last.isGone()) {
            world.seats().free().forEach(seat -> world.addNodeBeside(last, seat));
        }
    }

    private void startAgain(SimNode beside, long life) {
        if (world.isAtRest() || beside.isGone()) {
            return;
        }
        SimNode node = world.addNodeBeside(beside, "");
        faults.later(life, () -> {
            if (!node.isGone() && node.hosting().region().status() != RegionStatus.REGISTERED) {
                crash(node);
                world.scheduler().after(400, () -> startAgain(beside, life));
            }
        });
    }

    private void crash(SimNode node) {
        node.crash();
        world.scheduler().after(300, () -> world.membership().suspect(node.id));
    }
}
