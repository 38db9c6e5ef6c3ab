package io.shardbus.core.routing;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityCode;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.statetransfer.StateTransferSettings;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A lane whose surroundings keep what it says. */
final class LaneFixture implements LanePort, FrameWriter {
    static final Object UNSENDABLE = new Object();
    /** Its encoding ends with an error of the virtual machine. */
    static final Object FATAL = new Object();

    /** What left for another lane. */
    record Frame(PeerLane to, FrameHead head, List<FrameItem> items) {}

    /** How the entities of this lane behave. */
    static final class Behaviour {
        boolean holding;
        boolean holdingStart;
        boolean failing;
        boolean stubborn;
        boolean stashing;
        /** Microseconds for which they have each message in hand. */
        long busy;

        ItemHeaders answerHeaders = ItemHeaders.NONE;
        /** What they answer instead of a text about the message. */
        @Nullable
        Object answer;

        @Nullable
        EntityCell last;

        /** What happens while the next message is handled. */
        @Nullable
        Runnable meanwhile;

        @Nullable
        Runnable held;

        void finish() {
            holding = false;
            Runnable last = held;
            if (last != null) {
                last.run();
            }
        }
    }

    static final class Ask extends PendingAsk {
        @Nullable
        Object value;

        @Nullable
        FailureCode code;

        ItemHeaders headers = ItemHeaders.NONE;

        @Nullable
        String text;

        Ask(long deadline) {
            super(deadline);
        }

        @Override
        public void headers(ItemHeaders beside) {
            headers = beside;
        }

        @Override
        public void complete(@Nullable Object answer) {
            value = answer;
        }

        @Override
        public void fail(Failure failure) {
            code = failure.code();
            text = failure.message();
        }
    }

    /** An ask whose end throws. */
    static final class Throwing extends PendingAsk {
        int ends;

        Throwing() {
            super(60_000);
        }

        @Override
        public void complete(@Nullable Object answer) {
            ends++;
            throw new IllegalStateException("an answer");
        }

        @Override
        public void fail(Failure failure) {
            ends++;
            throw new AssertionError("a failure");
        }
    }

    final Lane lane;
    final Behaviour entity = new Behaviour();
    /** The bytes of what an entity that is asked says, by id; nothing for those that are not here. */
    final Map<String, Integer> offers = new HashMap<>();
    /** Entities that do not say it at once: what lets them. */
    final Map<String, Runnable> offering = new HashMap<>();

    /** Entities whose code has a thread of its own at this moment. */
    final Set<String> onThreads = new HashSet<>();

    final List<String> declined = new ArrayList<>();
    final List<Object> handled = new ArrayList<>();
    /** What came beside them. */
    final List<ItemHeaders> headers = new ArrayList<>();

    final List<String> deadLetters = new ArrayList<>();
    final List<List<Integer>> homesWanted = new ArrayList<>();
    final List<String> ways = new ArrayList<>();
    final List<Integer> stopped = new ArrayList<>();
    final Set<Integer> stoppedWithStates = new HashSet<>();
    final List<Integer> aborted = new ArrayList<>();
    /** How long messages waited for homes. */
    final List<Silence> silences = new ArrayList<>();
    /** What held up each of those handoffs. */
    final List<HoldUp> causes = new ArrayList<>();

    final List<String> heldUp = new ArrayList<>();
    final List<String> undrained = new ArrayList<>();
    final Map<StateTransferOutcome, Integer> outcomes = new EnumMap<>(StateTransferOutcome.class);
    final List<FailureCode> counted = new ArrayList<>();
    /** What code that the lane called has thrown. */
    final List<String> faults = new ArrayList<>();
    /** Whether the head of a frame alone reaches the frame's limit. */
    boolean narrow;

    /** Whether every dead letter throws where it is heard of. */
    boolean deadLettersThrow;

    Predicate<PeerLane> admitted = peer -> true;
    int lapses;
    boolean alone;
    Lease lease = Lease.NONE;
    /** What the clock says inside a burst, if it is later than when the burst began. */
    long clock = Long.MIN_VALUE;

    int allStopped;
    private final NodeId self;
    private final boolean required;
    private final List<Frame> sent = new ArrayList<>();
    private PeerLane to;
    private FrameHead head = new FrameHead(0, 0, 0, FrameHead.Answer.NOTHING);
    private List<FrameItem> items = List.of();

    LaneFixture(NodeId self, int bufferSize) {
        this(self, bufferSize, 0);
    }

    LaneFixture(NodeId self, int bufferSize, long now) {
        this(self, bufferSize, now, false);
    }

    /** @param required whether a shard stays for a state that cannot move */
    LaneFixture(NodeId self, int bufferSize, long now, boolean required) {
        this.self = self;
        this.required = required;
        this.to = new PeerLane(self, 0);
        LaneSettings.LaneTimes times = new LaneSettings.LaneTimes(50, 1_000, 400, 100, 500);
        this.lane = new Lane(new LaneSettings(self, 0, 10, bufferSize, 20, 4, 4, times), this, this, now);
    }

    /** The region's control grants or extends the lease. */
    void extendLease(long until, long now) {
        lease = lease.extended(until, now);
    }

    /** The region's control loses the lease and has the lane stop. */
    void loseLease(long now) {
        lease = lease.lapsed();
        lane.stopAll(StopReason.LEASE_LOST, now);
    }

    @Override
    public long now() {
        return clock;
    }

    @Override
    public Lease lease() {
        return lease;
    }

    void flush(long now) {
        while (lane.flush(now)) {
            // one more burst
        }
    }

    Ask ask(int shard, Object message, long timeout, long now) {
        Ask ask = new Ask(now + timeout);
        lane.send(shard, "e", message, ask, now);
        return ask;
    }

    List<Frame> framesTo(NodeId node) {
        List<Frame> taken =
                sent.stream().filter(frame -> frame.to().node().equals(node)).toList();
        sent.removeAll(taken);
        return taken;
    }

    /** The first lanes of these nodes have greeted this one; they began at moment 0. */
    void knows(NodeId... nodes) {
        for (NodeId node : nodes) {
            lane.frameReceived(
                    new PeerLane(node, 0), new FrameHead(1, 0, 0, FrameHead.Answer.NOTHING), List.of(), lane.now());
        }
    }

    void receive(NodeId from, Frame frame, long now) {
        lane.frameReceived(new PeerLane(from, 0), frame.head(), frame.items(), now);
    }

    @Override
    public boolean admits(PeerLane peer) {
        return admitted.test(peer);
    }

    @Override
    public Function<String, EntityCell> cells(EntityOwner owner, int shard, FencingToken token) {
        return id -> new Code(id, owner).cell;
    }

    private final class Code implements EntityCode {
        private final EntityOwner owner;
        private final EntityCell cell;

        Code(String id, EntityOwner owner) {
            this.cell = new EntityCell(id, owner, this);
            this.owner = owner;
        }

        @Override
        public void broken(Throwable fault) {
            throw new AssertionError(fault);
        }

        @Override
        public RestartPolicy restartPolicy() {
            return RestartPolicy.resume();
        }

        @Override
        public void beginStart(StartReason reason) {
            owner.takeState(cell);
            if (entity.holdingStart) {
                entity.held = cell::begun;
            } else {
                cell.begun();
            }
        }

        @Override
        public void beginReceive(Envelope envelope) {
            handled.add(envelope.payload());
            headers.add(envelope.headers());
            envelope.answerHeaders(entity.answerHeaders);
            Runnable meanwhile = entity.meanwhile;
            entity.meanwhile = null;
            if (meanwhile != null) {
                meanwhile.run();
            }
            if (entity.holding) {
                entity.held = () -> answer(envelope);
            } else {
                answer(envelope);
            }
        }

        private void answer(Envelope envelope) {
            entity.last = cell;
            owner.busy(entity.busy);
            if (entity.stashing) {
                cell.stashCurrent();
            }
            Failure failure = entity.failing ? Failure.of(FailureCode.ENTITY_FAILED, "thrown") : null;
            Object value = entity.answer == null ? "answer to " + envelope.payload() : entity.answer;
            cell.handled(envelope, value, failure, failure != null);
        }

        @Override
        public void beginTurn() {
            cell.turnEnded();
        }

        @Override
        public void beginOffer() {
            Integer bytes = offers.get(cell.id());
            EntityState known = bytes == null ? null : new EntityState(cell.id(), 1, new byte[bytes]);
            if (offering.containsKey(cell.id())) {
                offering.put(cell.id(), () -> cell.offered(known, null));
            } else {
                cell.offered(known, null);
            }
        }

        @Override
        public void beginStop(StopReason reason, boolean offered) {
            if (!entity.stubborn) {
                cell.stopped();
            }
        }

        @Override
        public void discard() {}

        @Override
        public boolean occupiesThread() {
            return onThreads.contains(cell.id());
        }

        @Override
        public Object location() {
            return self;
        }
    }

    @Override
    public void heldUp(int shard, String entityId, long millis, boolean stays) {
        heldUp.add(shard + "/" + entityId + " " + millis + (stays ? " stays" : " waits"));
    }

    final List<String> silent = new ArrayList<>();
    int silentEntities;

    @Override
    public void notAnswering(int shard, String entityId, long millis) {
        silent.add(shard + "/" + entityId + " " + millis);
    }

    @Override
    public void notAnswering(int change) {
        silentEntities += change;
    }

    @Override
    public void moveDeclined(int shard, String entityId, long bytes, String reason) {
        declined.add(shard + "/" + entityId + " " + bytes + ": " + reason);
    }

    @Override
    public void undrained(int shard, Set<NodeId> nodes, long millis) {
        undrained.add(shard + " " + nodes);
    }

    @Override
    public void homesWanted(List<Integer> shards) {
        homesWanted.add(shards);
    }

    @Override
    public void shardStopped(int shard, FencingToken token, boolean states) {
        stopped.add(shard);
        if (states) {
            stoppedWithStates.add(shard);
        }
    }

    @Override
    public boolean isAlone() {
        return alone;
    }

    @Override
    public StateTransferSettings stateTransfer() {
        return new StateTransferSettings(100, 1_000, 500, required);
    }

    @Override
    public void handoffAborted(int shard, FencingToken version, HoldUp cause) {
        aborted.add(shard);
        causes.add(cause);
    }

    @Override
    public void wasSilent(Silence silence) {
        silences.add(silence);
    }

    @Override
    public void lapseSeen(long stay) {
        lapses++;
    }

    @Override
    public void allStopped() {
        allStopped++;
    }

    @Override
    public void writeQueueFull(int shard, boolean full) {
        ways.add((full ? "full " : "free ") + shard);
    }

    @Override
    public void deadLetter(Envelope envelope, Failure reason) {
        deadLetters.add(envelope.payload() + " " + reason.code());
        if (deadLettersThrow) {
            throw new IllegalStateException("a dead letter");
        }
    }

    @Override
    public void count(FailureCode kind) {
        counted.add(kind);
    }

    @Override
    public void fault(Throwable fault) {
        faults.add(fault.getMessage());
    }

    @Override
    public void count(StateTransferOutcome outcome, int entities) {
        outcomes.merge(outcome, entities, Integer::sum);
    }

    @Override
    public void begin(PeerLane peer, FrameHead frameHead) {
        to = peer;
        head = frameHead;
        items = new ArrayList<>();
    }

    @Override
    public @Nullable Failure append(FrameItem item) {
        if (item instanceof FrameItem.Reply reply && reply.value() == UNSENDABLE) {
            return Failure.of(FailureCode.PAYLOAD_NOT_ENCODABLE, "no codec");
        }
        if (!(item instanceof Envelope envelope)) {
            items.add(item);
            return null;
        }
        if (envelope.payload() == FATAL) {
            throw new OutOfMemoryError("as an encoder may");
        }
        if (envelope.payload() == UNSENDABLE) {
            return Failure.of(FailureCode.PAYLOAD_NOT_ENCODABLE, "no codec");
        }
        Envelope copy = new Envelope(
                envelope.shard(), envelope.entityId(), envelope.payload(), envelope.ask(), new PeerLane(self, 0));
        copy.token(envelope.token());
        copy.headers(envelope.headers());
        items.add(copy);
        return null;
    }

    @Override
    public boolean isFull() {
        return narrow;
    }

    @Override
    public Object send() {
        Frame frame = new Frame(to, head, List.copyOf(items));
        sent.add(frame);
        return frame;
    }

    @Override
    public void repeat(PeerLane peer, Object frame) {
        sent.add((Frame) frame);
    }
}
