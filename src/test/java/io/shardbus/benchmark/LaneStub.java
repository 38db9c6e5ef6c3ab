package io.shardbus.benchmark;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityCode;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.routing.FrameWriter;
import io.shardbus.core.routing.Lane;
import io.shardbus.core.routing.LanePort;
import io.shardbus.core.routing.PendingAsk;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.util.List;
import java.util.function.Function;

/** A lane that is the home of all shards, with entities that answer at once or when told to, and nothing around it. */
final class LaneStub implements LanePort, FrameWriter {
    static final int SHARDS = 100;
    private static final NodeId SELF = new NodeId("self");
    private static final int LARGE = 1 << 20;
    private static final long LONG = Long.MAX_VALUE / 4;

    private static final Lease LEASE = new Lease(0, Long.MAX_VALUE);

    final Lane lane;

    /** Whether messages wait until {@link #answerHeld}. */
    boolean holding;

    private Runnable held = () -> {};

    LaneStub() {
        var times = new LaneSettings.LaneTimes(500, LONG, LONG, LONG, LONG);
        lane = new Lane(new LaneSettings(SELF, 0, SHARDS, LARGE, LARGE, 512, 32, times), this, this, 0);
        for (int shard = 0; shard < SHARDS; shard++) {
            var token = new FencingToken(1, 1, shard + 1);
            lane.hostShard(shard, token, 0);
            lane.showHomes(List.of(new ShardHome(shard, token, token, SELF, 1)), 0);
        }
    }

    @Override
    public long now() {
        return System.nanoTime() / 1_000_000;
    }

    @Override
    public Lease lease() {
        return LEASE;
    }

    void answerHeld() {
        holding = false;
        held.run();
        while (lane.flush(0)) {
            // what waits runs in bursts
        }
    }

    /** An ask that keeps its answer. */
    static final class Ask extends PendingAsk {
        Object value = "";

        Ask(long deadline) {
            super(deadline);
        }

        @Override
        public void complete(Object answer) {
            value = answer;
        }

        @Override
        public void fail(Failure failure) {
            throw new IllegalStateException(failure.message());
        }
    }

    private final class Code implements EntityCode {
        private final EntityCell cell;

        Code(String id, EntityOwner owner) {
            this.cell = new EntityCell(id, owner, this);
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
            cell.begun();
        }

        @Override
        public void beginReceive(Envelope envelope) {
            if (holding) {
                held = () -> cell.handled(envelope, this, null, false);
            } else {
                cell.handled(envelope, this, null, false);
            }
        }

        @Override
        public void beginTurn() {
            cell.turnEnded();
        }

        @Override
        public void beginOffer() {
            cell.offered(null, null);
        }

        @Override
        public void beginStop(StopReason reason, boolean offered) {
            cell.stopped();
        }

        @Override
        public void discard() {}

        @Override
        public boolean occupiesThread() {
            return false;
        }

        @Override
        public Object location() {
            return SELF;
        }
    }

    @Override
    public Function<String, EntityCell> cells(EntityOwner owner, int shard, FencingToken token) {
        return id -> new Code(id, owner).cell;
    }

    @Override
    public void homesWanted(List<Integer> shards) {}

    @Override
    public void shardStopped(int shard, FencingToken token, boolean states) {}

    @Override
    public void handoffAborted(int shard, FencingToken version, HoldUp cause) {}

    @Override
    public void lapseSeen(long stay) {}

    @Override
    public void allStopped() {}

    @Override
    public void writeQueueFull(int shard, boolean full) {}

    @Override
    public void deadLetter(Envelope envelope, Failure reason) {
        throw new IllegalStateException(reason.message());
    }

    @Override
    public void count(FailureCode kind) {}

    @Override
    public void fault(Throwable fault) {
        throw new AssertionError(fault);
    }

    @Override
    public void begin(PeerLane to, FrameHead head) {}

    @Override
    public Failure append(FrameItem item) {
        return null;
    }

    @Override
    public boolean isFull() {
        return false;
    }

    @Override
    public Object send() {
        return SELF;
    }

    @Override
    public void repeat(PeerLane to, Object sent) {}
}
