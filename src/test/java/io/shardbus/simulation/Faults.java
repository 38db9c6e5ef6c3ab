package io.shardbus.simulation;

import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What goes wrong, and what operators do. A majority of the members stays, so that the cluster can go on. */
final class Faults {
    /** How long a loss may stay unnoticed on one side when another has noticed it. */
    static final long LATEST_DETECTION = 1_300;

    private static final int MOST_NODES = 7;

    private final Simulation world;
    private final LostWords words;
    private final Starts starts;
    private final Operators operators;
    private final ShardOperators shardOperators;
    private SplittableRandom random;
    private boolean stopped;
    private int following;

    Faults(Simulation world) {
        this.world = world;
        this.random = world.dice("faults");
        this.words = new LostWords(world, this);
        this.starts = new Starts(world, this);
        this.operators = new Operators(world, this);
        this.shardOperators = new ShardOperators(world, this);
    }

    void start(List<Schedule.Step> steps) {
        for (Schedule.Step step : steps) {
            world.scheduler().after(step.at() - world.scheduler().now(), () -> {
                if (!stopped) {
                    random = new SplittableRandom(step.dice());
                    inflict(step.fault());
                }
            });
        }
    }

    /** No new faults, and an end of those that last. */
    void stop() {
        stopped = true;
        world.network().mendAll();
        world.store().slow(1, 0);
        world.orders().calm();
        words.stop();
        world.idStore().trouble(0);
        world.alive().stream().filter(SimNode::isSilent).forEach(SimNode::thaw);
        starts.stop();
        operators.stop();
        shardOperators.stop();
        if (world.types().size() > 1) {
            later(2_500, this::fillTypes);
        }
        world.scheduler().after(300, world.membership()::merge);
        world.scheduler().after(1_500, world.membership()::merge);
    }

    void later(long delay, Runnable fault) {
        following++;
        world.scheduler().after(delay, () -> {
            following--;
            fault.run();
        });
    }

    /** Whether nothing is to come that follows from a fault. */
    boolean areOver() {
        return stopped && following == 0 && !world.network().isStalled();
    }

    void inflict(Fault fault) {
        world.timeline().turn("-", "fault", fault);
        switch (fault) {
            case CRASH -> crash(anyone());
            case COORDINATOR_CRASH -> crash(world.coordinatorNode());
            case JOIN -> join();
            case LEAVE -> leave(anyone());
            case COORDINATOR_LEAVE -> leave(world.coordinatorNode());
            case CUT -> cut();
            case RECONNECT -> reconnect();
            case STALL -> stall(random.nextInt(random.nextBoolean() ? 800 : 6_000));
            case SHORT_STALL -> stall(random.nextInt(600));
            case STRAND -> strand(anyone(), anyone(), world.coordinatorNode());
            case STORE_STALL -> stallStore();
            case MEMORY_STALL -> world.idStore().trouble(world.scheduler().now() + 200 + random.nextInt(3_000));
            case REBALANCE -> rebalance();
            case RESTART -> restart(anyone());
            case HASTY_RESTART -> restartHastily(anyone());
            case FREEZE -> freeze(anyone(), freezeTime());
            case COORDINATOR_FREEZE -> freeze(world.coordinatorNode(), freezeTime());
            case SUSPEND -> suspend(anyone(), suspendTime());
            case COORDINATOR_SUSPEND -> suspend(world.coordinatorNode(), suspendTime());
            case CLOCK_SET -> setClock(anyone());
            case COORDINATOR_CLOCK_SET -> setClock(world.coordinatorNode());
            case PARTITION -> partition(2);
            case SHATTER -> partition(2 + random.nextInt(3));
            case ONE_WAY -> cutOneWay();
            case REGROUP -> regroup();
            case MEETING -> splitAndMeet();
            case DEPOSE -> depose(world.coordinatorNode());
            case MUFFLED, UNHEARD, DEAF, LEFT_BEHIND, RELAPSE, UNWRITTEN, LATE_ANSWER, OUSTED ->
                words.inflict(fault, random);
            case DRAIN, RETREAT, ANNOUNCE -> operators.inflict(fault, random);
            case ORDER -> shardOperators.inflict(random);
            case HOST_TYPE -> hostType(anyone());
            case START_APART,
                    EXODUS,
                    BLACKOUT,
                    SEAT_RESTART,
                    RELICT,
                    SECESSION,
                    OUTLIVED,
                    LATECOMER,
                    GROWING_MINORITY,
                    CRASH_LOOP,
                    LOST_AGAIN -> starts.inflict(fault, random);
        }
    }

    @Nullable
    SimNode anyone() {
        List<SimNode> nodes = world.staying();
        return nodes.isEmpty() ? null : nodes.get(random.nextInt(nodes.size()));
    }

    private long detection() {
        return 250L + random.nextInt(350);
    }

    private long freezeTime() {
        return 20L + random.nextInt(random.nextBoolean() ? 300 : 4_000);
    }

    /** Mostly so long that others have its shards when it wakes up. */
    private long suspendTime() {
        return 20L + (random.nextInt(4) == 0 ? random.nextInt(300) : 2_000 + random.nextInt(4_000));
    }

    void crash(@Nullable SimNode node) {
        if (node == null || !mayCrash(node)) {
            return;
        }
        node.crash();
        world.scheduler().after(detection(), () -> world.membership().suspect(node.id));
        if (random.nextBoolean()) {
            later(100 + random.nextInt(3_000), this::join);
        }
    }

    /** A witness lets any side go on without the dead, under any rule. */
    private boolean mayCrash(SimNode node) {
        if (world.options().startsApart) {
            return world.staying().size() > 1;
        }
        if (rule().decides()) {
            return world.staying().size() > 1 && maySplit();
        }
        return world.membership().canLose(Set.of(node.id)) && !world.network().isSplit();
    }

    private SplitRule rule() {
        return world.options().splitRule;
    }

    /**
     * A weaker rule promises nothing when nodes are lost while not all have met since others were, or crash beside a
     * split.
     */
    private boolean maySplit() {
        return !world.options().hasWeakerRule()
                || world.membership().isWhole()
                        && !world.network().isSplit()
                        && world.alive().size() == world.membership().size()
                        && world.alive().stream()
                                .noneMatch(node -> node.isSilent()
                                        || node.control.isStopped()
                                        || node.control.machine().isUndecided()
                                        || !node.members.equals(
                                                world.membership().replicas(node.id)));
    }

    void join() {
        if (world.options().startsApart) {
            starts.join(random);
            return;
        }
        boolean welcome = !world.network().isSplit()
                && (!rule().decides() || world.membership().isWhole());
        if (world.staying().size() < MOST_NODES && welcome) {
            world.addNode();
        }
    }

    void leave(@Nullable SimNode node) {
        if (world.options().startsApart) {
            if (node != null && node.isStaying() && world.staying().size() > 1) {
                node.leave();
            }
            return;
        }
        boolean unheard =
                node != null && world.network().isSplit() && !world.membership().outlasts(sides(), Set.of(node.id));
        if (node == null || !node.isStaying() || !othersAccept(node) || unheard) {
            return;
        }
        node.leave();
        if (random.nextBoolean()) {
            later(100 + random.nextInt(2_000), this::join);
        }
    }

    /** Leaves if two others stay: as the whole cluster is to stop, its shards need no other home. */
    void leaveFew(SimNode node) {
        if (node.isStaying() && world.staying().size() > 2 && !world.network().isSplit()) {
            node.leave();
        }
    }

    /** Who is on which side of the present split. */
    private Collection<List<NodeId>> sides() {
        TreeMap<Integer, List<NodeId>> sides = new TreeMap<>();
        for (SimNode node : world.alive()) {
            sides.computeIfAbsent(world.network().side(node.id), side -> new ArrayList<>())
                    .add(node.id);
        }
        return sides.values();
    }

    private void cut() {
        SimNode a = anyone();
        SimNode b = anyone();
        if (a != null && b != null) {
            world.network().cut(a.id, b.id);
        }
    }

    private void reconnect() {
        SimNode a = anyone();
        for (SimNode b : world.staying()) {
            if (a != null && a != b && random.nextBoolean()) {
                world.network().reconnect(a.id, b.id, random.split());
                world.network().reconnect(b.id, a.id, random.split());
            }
        }
    }

    private void stall(int millis) {
        SimNode a = anyone();
        SimNode b = anyone();
        if (a != null && b != null && a != b) {
            world.network().stall(a.id, b.id, 100 + millis);
        }
    }

    private void strand(@Nullable SimNode sender, @Nullable SimNode home, @Nullable SimNode coordinator) {
        boolean three = sender != home && home != coordinator;
        if (sender == null || home == null || coordinator == null || !three || isTroubled()) {
            return;
        }
        world.network().stall(sender.id, home.id, 3_500 + random.nextInt(2_500));
        world.timeline().turn(home, "hears not", coordinator);
        world.network().hold(false);
        world.network().cutOneWay(coordinator.id, home.id);
        world.scheduler().after(2_000 + random.nextInt(1_000), () -> {
            world.timeline().turn(home, "hears again", coordinator);
            world.network().mendOneWay(coordinator.id, home.id);
        });
    }

    private void stallStore() {
        int slowness = 100 + random.nextInt(1_500);
        world.store().slow(slowness, world.scheduler().now() + 200 + random.nextInt(3_000));
    }

    private void rebalance() {
        SimNode coordinator = world.coordinatorNode();
        if (coordinator != null) {
            coordinator.onControl(
                    0,
                    () -> world.types()
                            .forEach(type ->
                                    coordinator.control.step(type.name(), new CoordinatorEvent.RebalanceRequested())));
        }
    }

    /**
     * Whether two nodes are left that take shards of each type: when all drain or leave, shards have no home at all.
     */
    boolean othersAccept(SimNode node) {
        return world.types().stream().allMatch(type -> othersAccept(node, type));
    }

    private boolean othersAccept(SimNode node, SimType type) {
        long others = world.staying().stream()
                .filter(other -> other != node && !other.drained && accepts(other, type))
                .filter(other -> !shardOperators.isCordoned(other, type))
                .count();
        boolean runs = type.isMain() || world.rules().hasBegun(type);
        return node.regions.of(type.name()) == null || runs && others >= Math.max(2, type.minimumMembers());
    }

    private static boolean accepts(SimNode node, SimType type) {
        Hosting region = node.regions.of(type.name());
        return region != null && !region.isProxy() && !region.isEnding();
    }

    /** A type begins on a node that has none of it, or the node's proxy becomes a host. */
    private void hostType(@Nullable SimNode node) {
        if (node != null) {
            SimType type = world.types().get(random.nextInt(world.types().size()));
            boolean proxy = random.nextInt(3) == 0;
            node.run(() -> node.regions.host(type, proxy));
        }
    }

    /** At the end each type has hosts, as many as it waits for. */
    void fillTypes() {
        for (SimType type : world.types()) {
            while (world.staying().size() < type.minimumMembers()) {
                world.addNode();
            }
            List<SimNode> others = new ArrayList<>(world.staying());
            others.removeIf(node -> accepts(node, type));
            int missing = Math.max(1, type.minimumMembers()) - (world.staying().size() - others.size());
            others.stream().limit(Math.max(0, missing)).forEach(node -> node.regions.host(type, false));
        }
    }

    private void restart(@Nullable SimNode node) {
        if (node != null && othersAccept(node)) {
            node.restartRegion(anyRegion(node), true, false, pauseOfRegion());
        }
    }

    private void restartHastily(@Nullable SimNode node) {
        if (node != null) {
            node.restartRegion(anyRegion(node), false, random.nextBoolean(), pauseOfRegion());
        }
    }

    private Hosting anyRegion(SimNode node) {
        List<Hosting> regions = List.copyOf(node.regions.all());
        return regions.size() == 1 ? regions.get(0) : regions.get(random.nextInt(regions.size()));
    }

    private long pauseOfRegion() {
        return random.nextBoolean() ? 1 : 1 + random.nextInt(500);
    }

    void freeze(@Nullable SimNode node, long millis) {
        if (node == null || node.isSilent() || !mayFreeze(node)) {
            return;
        }
        node.freeze();
        thawLater(node, millis);
    }

    private void thawLater(SimNode node, long millis) {
        world.scheduler().after(detection(), () -> world.membership().suspect(node.id));
        long untilMerge = 300L + random.nextInt(1_200);
        world.scheduler().after(millis, () -> {
            if (!node.isGone() && node.isSilent()) {
                node.thaw();
                world.scheduler().after(untilMerge, world.membership()::merge);
                if (rule().decides()) {
                    Integer side = world.network().side(node.id);
                    world.scheduler().after(untilMerge, () -> world.membership().meet(side));
                }
            }
        });
    }

    /**
     * No machine without a clock that counts from the boot could notice that its wall clock was set back while it was
     * suspended.
     */
    private void suspend(@Nullable SimNode node, long millis) {
        if (node == null || node.isSilent() || !mayFreeze(node)) {
            return;
        }
        long back = -millis - random.nextLong(millis);
        boolean set = random.nextInt(4) != 0;
        if (set && !node.clocks.tellsBoot()) {
            node.setWall(back);
        }
        node.suspend();
        if (set && node.clocks.tellsBoot()) {
            node.setWall(back);
        }
        thawLater(node, millis);
    }

    private void setClock(@Nullable SimNode node) {
        if (node != null && (!node.isSilent() || node.clocks.tellsBoot())) {
            long by = 300L + random.nextInt(random.nextBoolean() ? 1_000 : 30_000);
            node.setWall(random.nextBoolean() ? by : -by);
        }
    }

    private boolean mayFreeze(SimNode node) {
        if (world.options().startsApart) {
            return true;
        }
        return rule().decides() ? maySplit() : world.membership().canLose(Set.of(node.id));
    }

    private void partition(int sides) {
        List<SimNode> nodes = world.alive();
        if (world.network().isSplit() || nodes.size() < 2 || !maySplit()) {
            return;
        }
        TreeMap<Integer, List<NodeId>> groups = new TreeMap<>();
        for (SimNode node : nodes) {
            groups.computeIfAbsent(random.nextInt(sides), side -> new ArrayList<>())
                    .add(node.id);
        }
        boolean outlasts = world.options().startsApart || world.membership().outlasts(groups.values(), Set.of());
        if (!outlasts || rule().decides() && groups.size() < 2) {
            return;
        }
        world.network().hold(random.nextBoolean());
        split(List.copyOf(groups.values()), 20 + random.nextInt(random.nextInt(3) == 0 ? 300 : 5_000));
    }

    /** Splits all nodes into groups for a time. */
    void split(List<? extends Collection<NodeId>> groups, long millis) {
        world.timeline().turn("-", "split", groups);
        world.network().split(groups);
        detect(groups.size());
        long untilMerge = 300L + random.nextInt(1_200);
        world.scheduler().after(millis, () -> {
            world.timeline().turn("-", "heals", "");
            world.network().heal();
            world.scheduler().after(untilMerge, world.membership()::merge);
        });
    }

    private void regroup() {
        if (!world.network().isSplit() || !maySplit()) {
            return;
        }
        int sides = 2 + random.nextInt(2);
        List<List<NodeId>> groups = new ArrayList<>();
        for (int side = 0; side < sides; side++) {
            groups.add(new ArrayList<>());
        }
        world.alive().forEach(node -> groups.get(random.nextInt(sides)).add(node.id));
        world.timeline().turn("-", "regroup", groups);
        world.network().split(groups);
        world.network().resume();
        detect(sides);
        for (int side = 0; side < sides; side++) {
            int meeting = side;
            long untilMerge = 300L + random.nextInt(1_200);
            world.scheduler().after(untilMerge, () -> world.membership().meet(meeting));
        }
    }

    /** One node and two parts of the others part, and have decided when two of the three sides meet. */
    private void splitAndMeet() {
        List<NodeId> nodes =
                new ArrayList<>(world.alive().stream().map(node -> node.id).toList());
        if (nodes.size() < 4
                || !maySplit()
                || !world.membership().isWhole()
                || world.network().isSplit()) {
            return;
        }
        Collections.rotate(nodes, random.nextInt(nodes.size()));
        int half = 1 + nodes.size() / 2;
        List<List<NodeId>> sides =
                List.of(nodes.subList(0, 1), nodes.subList(1, half), nodes.subList(half, nodes.size()));
        split(sides, 8_000 + random.nextInt(4_000));
        int any = random.nextInt(3 * sides.size());
        later(3_000 + random.nextInt(2_000), () -> {
            if (!world.network().isSplit()) {
                return;
            }
            List<NodeId> apart = sides.stream()
                    .filter(side -> any >= sides.size() && world.membership().mayUseStore(side.get(0)))
                    .findFirst()
                    .orElse(sides.get(any % sides.size()));
            List<NodeId> meeting = new ArrayList<>(nodes);
            meeting.removeAll(apart);
            world.timeline().turn("-", "regroup", meeting);
            world.network().split(List.of(apart, meeting));
            world.network().resume();
            later(300 + random.nextInt(1_200), () -> world.membership().meet(1));
        });
    }

    /** Sides that decide notice one by one. */
    private void detect(int sides) {
        if (!rule().decides()) {
            world.scheduler().after(detection(), world.membership()::splitSeen);
            return;
        }
        for (int side = 0; side < sides; side++) {
            int noticing = side;
            long late = random.nextInt(3) == 0 ? random.nextInt(700) : 0;
            world.scheduler().after(detection() + late, () -> world.membership().splitSeenBy(noticing));
        }
    }

    /** Nothing gets from one node to some others, or from them to it; the view may notice, or may not. */
    private void cutOneWay() {
        SimNode node = anyone();
        if (node == null || isTroubled()) {
            return;
        }
        boolean outgoing = random.nextBoolean();
        boolean all = random.nextInt(3) == 0;
        List<SimNode> others = world.alive().stream()
                .filter(other -> other != node && (all || random.nextBoolean()))
                .toList();
        world.timeline().turn(node, outgoing ? "unheard by" : "hears not", others);
        world.network().hold(random.nextBoolean());
        for (SimNode other : others) {
            world.network().cutOneWay((outgoing ? node : other).id, (outgoing ? other : node).id);
        }
        long millis = 20L + random.nextInt(random.nextInt(3) == 0 ? 300 : 5_000);
        if (random.nextBoolean()) {
            world.scheduler().after(detection(), () -> expelUnheard(node));
        }
        long untilMerge = 300L + random.nextInt(1_200);
        world.scheduler().after(millis, () -> {
            world.timeline().turn(node, "heard again", others);
            for (SimNode other : others) {
                world.network().mendOneWay((outgoing ? node : other).id, (outgoing ? other : node).id);
            }
            world.scheduler().after(untilMerge, world.membership()::merge);
        });
    }

    private void depose(@Nullable SimNode coordinator) {
        SimNode region = anyone();
        if (coordinator == null || region == null || region == coordinator || isTroubled()) {
            return;
        }
        world.timeline().turn(coordinator, "hears not", region);
        world.network().hold(random.nextBoolean());
        world.network().cutOneWay(region.id, coordinator.id);
        if (random.nextBoolean()) {
            // what its clients had sent to the region would keep later messages waiting for an answer until all is over
            long silence = world.options().lease + random.nextInt((int) world.options().lease / 2);
            world.workload().silence(coordinator, world.scheduler().now() + silence);
        }
        long untilCutOff = 100L + random.nextInt(1_500);
        long untilMerge = 300L + random.nextInt(1_200);
        world.scheduler().after(untilCutOff, () -> {
            if (!stopped) {
                cutOff(coordinator);
            }
        });
        world.scheduler().after(untilCutOff + 500 + random.nextInt(2_500), () -> {
            world.timeline().turn(coordinator, "is back", "");
            world.network().mendAll();
            world.scheduler().after(untilMerge, world.membership()::merge);
        });
    }

    boolean isTroubled() {
        return world.network().isSplit() || world.network().isCutOneWay();
    }

    void cutOff(SimNode node) {
        if (!node.isGone() && !world.network().isSplit() && world.membership().canLose(Set.of(node.id))) {
            world.timeline().turn(node, "is cut off", "");
            world.network().split(List.of(List.of(), List.of(node.id)));
            world.membership().expel(node.id);
        }
    }

    private void expelUnheard(SimNode node) {
        if (world.network().isCutOneWay()
                && !node.isGone()
                && world.membership().canLose(Set.of(node.id))) {
            world.membership().expel(node.id);
        }
    }
}
