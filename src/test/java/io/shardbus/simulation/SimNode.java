package io.shardbus.simulation;

import io.shardbus.core.control.Peers;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.simulation.Letter.Next;
import io.shardbus.simulation.Letter.Work;
import io.shardbus.simulation.time.Scheduler;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
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
    private static final int LONGEST_STAY = 700;

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

    final NodeRegions regions;

    List<NodeId> members = List.of();
    boolean drained;
    /** Whether no witness hears of its death. */
    boolean unproven;
    /** How many drains of it were ordered or taken back. */
    int orders;
    /** How often a coordinator was asked for one of these. */
    int asks;

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
    /** Decides how long it waits for its regions when it leaves. */
    private final SplittableRandom patience;

    SimNode(NodeId id, String seat, long incarnation, Simulation world) {
        this.id = id;
        this.seat = seat;
        this.world = world;
        this.dice = world.dice("node " + id);
        this.patience = world.dice("patience of " + id);
        this.views = world.scheduler().new Line();
        this.controlLoop = world.scheduler().new Line();
        this.times = world.options().times(dice);
        this.clocks = new NodeClocks(dice, world.options(), world.scheduler());
        this.regions = new NodeRegions(this);
        this.witness = new Witness(this);
        this.rule = world.options().drawRule(dice);
        this.control = new SimControl(this, incarnation);
    }

    void start() {
        tickControl();
        regions.start();
    }

    private void tickControl() {
        run(() -> {
            control.tick();
            regions.tick();
            leaveOn();
            world.scheduler().after(tickPause(), this::tickControl);
        });
    }

    long tickPause() {
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
        if (packet instanceof Network.Frame frame) {
            regions.receive(frame);
        } else if (packet instanceof Network.Greeting greeting) {
            world.scheduler().after(LONGEST_LOOP_DELAY, () -> run(() -> regions.greetBack(from, greeting.type())));
        } else if (packet instanceof Network.Greeted greeted) {
            onControl(loopDelay(), () -> regions.greeted(from, greeted.type()));
        } else if (packet instanceof Network.ForAll all) {
            onControl(loopDelay(), () -> control.run((machine, at) -> machine.forNode(from, all.message(), at)));
        } else if (packet instanceof Network.ForCoordinator message) {
            onControl(
                    loopDelay(),
                    () -> control.run((machine, at) ->
                            machine.forCoordinator(from, message.term(), message.type(), message.message(), at)));
        } else if (packet instanceof Network.ForRegion message && !deaf) {
            onControl(
                    loopDelay(),
                    () -> control.run((machine, at) ->
                            machine.forRegion(from, message.term(), message.type(), message.message(), at)));
        }
    }

    /** Nodes make no terms up. */
    void impossible(TermId term) {
        // a node whose wall clock is a year behind believes the term when the record shows it
        boolean explained = world.options().intruder || world.options().wrongClocks;
        world.check(explained, this + " takes " + term + " for impossible, known is " + knownTerm());
    }

    void toCoordinator(TermId term, String type, ToCoordinator message) {
        NodeId coordinator = control.machine().coordinator();
        if (coordinator != null && term.equals(knownTerm()) && !control.isStopped() && !unheard) {
            send(coordinator, new Network.ForCoordinator(term, type, message));
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
            regions.greet(view.members());
        }
        members = view.members();
        control.viewChanged(view);
    }

    /** Members came and went. */
    void nodesChanged(Peers.Change change) {
        witness.askAbout(change.vanished());
        for (Hosting hosting : regions.added()) {
            for (NodeId member : change.come()) {
                hosting.lanes.forEach(
                        lane -> lane.post(loopDelay(), () -> lane.lane().nodeBack(member, clock())));
            }
            for (NodeId member : change.gone()) {
                hosting.lanes.forEach(lane -> lane.post(loopDelay(), () -> lane.nodeGone(member)));
            }
        }
    }

    /** Sends a message from this node, as a client outside all entities does. */
    void send(String entity, Work work, @Nullable Consumer<Boolean> ask) {
        LaneLoop lane = laneOf(entity);
        lane.post(0, () -> lane.sendLetter(-1, new Next(entity, ask != null, false, work), ask));
    }

    /** The lane of an entity's shard in this node's region of its type. */
    LaneLoop laneOf(String entity) {
        SimType type = world.typeOf(entity);
        return Objects.requireNonNull(regions.of(type.name()), "a region of the type")
                .laneOf(type.shardOf(entity));
    }

    /** Its region of the type that every node has. */
    Hosting hosting() {
        return Objects.requireNonNull(regions.of(Simulation.TYPE), "every node has one");
    }

    void freeze() {
        world.timeline().turn(this, "freezes", "");
        regions.added().forEach(hosting -> hosting.lanes.forEach(LaneLoop::stopInBurst));
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
            regions.all().forEach(hosting -> hosting.lanes.forEach(LaneLoop::restOfBurst));
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

    /** The region ends in good order, or stops at once, and another one begins in its place after a while. */
    void restartRegion(Hosting present, boolean inGoodOrder, boolean mute, long pause) {
        run(() -> {
            if (isStaying()) {
                regions.restart(present, inGoodOrder, mute, pause);
            }
        });
    }

    /** Leaves in good order. Some wait for their regions for a time only: then these are stopped. */
    void leave() {
        run(() -> {
            world.timeline().turn(this, "leaves", "");
            life = Life.LEAVING;
            regions.end();
            if (world.options().hastyLeaves && patience.nextInt(4) == 0) {
                world.scheduler().after(200L + patience.nextInt(1_800), () -> run(this::stopRegions));
            }
        });
    }

    private void stopRegions() {
        if (!departing) {
            world.timeline().turn(this, "stops its regions", "");
            regions.stopAll();
            world.scheduler().after(100L + patience.nextInt(400), this::endLeaving);
        }
    }

    private void leaveOn() {
        if (life == Life.LEAVING && !departing && regions.haveLeft()) {
            sayGoodbye();
        }
    }

    /** The time for its leaving is over: it ends, whatever its regions still wait for. */
    void endLeaving() {
        run(() -> {
            if (!departing) {
                sayGoodbye();
            }
        });
    }

    /** Code of a region that has not ended runs on for a while: the node says so, and its leases are waited for. */
    private void sayGoodbye() {
        departing = true;
        boolean ended = regions.haveLeft();
        control.leave(ended);
        long stays = ended ? 60 : 60L + patience.nextInt(LONGEST_STAY);
        world.scheduler().after(stays, () -> run(this::depart));
    }

    private void depart() {
        world.timeline().turn(this, "is gone", "");
        world.ledger().nodeDied(this, !regions.haveLeft());
        life = Life.GONE;
        world.scheduler().after(Network.delay(dice), () -> world.membership().leave(id));
    }

    /** Shards whose senders on this node were told to wait. */
    List<Integer> fullShards() {
        return regions.all().stream()
                .flatMap(hosting -> hosting.lanes.stream())
                .flatMap(lane -> lane.full().stream())
                .sorted()
                .toList();
    }

    /** Shards whose homes were waited for, for a time that was never told. */
    List<Integer> untoldWaits() {
        return regions.all().stream()
                .flatMap(hosting -> hosting.lanes.stream())
                .flatMap(lane -> lane.untold().stream())
                .sorted()
                .toList();
    }

    int buffered() {
        return regions.all().stream()
                .flatMap(hosting -> hosting.lanes.stream())
                .mapToInt(LaneLoop::buffered)
                .sum();
    }

    @Override
    public String toString() {
        return id.value();
    }
}
