package io.shardbus.runtime.region;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.passivation.LanePassivation;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.remember.RememberPort;
import io.shardbus.core.routing.Lane;
import io.shardbus.core.routing.LanePort;
import io.shardbus.core.routing.Silence;
import io.shardbus.core.statetransfer.StateTransferSettings;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.EntityHost;
import io.shardbus.runtime.entity.EntityPlace;
import io.shardbus.runtime.entity.LiveEntity;
import io.shardbus.runtime.entity.OwnMessage;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.FrameDecoder;
import io.shardbus.transport.FrameEncoder;
import io.shardbus.transport.direct.LaneLinks;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One lane of a region as a verticle: its event loop, its address on the bus, its ticks. */
final class LaneVerticle<M> extends VerticleBase implements LanePort {
    private static final long TICK = 10;
    /** Upper bound of the option {@code lanes}. */
    private static final int MOST_LANES = 64;
    /** Upper bound of the bytes of a frame beside its payloads: its head, which lists refused items, and item heads. */
    private static final int HEADS = 1 << 20;

    /** Reports of a lane to the control of its region; called in order, on the lane. */
    interface Control {
        void homesWanted(List<Integer> shards);

        void shardStopped(int shard, FencingToken token, boolean states);

        void statesFetched(int shard, FencingToken token);

        void shardDropped(int shard, FencingToken token);

        void handoffAborted(int shard, FencingToken version, HoldUp cause);

        void lapseSeen(long stay);

        /** The lane has carried out this many orders to stop everything. */
        void allStopped(int lane, int stops);
    }

    private final int number;
    private int stops;
    private final RegionHandle<M> region;
    private final EntityHost<M> host;
    private final RegionCounters counters;
    private final Control control;
    private final BusTransport transport;
    private final Predicate<NodeId> knows;
    private final ElapsedClock clock;
    private final @Nullable RememberPort memory;
    private @Nullable LaneQueue queue;
    private BusTransport.@Nullable Registration registration;
    private @Nullable LaneLinks links;
    private @Nullable LaneWatch watch;

    LaneVerticle(int number, RegionHandle<M> region, EntityHost<M> host, LaneWiring wiring) {
        this.number = number;
        this.region = region;
        this.host = host;
        this.counters = wiring.counters();
        this.control = wiring.control();
        this.transport = wiring.transport();
        this.knows = wiring.knows();
        this.clock = wiring.clock();
        RememberedRegion remembered = wiring.memory();
        this.memory = remembered == null ? null : remembered.ofLane(this::queue);
    }

    /** Collaborators of a lane. */
    record LaneWiring(
            RegionCounters counters,
            Control control,
            BusTransport transport,
            Predicate<NodeId> knows,
            ElapsedClock clock,
            @Nullable RememberedRegion memory) {}

    @Override
    public Future<?> start() {
        RegionSettings settings = region.settings();
        ShardingOptions options = settings.options().node();
        String type = region.type().name();
        PeerLane self = new PeerLane(settings.self(), number);
        FrameEncoder encoder = new FrameEncoder(
                self,
                options.getFrameBytes(),
                options.getMaxPayloadBytes(),
                region.payloads(),
                (to, frame, answerOnly) -> send(type, to, frame, answerOnly),
                clock::now);
        Lane lane = new Lane(settings.lane(number), this, encoder, clock.now());
        LaneQueue opened = new LaneQueue(
                context,
                clock,
                lane,
                region,
                settings.lane(number).bufferSize(),
                () -> region.sender().laneDrained(number));
        queue = opened;
        LaneWatch looking = LaneWatch.over(opened);
        watch = looking;
        vertx.setPeriodic(TICK, ignored -> opened.burst(opened::tick));
        FrameDecoder decoder =
                new FrameDecoder(region.payloads(), settings.numberOfShards(), clock::now, transport::skipped);
        BusTransport.Registration registered =
                transport.receiveFrames(type, self, buffer -> receive(decoder, buffer, opened));
        registration = registered;
        LaneLinks direct =
                transport.links(type, self, mostFrameBytes(options), frame -> take(decoder, frame, opened, true));
        links = direct;
        opened.wire().links(direct);
        Future<?> ready = direct == null
                ? registered.ready()
                : Future.join(registered.ready(), direct.start())
                        .recover(failure -> direct.close().compose(closed -> Future.failedFuture(failure)));
        // a verticle that does not start is not stopped
        return ready.onFailure(failure -> looking.end());
    }

    private static int mostFrameBytes(ShardingOptions options) {
        return options.getFrameBytes() + options.getMaxPayloadBytes() + HEADS;
    }

    private void send(String type, PeerLane to, Buffer frame, boolean answerOnly) {
        try {
            LaneLinks opened = links;
            boolean direct = opened != null && opened.send(to, frame, !answerOnly);
            if (!direct) {
                transport.sendFrame(type, to, frame);
            }
            queue().wire().sent(frame.length(), direct);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            // the frame is as one that was lost
            fault(e);
        }
    }

    private void receive(FrameDecoder decoder, Buffer buffer, LaneQueue opened) {
        LaneLinks direct = links;
        if (direct != null && LaneLinks.isNote(buffer)) {
            if (admits(LaneLinks.sender(buffer))) {
                direct.noted(buffer);
            }
        } else {
            take(decoder, buffer, opened, false);
        }
    }

    private static void take(FrameDecoder decoder, Buffer buffer, LaneQueue opened, boolean direct) {
        FrameDecoder.Frame frame = decoder.decode(buffer);
        int bytes = buffer.length();
        opened.wire().received(bytes, direct);
        opened.burst((lane, now) -> lane.frameReceived(frame.from(), frame.head(), frame.items(), bytes, now));
    }

    @Override
    public Future<?> stop() {
        if (watch != null) {
            watch.end();
        }
        LaneLinks direct = links;
        Future<Void> unregistered = registration == null ? Future.succeededFuture() : registration.close();
        LaneQueue opened = queue;
        Future<Void> parts = opened == null ? Future.succeededFuture() : opened.closeParts();
        Future<Void> left = direct == null ? unregistered : unregistered.eventually(direct::close);
        return left.eventually(() -> parts);
    }

    /** The node has left the cluster. */
    void nodeGone(NodeId node) {
        queue().execute((lane, now) -> {
            lane.nodeGone(node, now);
            if (links != null) {
                links.nodeGone(node);
            }
        });
    }

    /** Ends all shards; completes once, also if it is called again. */
    void stopAll(StopReason reason) {
        queue().execute((lane, now) -> {
            stops++;
            lane.stopAll(reason, now);
        });
    }

    LaneQueue queue() {
        return Objects.requireNonNull(queue, "a lane that was deployed has a queue");
    }

    @Override
    public boolean admits(PeerLane peer) {
        boolean admitted = peer.lane() < MOST_LANES && knows.test(peer.node());
        if (!admitted) {
            transport.strangerRefused(peer.node());
        }
        return admitted;
    }

    @Override
    public LanePassivation passivation() {
        return region.putsAway().ofLane();
    }

    @Override
    public long now() {
        return queue().readClock();
    }

    @Override
    public Lease lease() {
        return region.lease();
    }

    @Override
    public Function<String, EntityCell> cells(EntityOwner owner, int shard, FencingToken token) {
        var place = new EntityPlace<>(host, queue(), owner, shard, token);
        return id -> new LiveEntity<>(place, id).cell();
    }

    @Override
    public void homesWanted(List<Integer> shards) {
        control.homesWanted(shards);
    }

    @Override
    public void shardStopped(int shard, FencingToken token, boolean states) {
        counters.shardHandedOff();
        control.shardStopped(shard, token, states);
    }

    @Override
    public void statesFetched(int shard, FencingToken token) {
        control.statesFetched(shard, token);
    }

    @Override
    public boolean isAlone() {
        return region.isAlone();
    }

    @Override
    public StateTransferSettings stateTransfer() {
        return region.settings().stateTransfer();
    }

    @Override
    public void count(StateTransferOutcome outcome, int entities) {
        counters.handedOver(outcome, entities);
    }

    @Override
    public void stateTaken(int bytes) {
        counters.stateTaken(bytes);
    }

    @Override
    public void stateLost(StateLoss loss) {
        counters.stateLost(region.type().name(), loss);
    }

    @Override
    public void shardDropped(int shard, FencingToken token) {
        control.shardDropped(shard, token);
    }

    @Override
    public void handoffAborted(int shard, FencingToken version, HoldUp cause) {
        control.handoffAborted(shard, version, cause);
    }

    @Override
    public void heldUp(int shard, String entityId, long millis, boolean stays) {
        counters.heldUp(region.type().name(), entityId, millis, shard, stays);
    }

    @Override
    public void notAnswering(int shard, String entityId, long millis) {
        counters.notAnswering(region.type().name(), entityId, shard, millis);
    }

    @Override
    public void notAnswering(int change) {
        counters.notAnswering(change);
    }

    @Override
    public void moveDeclined(int shard, String entityId, long bytes, String reason) {
        counters.moveDeclined(region.type().name(), entityId, shard, bytes, reason);
    }

    @Override
    public void undrained(int shard, Set<NodeId> nodes, long millis) {
        counters.undrained(region.type().name(), shard, nodes, millis);
    }

    @Override
    public void lapseSeen(long stay) {
        control.lapseSeen(stay);
    }

    @Override
    public void allStopped() {
        control.allStopped(number, stops);
    }

    @Override
    public void writeQueueFull(int shard, boolean full) {
        region.sender().writeQueueFull(shard, full);
    }

    @Override
    public void deadLetter(Envelope envelope, Failure reason) {
        OwnMessage.lost(envelope.payload());
        counters.deadLetter(region.type().name(), envelope, reason);
    }

    @Override
    public @Nullable RememberPort memory() {
        return memory;
    }

    @Override
    public void fault(Throwable fault) {
        queue().fault(fault);
    }

    @Override
    public void count(FailureCode kind) {
        counters.failed(kind);
    }

    @Override
    public void wasSilent(Silence silence) {
        counters.wasSilent(silence);
        LaneLatency latency = queue().latency();
        if (latency != null) {
            latency.homeless(silence.millis(), silence.moving());
        }
    }

    @Override
    public void entityPassivated() {
        counters.passivated();
    }
}
