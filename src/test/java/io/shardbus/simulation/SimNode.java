package io.shardbus.simulation;

import io.shardbus.core.control.Peers;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.simulation.Letter.Next;
import io.shardbus.simulation.Letter.Work;
import io.shardbus.simulation.time.Scheduler;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One process: its clock, its loops, and the wiring between the machines of the core that a real node has as well. */
final class SimNode {
    private enum Life {
        RUNNING,
        LEAVING,
        GONE
    }

    private static final long LONGEST_LOOP_DELAY = 30;
    private static final long LONGEST_GREETING = 500;

    final NodeId id;
    /** The seat that it holds, empty if it holds none. */
    final String seat;

    final Simulation world;
    final SplittableRandom dice;
    final LeaseTimes times;
    final Scheduler.Line views;
    final SimControl control;
    final Witness witness;
    /** By which it decides about splits. */
    final SplitRule rule;

    /** Its region, or, between two, the one before. */
    Hosting hosting;

    List<NodeId> members = List.of();
    boolean drained;
    /** What its region says to the coordinator is lost. */
    boolean unheard;
    /** What a coordinator says to its region is lost. */
    boolean deaf;

    private final Scheduler.Line controlLoop;
    final NodeClocks clocks;
    private final ArrayDeque<Runnable> backlog = new ArrayDeque<>();
    private Life life = Life.RUNNING;
    private boolean frozen;
    private long thawedAt = Long.MIN_VALUE / 2;
    private boolean departing;
    /** Who has not answered the greeting of the present region. */
    private final Set<NodeId> ungreeted = new HashSet<>();

    private long regions;
    /** How long after the end of its region another one begins; negative if none does. */
    private long nextRegionAfter = -1;

    SimNode(NodeId id, String seat, long incarnation, Simulation world) {
        this.id = id;
        this.seat = seat;
        this.world = world;
        this.dice = world.dice("node " + id);
        this.views = world.scheduler().new Line();
        this.controlLoop = world.scheduler().new Line();
        this.times = world.options().times(dice);
        this.clocks = new NodeClocks(dice, world.options(), world.scheduler());
        this.hosting = new Hosting(this, ++regions);
        this.witness = new Witness(this);
        this.rule = world.options().drawRule(dice);
        this.control = new SimControl(this, incarnation);
    }

    void start() {
        tickControl();
        hosting.lanes.forEach(this::tickLane);
        control.machine().typeAdded(Simulation.TYPE);
        hosting.add(knownTerm(), null);
    }

    private void tickControl() {
        run(() -> {
            control.tick();
            hosting.tick();
            leaveOn();
            world.scheduler().after(tickPause(), this::tickControl);
        });
    }

    private void tickLane(LaneLoop lane) {
        run(() -> {
            if (lane.hosting.region().status() == RegionStatus.LEFT) {
                return;
            }
            lane.tick();
            world.scheduler().after(tickPause(), () -> tickLane(lane));
        });
    }

    private long tickPause() {
        return 20L + dice.nextInt(30);
    }

    /** How long a task waits for its loop. */
    long loopDelay() {
        return dice.nextInt(100) < 2 ? dice.nextInt((int) LONGEST_LOOP_DELAY) : 0;
    }

    /** The highest term that it has heard of. */
    TermId knownTerm() {
        return control.machine().term();
    }

    /** Elapsed milliseconds on this node's own clock. */
    long clock() {
        return clocks.now();
    }

    /** Runs a task of this process: never when it is gone, later when it is frozen. */
    void run(Runnable task) {
        if (life == Life.GONE) {
            return;
        }
        if (frozen) {
            backlog.add(task);
        } else {
            task.run();
        }
    }

    void onControl(long delay, Runnable task) {
        controlLoop.deliver(delay, () -> run(task));
    }

    boolean isGone() {
        return life == Life.GONE;
    }

    boolean isSilent() {
        return frozen || life == Life.GONE;
    }

    boolean isStaying() {
        return life == Life.RUNNING;
    }

    /** Whether it believes messages of the node. */
    boolean knows(NodeId node) {
        return control.machine().known().contains(node);
    }

    void receive(NodeId from, Network.Packet packet) {
        boolean controlling = packet instanceof Network.ForAll
                || packet instanceof Network.ForCoordinator
                || packet instanceof Network.ForRegion;
        if (controlling && !knows(from)) {
            return;
        }
        if (control.isStopped() && !(packet instanceof Network.Frame || packet instanceof Network.ForAll)) {
            return;
        }
        if (packet instanceof Network.Frame frame) {
            receive(frame);
        } else if (packet instanceof Network.Greeting) {
            world.scheduler().after(LONGEST_LOOP_DELAY, () -> run(() -> greetBack(from)));
        } else if (packet instanceof Network.Greeted) {
            onControl(loopDelay(), () -> greeted(from));
        } else if (packet instanceof Network.ForAll all) {
            onControl(loopDelay(), () -> control.run((machine, at) -> machine.forNode(from, all.message(), at)));
        } else if (packet instanceof Network.ForCoordinator message) {
            onControl(
                    loopDelay(),
                    () -> control.run((machine, at) ->
                            machine.forCoordinator(from, message.term(), Simulation.TYPE, message.message(), at)));
        } else if (packet instanceof Network.ForRegion message && !deaf) {
            onControl(
                    loopDelay(),
                    () -> control.run((machine, at) ->
                            machine.forRegion(from, message.term(), Simulation.TYPE, message.message(), at)));
        }
    }

    /** Between two regions nobody listens. */
    private void receive(Network.Frame frame) {
        if (hosting.region().status() != RegionStatus.LEFT) {
            hosting.lanes.get(frame.lane()).receive(frame);
        }
    }

    private void greetBack(NodeId from) {
        if (hosting.region().status() != RegionStatus.LEFT) {
            hosting.lanes.forEach(lane -> lane.greet(from));
        }
        send(from, new Network.Greeted());
    }

    private void greeted(NodeId from) {
        if (ungreeted.remove(from) && ungreeted.isEmpty()) {
            addRegion(hosting);
        }
    }

    /** Nodes make no terms up. */
    void impossible(TermId term) {
        // a node whose wall clock is a year behind believes the term when the record shows it
        boolean explained = world.options().intruder || world.options().wrongClocks;
        world.check(explained, this + " takes " + term + " for impossible, known is " + knownTerm());
    }

    void toCoordinator(TermId term, ToCoordinator message) {
        NodeId coordinator = control.machine().coordinator();
        if (coordinator != null && term.equals(knownTerm()) && !control.isStopped() && !unheard) {
            send(coordinator, new Network.ForCoordinator(term, message));
        }
    }

    void send(NodeId to, Network.Packet packet) {
        world.network().send(id, to, packet);
    }

    void broadcast(NodeMessage message) {
        members.stream()
                .filter(member -> !member.equals(id))
                .forEach(member -> send(member, new Network.ForAll(message)));
    }

    void viewChanged(Membership.View view) {
        world.timeline().turn(this, "view", view);
        if (members.isEmpty()) {
            greet(view.members());
        }
        members = view.members();
        control.viewChanged(view);
    }

    /** Members came and went. */
    void nodesChanged(Peers.Change change) {
        witness.askAbout(change.vanished());
        if (!hosting.isAdded()) {
            return;
        }
        for (NodeId member : change.come()) {
            hosting.lanes.forEach(
                    lane -> lane.post(loopDelay(), () -> lane.lane().nodeBack(member, clock())));
        }
        for (NodeId member : change.gone()) {
            hosting.lanes.forEach(lane -> lane.post(loopDelay(), () -> lane.nodeGone(member)));
        }
    }

    /** Sends a message from this node, as a client outside all entities does. */
    void send(String entity, Work work, @Nullable Consumer<Boolean> ask) {
        int shard = world.shardOf(entity);
        LaneLoop lane = hosting.laneOf(shard);
        lane.post(0, () -> lane.sendLetter(-1, new Next(entity, ask != null, false, work), ask));
    }

    void freeze() {
        world.timeline().turn(this, "freezes", "");
        if (hosting.isAdded()) {
            hosting.lanes.forEach(LaneLoop::stopInBurst);
        }
        frozen = true;
    }

    void thaw() {
        world.timeline().turn(this, "thaws", "");
        frozen = false;
        if (clocks.isSuspended()) {
            clocks.resume();
        }
        thawedAt = world.scheduler().now();
        if (life != Life.GONE) {
            hosting.lanes.forEach(LaneLoop::restOfBurst);
        }
        while (!backlog.isEmpty() && !frozen) {
            run(backlog.remove());
        }
    }

    /** Its machine stands still, and its monotonic clock with it, until it thaws. */
    void suspend() {
        clocks.suspend();
        freeze();
    }

    /** Somebody sets its wall clock; forward, that looks as if it had stood still. */
    void setWall(long by) {
        world.timeline().turn(this, "wall clock", by);
        clocks.setWall(by);
        thawedAt = by > 0 ? world.scheduler().now() : thawedAt;
    }

    /** Whether its loops stood still until a moment ago. */
    boolean hasJustThawed() {
        return world.scheduler().now() - thawedAt <= Simulation.LONGEST_TICK;
    }

    void crash() {
        world.timeline().turn(this, "crashes", "");
        life = Life.GONE;
        world.ledger().nodeDied(this, true);
    }

    /** The region leaves, or stops without a word, and another one begins in its place after a while. */
    void restartRegion(boolean inGoodOrder, boolean mute, long pause) {
        run(() -> {
            if (!isStaying() || hosting.isEnding() || !hosting.isAdded()) {
                return;
            }
            boolean answered =
                    control.machine().coordinator() != null && hosting.region().status() == RegionStatus.REGISTERED;
            world.timeline().turn(this, inGoodOrder ? "region leaves" : "region stops", "next after " + pause);
            nextRegionAfter = pause;
            if (mute) {
                hosting.mute();
            }
            if (inGoodOrder && answered) {
                hosting.leave();
            } else {
                hosting.stopNow();
            }
        });
    }

    void regionEnded(Hosting ended) {
        if (ended == hosting && nextRegionAfter >= 0) {
            world.scheduler().after(nextRegionAfter, () -> run(this::beginRegion));
            nextRegionAfter = -1;
        }
    }

    private void beginRegion() {
        if (!isStaying()) {
            return;
        }
        Hosting next = new Hosting(this, ++regions);
        world.timeline().turn(this, "region begins", regions);
        hosting = next;
        next.lanes.forEach(this::tickLane);
        ungreeted.clear();
        ungreeted.addAll(members);
        ungreeted.remove(id);
        greet(members);
        world.scheduler().after(LONGEST_GREETING, () -> run(() -> addRegion(next)));
        if (ungreeted.isEmpty()) {
            addRegion(next);
        }
    }

    private void addRegion(Hosting next) {
        if (next == hosting && !next.isAdded()) {
            next.add(knownTerm(), control.machine().refusal());
        }
    }

    /**
     * The lanes and those of other nodes say to each other that they are there, before one has a message for another.
     */
    private void greet(List<NodeId> nodes) {
        for (NodeId member : nodes) {
            if (!member.equals(id)) {
                hosting.lanes.forEach(lane -> lane.greet(member));
                world.scheduler().after(LONGEST_LOOP_DELAY, () -> run(() -> send(member, new Network.Greeting())));
            }
        }
    }

    /** Leaves in good order. */
    void leave() {
        run(() -> {
            world.timeline().turn(this, "leaves", "");
            life = Life.LEAVING;
            if (!hosting.isAdded()) {
                hosting.stopNow();
            } else if (hosting.region().status() != RegionStatus.LEFT) {
                hosting.leave();
            }
        });
    }

    private void leaveOn() {
        if (life == Life.LEAVING && !departing && hosting.region().status() == RegionStatus.LEFT) {
            departing = true;
            control.leave();
            world.scheduler().after(60, () -> run(this::depart));
        }
    }

    private void depart() {
        world.timeline().turn(this, "is gone", "");
        world.ledger().nodeDied(this, false);
        life = Life.GONE;
        world.scheduler().after(Network.delay(dice), () -> world.membership().leave(id));
    }

    /** Shards whose senders on this node were told to wait. */
    List<Integer> fullShards() {
        return hosting.lanes.stream()
                .flatMap(lane -> lane.full().stream())
                .sorted()
                .toList();
    }

    int buffered() {
        return hosting.lanes.stream().mapToInt(LaneLoop::buffered).sum();
    }

    @Override
    public String toString() {
        return id.value();
    }

    Set<String> types() {
        return Set.of(Simulation.TYPE);
    }
}
