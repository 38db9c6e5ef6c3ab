package io.shardbus.runtime.region;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.EntityDefinition;
import io.shardbus.codec.PayloadCodecs;
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
import io.shardbus.core.routing.FrameWriter;
import io.shardbus.core.routing.Lane;
import io.shardbus.core.routing.LanePort;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A process that is frozen between two tasks of one burst, and wakes up when its lease has ended. */
class FrozenBurstTest {
    private static final NodeId SELF = new NodeId("a");
    private static final PeerLane PEER = new PeerLane(new NodeId("b"), 0);
    private static final FencingToken TOKEN = new FencingToken(7, 1, 1);
    private static final long END = 10_000;

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final AtomicLong millis = new AtomicLong();
    private final ElapsedClock clock = ElapsedClock.manual(millis::get);
    private final List<EntityCell> cells = new ArrayList<>();
    private final List<String> replies = new ArrayList<>();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** An entity that answers when the test says so. */
    private static final class Silent implements EntityCode {
        private final EntityCell cell;

        Silent(String id, EntityOwner owner) {
            cell = new EntityCell(id, owner, this);
        }

        @Override
        public void beginStart(StartReason reason) {
            cell.begun();
        }

        @Override
        public void beginReceive(Envelope envelope) {}

        @Override
        public void beginTurn() {}

        @Override
        public void beginOffer() {}

        @Override
        public void beginStop(StopReason reason, boolean offered) {}

        @Override
        public void broken(Throwable fault) {
            throw new AssertionError(fault);
        }

        @Override
        public void discard() {}

        @Override
        public boolean occupiesThread() {
            return false;
        }

        @Override
        public RestartPolicy restartPolicy() {
            return RestartPolicy.resume();
        }

        @Override
        public Object location() {
            return SELF;
        }
    }

    private final class Surroundings implements LanePort, FrameWriter {
        private final Lease lease = Lease.NONE.extended(END, 0);

        @Override
        public long now() {
            return clock.now();
        }

        @Override
        public Lease lease() {
            return lease;
        }

        @Override
        public Function<String, EntityCell> cells(EntityOwner owner, int shard, FencingToken token) {
            return id -> {
                EntityCell cell = new Silent(id, owner).cell;
                cells.add(cell);
                return cell;
            };
        }

        @Override
        public void homesWanted(List<Integer> shards) {}

        @Override
        public void lapseSeen(long stay) {}

        @Override
        public void allStopped() {}

        @Override
        public void writeQueueFull(int shard, boolean full) {}

        @Override
        public void deadLetter(Envelope envelope, Failure reason) {}

        @Override
        public void count(FailureCode kind) {}

        @Override
        public void fault(Throwable fault) {
            throw new AssertionError(fault);
        }

        @Override
        public void shardStopped(int shard, FencingToken token, boolean states) {}

        @Override
        public void handoffAborted(int shard, FencingToken version, HoldUp cause) {}

        @Override
        public void begin(PeerLane to, FrameHead head) {}

        @Override
        public @Nullable Failure append(FrameItem item) {
            if (item instanceof FrameItem.Reply reply) {
                Failure failure = reply.failure();
                replies.add(failure == null ? "" + reply.value() : "" + failure.code());
            }
            return null;
        }

        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public Object send() {
            return this;
        }

        @Override
        public void repeat(PeerLane to, Object sent) {}
    }

    private LaneQueue queue() {
        EntityDefinition<String> definition = LoneNode.texts(id -> {
            throw new AssertionError("its cells are the test's");
        });
        RegionSettings settings = RegionSettings.of(
                definition, new ShardingOptions().setNumberOfShards(1).setLanes(1), SELF, false);
        RegionHandle.Actions actions = new RegionHandle.Actions(
                Future::succeededFuture, () -> Future.failedFuture("none"), () -> true, () -> false);
        RegionHandle<String> region =
                new RegionHandle<>(definition, settings, PayloadCodecs.of(definition), clock, actions, null);
        Surroundings around = new Surroundings();
        LaneSettings.LaneTimes times = new LaneSettings.LaneTimes(50, 1_000, 400, 100, 500);
        Lane lane = new Lane(new LaneSettings(SELF, 0, 10, 100, 20, 4, 4, times), around, around, 0);
        return new LaneQueue(context, clock, lane, region, 100, () -> {});
    }

    private static Envelope ask(String entity, long number) {
        Envelope envelope = new Envelope(1, entity, "asked", number, PEER);
        envelope.token(TOKEN);
        return envelope;
    }

    private static void answer(EntityCell cell) {
        cell.handled(cell.inHand(), "done by " + cell.id(), null, false);
    }

    @Test
    void theSecondEndOfAHandlerInABurstIsAnUnknownOutcomeAfterAFreezeBehindTheFirst() {
        LaneQueue queue = queue();
        FrameHead head = new FrameHead(1, 1, 0, FrameHead.Answer.NOTHING);
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            queue.burst((lane, now) -> {
                lane.hostShard(1, TOKEN, now);
                lane.frameReceived(PEER, head, List.of(ask("e1", 1), ask("e2", 2)), now);
            });
            queue.execute((lane, now) -> answer(cells.get(0)));
            queue.execute((lane, now) -> millis.set(END));
            queue.execute((lane, now) -> answer(cells.get(1)));
            queue.burst(null);
            done.complete();
        });
        await(done.future());
        assertEquals(List.of("done by e1", "OUTCOME_UNKNOWN"), replies);
    }
}
