package io.shardbus.simulation;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.passivation.LanePassivation;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.remember.RememberPort;
import io.shardbus.core.routing.FrameWriter;
import io.shardbus.core.routing.Lane;
import io.shardbus.core.routing.LanePort;
import io.shardbus.core.routing.PendingAsk;
import io.shardbus.core.routing.Silence;
import io.shardbus.core.statetransfer.StateTransferSettings;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.simulation.Letter.Next;
import io.shardbus.simulation.Violation.Kind;
import io.shardbus.simulation.time.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One event loop of a node: its lane, what the lane needs of its surroundings, and the queues between them. */
final class LaneLoop implements LanePort, FrameWriter {
    final SimNode node;
    final Hosting hosting;
    private final Simulation world;
    private final int number;
    private final Lane lane;
    private final Scheduler.Line queue;
    private final Scheduler.Line orders;
    private int stops;
    /** How many lapses of its region's lease it has carried out. */
    private int lapses;
    /** What entities at work are about to end, in the order in which they began. */
    private final Set<Runnable> ends = new LinkedHashSet<>();
    /**
     * The time that its loop had read when its process stopped in the middle of a burst; -1 outside of such a burst.
     */
    private long burstFrom = -1;
    /** Shards whose senders here were told to wait. */
    private final Set<Integer> full = new TreeSet<>();

    /** Shards whose wait for a home is not told yet. */
    private final Set<Integer> untold = new TreeSet<>();

    private boolean refuses;

    private final long begun;
    private final @Nullable SimRememberPort port;

    private PeerLane to;
    private FrameHead head;
    private List<FrameItem> items = List.of();

    LaneLoop(Hosting hosting, int number) {
        this.hosting = hosting;
        this.node = hosting.node;
        this.world = node.world;
        this.number = number;
        this.queue = world.scheduler().new Line();
        this.orders = world.scheduler().new Line();
        SimulationOptions options = world.options();
        this.port = hosting.remembers() ? new SimRememberPort(this) : null;
        LaneSettings settings = new LaneSettings(
                node.id,
                number,
                hosting.type.shards(),
                options.bufferSize,
                options.mailboxSize,
                options.frameMessages,
                options.frameWindow,
                new LaneSettings.LaneTimes(
                        60, options.lease, options.retryInterval, Simulation.STOP_TIMEOUT, options.patience));
        this.begun = node.clock();
        this.lane = new Lane(settings, this, this, begun);
        this.to = new PeerLane(node.id, number);
        this.head = new FrameHead(0, 0, 0, FrameHead.Answer.NOTHING);
    }

    Lane lane() {
        return lane;
    }

    @Override
    public boolean admits(PeerLane peer) {
        return peer.lane() < world.options().lanes && node.knows(peer.node());
    }

    /** Whether what this lane hosts since so many lapses may run, independent of what the lane believes. */
    boolean leaseIsValid(int since) {
        return hosting.holdsLease(since);
    }

    /** How many lapses of its region's lease it has carried out. */
    int lapses() {
        return lapses;
    }

    @Override
    public long now() {
        return node.clock();
    }

    @Override
    public Lease lease() {
        return hosting.lease();
    }

    /** Puts a task into the loop's queue. */
    void post(long delay, Runnable task) {
        queue.deliver(delay, () -> node.run(() -> turn(task)));
    }

    /** Puts an order of the control into its own queue: orders keep their order. */
    void order(Runnable task) {
        orders.deliver(node.loopDelay(), () -> node.run(() -> turn(task)));
    }

    /** Runs a task later, unless the process is gone by then. */
    void later(long delay, Runnable task) {
        world.scheduler().after(delay, () -> node.run(() -> turn(task)));
    }

    /**
     * Ends the work of an entity after a while. A process that stops in a burst may have several such ends in its
     * queue, which it works through without reading the clock in between.
     */
    void endLater(long delay, Runnable end) {
        ends.add(end);
        later(delay, () -> end(end));
    }

    private void end(Runnable end) {
        if (ends.remove(end)) {
            end.run();
        }
    }

    /** The next task of the burst, which begins with the time that the loop had read at its beginning. */
    private void endNext() {
        lane.at(burstFrom);
        ends.stream().findFirst().ifPresent(this::end);
    }

    private void turn(Runnable task) {
        lane.at(node.clock());
        task.run();
        for (int i = 0; i < 1_000 && lane.flush(node.clock()); i++) {
            // one more burst
        }
        if (lane.buffered() > world.options().bufferSize || lane.buffered() < 0) {
            throw new Violation(
                    Kind.BUFFER, this + " buffers " + lane.buffered() + " of " + world.options().bufferSize);
        }
    }

    /**
     * The process stops while this lane is in a burst, between two ends of work: a message is in hand, and what it sent
     * waits in the mailbox of another entity.
     */
    void stopInBurst() {
        burstFrom = node.clock();
        endNext();
        for (Next next : chain()) {
            sendLetter(-1, next, null);
        }
    }

    /** The process goes on where it was: in a burst of this lane, which has read the clock before. */
    void restOfBurst() {
        if (burstFrom < 0) {
            return;
        }
        endNext();
        lane.flush(burstFrom);
        for (Next next : chain()) {
            sendLetter(-1, next, null);
        }
        lane.flush(burstFrom);
        burstFrom = -1;
        turn(() -> {});
    }

    /** Messages to an entity of this lane, each of which sends another to one more. */
    private List<Next> chain() {
        List<String> here = IntStream.range(0, hosting.type.entities())
                .mapToObj(hosting.type::entity)
                .filter(entity -> !hosting.isProxy() && hosting.laneOf(world.shardOf(entity)) == this)
                .toList();
        List<Next> chain = new ArrayList<>();
        for (int i = 0; i < 2 && !here.isEmpty(); i++) {
            Next last = new Next(here.get(node.dice.nextInt(here.size())), false, false, Letter.Work.NONE);
            Letter.Work sends = new Letter.Work(0, false, Letter.Ending.GOOD, last);
            chain.add(new Next(here.get(node.dice.nextInt(here.size())), false, false, sends));
        }
        return chain;
    }

    void tick() {
        turn(() -> lane.tick(node.clock()));
    }

    void receive(Network.Frame frame) {
        post(node.loopDelay(), () -> {
            for (FrameItem item : frame.items()) {
                if (item instanceof Envelope envelope) {
                    world.ledger().reached((Letter) envelope.payload(), node);
                }
            }
            lane.frameReceived(frame.from(), frame.head(), frame.items(), node.clock());
        });
    }

    void nodeGone(NodeId member) {
        lane.nodeGone(member, node.clock());
    }

    /** Says to the lanes of a node that this one is there. */
    void greet(NodeId member) {
        post(node.loopDelay(), () -> {
            for (int peer = 0; peer < world.options().lanes; peer++) {
                lane.greet(new PeerLane(member, peer), node.clock());
            }
        });
    }

    void showHomes(List<ShardHome> homes) {
        List<ShardHome> here = new ArrayList<>(homes);
        here.removeIf(home -> hosting.laneOf(home.shard()) != this);
        lane.showHomes(here, node.clock());
    }

    void stopAll(StopReason reason) {
        world.timeline().add(this, "stops all", reason);
        stops++;
        if (reason == StopReason.LEASE_LOST) {
            lapses++;
        }
        lane.stopAll(reason, node.clock());
    }

    /** Sends from this lane; {@code fromShard} is the sender's own shard, or -1. */
    void sendLetter(int fromShard, Next next, @Nullable Consumer<Boolean> answer) {
        int shard = world.shardOf(next.entity());
        Letter letter = world.ledger().write(this, fromShard == shard, next, answer != null);
        PendingAsk ask = answer == null ? null : new Answer(letter, node.clock() + world.options().askTimeout, answer);
        world.timeline().add(this, answer == null ? "tells" : "asks", letter);
        if (answer == null) {
            world.clients().told(letter);
        } else {
            world.clients().asked(letter);
        }
        lane.sendFrom(fromShard, shard, next.entity(), letter, ask, burstFrom < 0 ? node.clock() : burstFrom);
        world.ledger().sent(letter);
    }

    int buffered() {
        return lane.buffered();
    }

    private final class Answer extends PendingAsk {
        private final Letter letter;
        private final Consumer<Boolean> then;

        Answer(Letter letter, long deadline, Consumer<Boolean> then) {
            super(deadline);
            this.letter = letter;
            this.then = then;
        }

        @Override
        public void complete(@Nullable Object value) {
            world.timeline().add(LaneLoop.this, "answered", letter);
            if (!(value instanceof Clients.Reply reply) || reply.letter() != letter.id()) {
                throw new Violation(Kind.WRONG_END, letter + " was answered with " + value);
            }
            world.clients().answered(letter, reply);
            end(null);
        }

        @Override
        public void fail(Failure failure) {
            world.timeline().add(LaneLoop.this, "failed", letter + " " + failure);
            world.clients().failed(letter, failure.code());
            end(failure.code());
        }

        private void end(@Nullable FailureCode code) {
            if (node.clock() > deadline() + Simulation.LONGEST_TICK && !node.hasJustThawed()) {
                throw new Violation(
                        Kind.LATE_END, letter + " ended " + (node.clock() - deadline()) + " ms after its deadline");
            }
            long took = node.clock() - deadline() + world.options().askTimeout;
            if (took > world.options().longestAsk) {
                throw new Violation(Kind.SILENCE, letter + " took " + took + " ms");
            }
            world.ledger().ended(letter, code);
            then.accept(code == null);
        }
    }

    @Override
    public void entityPassivated() {
        hosting.passivation.entityPassivated();
    }

    @Override
    public LanePassivation passivation() {
        return new LanePassivation(world.options().passivation, hosting.passivation);
    }

    @Override
    public Function<String, EntityCell> cells(EntityOwner owner, int shard, FencingToken token) {
        return id -> new SimEntity(id, owner, this, shard, token).cell;
    }

    @Override
    public void homesWanted(List<Integer> shards) {
        if (!refuses) {
            untold.addAll(shards);
        }
        node.onControl(node.loopDelay(), () -> hosting.homesWanted(shards));
    }

    @Override
    public void shardStopped(int shard, FencingToken token, boolean states) {
        node.onControl(node.loopDelay(), () -> hosting.shardStopped(shard, token, states));
    }

    @Override
    public void statesFetched(int shard, FencingToken token) {
        node.onControl(node.loopDelay(), () -> hosting.statesFetched(shard, token));
    }

    @Override
    public void count(StateTransferOutcome outcome, int entities) {
        world.timeline().add(this, "states", outcome + " " + entities);
        world.ledger().states().count(outcome, entities);
    }

    @Override
    public StateTransferSettings stateTransfer() {
        return new StateTransferSettings(100, 10_000, world.options().lease / 2, false);
    }

    @Override
    public void shardDropped(int shard, FencingToken token) {
        node.onControl(node.loopDelay(), () -> hosting.shardEnded(shard, token));
    }

    @Override
    public void handoffAborted(int shard, FencingToken version, HoldUp cause) {
        node.onControl(node.loopDelay(), () -> hosting.handoffAborted(shard, version, cause));
    }

    @Override
    public void lapseSeen(long stay) {
        world.timeline().add(this, "lapse seen", "");
        node.onControl(node.loopDelay(), () -> hosting.lapseSeen(stay));
    }

    @Override
    public void allStopped() {
        int count = stops;
        node.onControl(node.loopDelay(), () -> hosting.laneStopped(number, count));
    }

    @Override
    public void writeQueueFull(int shard, boolean isFull) {
        world.timeline().add(this, isFull ? "senders wait" : "senders go on", shard);
        if (isFull) {
            full.add(shard);
        } else {
            full.remove(shard);
        }
    }

    @Override
    public void wasSilent(Silence silence) {
        untold.remove(silence.shard());
        boolean possible = silence.messages() > 0 && silence.millis() >= 0 && silence.millis() <= node.clock() - begun;
        world.check(possible, this + ", there since " + begun + ", cannot have waited so: " + silence);
    }

    /**
     * Begins the refusal of all messages, or ends it if there is no reason. Waiting messages are refused, and their
     * wait is not told.
     */
    void refuse(@Nullable Failure reason) {
        refuses = reason != null;
        lane.refuse(reason, node.clock());
        if (refuses) {
            untold.clear();
        }
    }

    /** Shards whose wait for a home is not told yet. */
    Set<Integer> untold() {
        return untold;
    }

    /** Shards to which nothing may be sent at present. */
    Set<Integer> full() {
        return full;
    }

    @Override
    public void deadLetter(Envelope envelope, Failure reason) {
        world.timeline().add(this, "dead letter", envelope.payload() + " " + reason);
        world.ledger().ended((Letter) envelope.payload(), reason.code());
    }

    @Override
    public void count(FailureCode kind) {}

    @Override
    public void fault(Throwable fault) {
        Violation.report(fault);
    }

    @Override
    public @Nullable RememberPort memory() {
        return port;
    }

    @Override
    public void begin(PeerLane peer, FrameHead frameHead) {
        to = peer;
        head = frameHead;
        items = new ArrayList<>();
    }

    @Override
    public @Nullable Failure append(FrameItem item) {
        if (item instanceof Envelope envelope) {
            Envelope copy = new Envelope(
                    envelope.shard(),
                    envelope.entityId(),
                    envelope.payload(),
                    envelope.ask(),
                    new PeerLane(node.id, number));
            copy.token(envelope.token());
            copy.headers(envelope.headers());
            items.add(copy);
        } else {
            items.add(item);
        }
        return null;
    }

    @Override
    public boolean isFull() {
        return false;
    }

    @Override
    public Object send() {
        Network.Frame frame = new Network.Frame(
                new PeerLane(node.id, number), hosting.type.name(), to.lane(), head, List.copyOf(items));
        node.send(to.node(), frame);
        return frame;
    }

    @Override
    public void repeat(PeerLane peer, Object sent) {
        node.send(peer.node(), (Network.Frame) sent);
    }

    @Override
    public String toString() {
        return node + "/" + number;
    }
}
