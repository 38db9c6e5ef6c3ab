package io.shardbus.core.routing;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.hosting.HostedShards;
import io.shardbus.core.hosting.HostingLane;
import io.shardbus.core.hosting.HostingPort;
import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's part of a region: the ways to its shards, the shards that are at home here, and the asks that left
 * from here. A shard belongs to the lane of its number modulo the lanes, on every node.
 *
 * <p>Single owner: every method is called on the lane's own loop, with the moment in elapsed milliseconds;
 * {@link #flush} ends a burst of calls.
 */
public final class Lane {
    private final LaneSettings settings;
    private final LanePort port;
    private final CallOuts callOuts;
    private final AskTable asks;
    private final HostedShards hosted;
    private final Routes routes;
    private final ArrayDeque<EntityCell> readyCells = new ArrayDeque<>();
    private final WakeQueue wakeUps = new WakeQueue();
    private final Delivery delivery = new Delivery();

    /** Number of times that the lease was lost, as far as this lane has carried it out. */
    private long stay;

    private long tells;
    private long asked;
    /** Whether the lane has seen the end of this stay's lease. */
    private boolean lapsed;

    private boolean closed;
    private boolean empty;
    private long closeBy = Long.MAX_VALUE;
    private final RunningCode running = new RunningCode();
    private long now;
    /** Whether other work, in which the process may have been frozen, may have come since the clock was read. */
    private boolean stale = true;

    public Lane(LaneSettings settings, LanePort port, FrameWriter writer, long now) {
        this.settings = settings;
        this.port = port;
        this.callOuts = new CallOuts(port);
        this.now = now;
        this.asks = new AskTable(now);
        this.hosted = new HostedShards(new Host());
        this.routes = new Routes(this, writer);
    }

    LaneSettings settings() {
        return settings;
    }

    public HostedShards hosted() {
        return hosted;
    }

    LanePort port() {
        return port;
    }

    Channels channels() {
        return routes.channels;
    }

    long now() {
        return now;
    }

    AskTable asks() {
        return asks;
    }

    /** Advances the clock: call it before an entity's asynchronous result is passed to its cell. */
    public void at(long moment) {
        now = Math.max(now, moment);
        stale = true;
    }

    /** Sends a message from this node; {@code ask} is null for a tell. */
    public void send(int shard, String entityId, Object payload, @Nullable PendingAsk ask, long moment) {
        sendFrom(-1, shard, entityId, payload, ask, moment);
    }

    /**
     * Sends a message from this node, with headers that each home that takes the message sees, and the entity.
     */
    public void send(
            int shard, String entityId, Object payload, @Nullable PendingAsk ask, ItemHeaders headers, long moment) {
        sendFrom(-1, shard, entityId, payload, ask, headers, moment);
    }

    /**
     * Sends a message of an entity. One to an entity of its own shard stays here, also while the shard is about to
     * leave: what is under way in a shard must be able to come to its end.
     *
     * @param fromShard the shard of the entity that sends, which is at home on this node; -1 for none
     */
    public void sendFrom(
            int fromShard, int shard, String entityId, Object payload, @Nullable PendingAsk ask, long moment) {
        sendFrom(fromShard, shard, entityId, payload, ask, ItemHeaders.NONE, moment);
    }

    /** Sends a message of an entity with headers. */
    public void sendFrom(
            int fromShard,
            int shard,
            String entityId,
            Object payload,
            @Nullable PendingAsk ask,
            ItemHeaders headers,
            long moment) {
        at(moment);
        long number = 0;
        if (ask == null) {
            tells++;
        } else {
            number = asks.add(ask);
            asked++;
        }
        Envelope envelope = new Envelope(shard, entityId, payload, number, null);
        envelope.headers(headers);
        if (fromShard == shard) {
            envelope.inside();
        }
        if (closed) {
            failed(envelope, Failure.of(FailureCode.SHUTTING_DOWN, "the region has left"));
        } else if (!(isInside(fromShard, shard) && deliver(envelope, true))) {
            routes.send(envelope);
        }
    }

    /** Counters of sent and delivered messages, by name; names of what never happened are missing. */
    public Map<String, Long> traffic() {
        Map<String, Long> traffic = new HashMap<>();
        put(traffic, "tells_sent", tells);
        put(traffic, "asks_sent", asked);
        put(traffic, "tells_sent_remote", routes.remoteTells());
        put(traffic, "asks_sent_remote", routes.remoteAsks());
        put(traffic, "frames_repeated", routes.channels.repeated());
        put(traffic, "window_full", routes.channels.windowFull());
        put(traffic, "messages_delivered", hosted.delivered());
        put(traffic, "mailbox_waiting", hosted.waiting());
        put(traffic, "entities_stashed", hosted.stashing());
        put(traffic, "passivation_hits", hosted.passivation().hits());
        put(traffic, "passivation_misses", hosted.passivation().misses());
        return traffic;
    }

    private static void put(Map<String, Long> traffic, String name, long count) {
        if (count > 0) {
            traffic.put(name, count);
        }
    }

    private boolean isInside(int fromShard, int shard) {
        return fromShard == shard || (running.isOf(shard) && routes.isClear(shard));
    }

    /** Gives a message to an entity of a shard that is at home here, as its timers do; false if the shard is not. */
    public boolean deliverHere(int shard, String entityId, Object payload, long moment) {
        at(moment);
        Envelope envelope = new Envelope(shard, entityId, payload, 0, null);
        return mayRun() && hosted.deliverOwn(envelope);
    }

    /** Hands a message to its shard here; false when the shard is not here or may not run. */
    boolean deliver(Envelope envelope, boolean local) {
        return hosted.deliver(envelope, local);
    }

    /** Number of times that the lease was lost; shards that are hosted from now on belong to the stay since then. */
    public long stay() {
        return stay;
    }

    /** Whether code of what is hosted at present may begin; to be asked right before it does. */
    boolean mayRun() {
        return mayRun(stay);
    }

    /** Whether code of what is hosted since that stay may begin; to be asked right before it does. */
    boolean mayRun(long since) {
        return !closed && holdsLease(since);
    }

    /**
     * Whether the lease under which something is hosted holds at this moment. The clock is read anew for each item of a
     * frame and each entity that has its turn, and if code of entities or askers may have had the thread since: the
     * process may have been frozen meanwhile. Once it was seen to be over, only another stay has one.
     */
    boolean holdsLease(long since) {
        if (stale) {
            now = Math.max(now, port.now());
            stale = false;
        }
        if (since != stay || lapsed) {
            return false;
        }
        Lease lease = port.lease();
        if (lease.isHeld(stay, now)) {
            return true;
        }
        if (lease.stay() == stay && lease.wasGranted()) {
            lapsed = true;
            port.lapseSeen(stay);
        }
        return false;
    }

    /** A frame from another lane. */
    public void frameReceived(PeerLane from, FrameHead head, List<FrameItem> items, long moment) {
        frameReceived(from, head, items, 0, moment);
    }

    /**
     * A frame from another lane.
     *
     * @param bytes size of the frame
     */
    public void frameReceived(PeerLane from, FrameHead head, List<FrameItem> items, int bytes, long moment) {
        at(moment);
        routes.frameReceived(from, head, items, bytes);
    }

    /** The traffic with each lane of another node, except lanes of nodes that left and have nothing under way. */
    public List<LaneLink> links(long moment) {
        return routes.channels.all().stream()
                .map(channel -> channel.link(moment))
                .toList();
    }

    /**
     * Announces this lane to one of another node, which begins anew with it if it knew an earlier lane in this place.
     */
    public void greet(PeerLane peer, long moment) {
        at(moment);
        if (port.admits(peer)) {
            routes.channels.to(peer).sayWhatIsHeard();
        }
    }

    /**
     * Takes one item of a frame; false when it must go back. An item whose handling throws counts as taken: it may have
     * had an effect, and the items behind it must not wait.
     */
    boolean take(PeerLane from, FrameItem item) {
        try {
            return delivery.take(from, item);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            port.fault(e);
            return true;
        }
    }

    private final class Delivery implements FrameItem.Visitor {
        private @Nullable PeerLane from;
        private boolean taken;

        boolean take(PeerLane sender, FrameItem item) {
            from = sender;
            taken = true;
            item.accept(this);
            return taken;
        }

        @Override
        public void message(Envelope envelope) {
            stale = true;
            taken = deliver(envelope, false);
        }

        @Override
        public void reply(FrameItem.Reply reply) {
            PendingAsk ask = asks.remove(reply.ask());
            if (ask == null) {
                return;
            }
            end(ask, reply);
        }

        @Override
        public void drained(FrameItem.Drained drained) {
            if (from != null) {
                hosted.drained(drained.shard(), from.node(), drained.version());
            }
        }

        @Override
        public void wantStates(FrameItem.WantStates wanted) {
            if (from != null) {
                hosted.transfers().asked(from, wanted);
            }
        }

        @Override
        public void state(FrameItem.State item) {
            hosted.transfers().arrived(item, now);
        }

        @Override
        public void unknown(FrameItem.Unknown item) {
            port.count(FailureCode.INCOMPATIBLE);
            Failure failure = Failure.of(
                    FailureCode.INCOMPATIBLE,
                    "node " + settings.self() + " runs a build that does not know item " + item.kind() + " of a frame");
            PendingAsk ended = item.ends() ? asks.remove(item.ask()) : null;
            if (ended != null) {
                stale = true;
                callOuts.fail(ended, failure);
            } else if (!item.ends() && item.ask() != 0 && from != null) {
                routes.send(from, new FrameItem.Reply(item.ask(), null, failure));
            }
        }

        @Override
        public void undecodable(FrameItem.Undecodable item) {
            Envelope envelope = new Envelope(item.shard(), item.entityId(), item, item.ask(), from);
            failed(envelope, Failure.of(FailureCode.PAYLOAD_NOT_DECODABLE, item.problem()));
        }
    }

    private void reply(@Nullable PeerLane origin, FrameItem.Reply reply) {
        if (origin != null) {
            routes.send(origin, reply);
            return;
        }
        PendingAsk ask = asks.remove(reply.ask());
        if (ask != null) {
            end(ask, reply);
        }
    }

    private void end(PendingAsk ask, FrameItem.Reply reply) {
        stale = true;
        callOuts.end(ask, reply);
    }

    /** The message was not handled: an ask fails, a tell is a dead letter. */
    void failed(Envelope envelope, Failure failure) {
        port.count(failure.code());
        if (envelope.ask() == 0) {
            callOuts.deadLetter(envelope, failure);
        } else {
            reply(envelope.origin(), new FrameItem.Reply(envelope.ask(), null, failure, envelope.answerHeaders()));
        }
    }

    /** The shard is at home here from now on. */
    public void hostShard(int shard, FencingToken token, long moment) {
        at(moment);
        hosted.host(shard, token);
    }

    /** The shard has another home: its entities end, the coordinator hears nothing. */
    public void dropShard(int shard, FencingToken token, long moment) {
        at(moment);
        hosted.drop(shard, token, StopReason.LEASE_LOST);
    }

    public void showHomes(Collection<ShardHome> homes, long moment) {
        at(moment);
        homes.forEach(routes::show);
    }

    public void beginHandoff(BeginHandoff message, boolean mayStay, long moment) {
        at(moment);
        if (message.home().equals(settings.self())) {
            hosted.beginHandoff(message, mayStay);
        }
        routes.beginHandoff(message);
    }

    public void abortHandoff(int shard, FencingToken version, long moment) {
        at(moment);
        hosted.abort(shard, version);
    }

    /** The coordinator of all present handoffs is gone. */
    public void cancelHandoffs(long moment) {
        at(moment);
        hosted.cancelHandoffs();
        routes.cancelHandoffs();
    }

    /**
     * Ends all shards; answered by allStopped. A lane that has lost its lease forgets all homes. For SHUTDOWN it takes
     * no more messages, and answers when the messages that it has taken are with their entities and answered, or when
     * it is too late for that.
     */
    public void stopAll(StopReason reason, long moment) {
        at(moment);
        empty = false;
        if (reason == StopReason.SHUTDOWN) {
            closed = true;
            closeBy = Math.min(closeBy, now + settings.giveUpAfter());
        } else {
            stay++;
            lapsed = false;
            routes.forgetAll();
        }
        hosted.stopAll(reason);
    }

    private void closeWhenQuiet() {
        if (!empty || !(now >= closeBy || (asks.size() == 0 && hosted.mayEnd() && routes.comesToRest()))) {
            return;
        }
        empty = false;
        routes.close();
        hosted.transfers().close();
        Failure unknown = Failure.of(FailureCode.OUTCOME_UNKNOWN, "the region has left before the answer came");
        asks.removeIf(pending -> true).forEach(ask -> fail(ask, unknown));
        port.allStopped();
    }

    /**
     * The node has left the cluster: what was under way to it has an unknown outcome, what had not left waits for
     * another home.
     */
    public void nodeGone(NodeId node, long moment) {
        at(moment);
        routes.nodeGone(node);
        hosted.nodeGone(node);
        Failure unknown = Failure.of(FailureCode.OUTCOME_UNKNOWN, "node " + node + " has left the cluster");
        asks.removeIf(pending -> node.equals(pending.at)).forEach(ask -> fail(ask, unknown));
    }

    private void fail(PendingAsk ask, Failure failure) {
        if (!ask.isOver()) {
            port.count(failure.code());
        }
        stale = true;
        callOuts.fail(ask, failure);
    }

    /** Refuses all messages, waiting and new ones, for this reason; null ends that. */
    public void refuse(@Nullable Failure reason, long moment) {
        at(moment);
        routes.refuse(reason);
    }

    /** The node is a member of the cluster, perhaps again. */
    public void nodeBack(NodeId node, long moment) {
        at(moment);
        routes.channels.nodeBack(node);
    }

    /** Time passed: deadlines, retransmissions, questions for homes. */
    public void tick(long moment) {
        at(moment);
        asks.expire(now, ask -> fail(ask, Failure.of(FailureCode.TIMED_OUT, "no answer before the deadline")));
        wakeUps.wake(now);
        hosted.tick(now);
        routes.tick(closed);
    }

    /**
     * Ends a burst: entities that wait for their turn run, handoffs go on, frames leave. True when more is to be done
     * at once.
     */
    public boolean flush(long moment) {
        at(moment);
        int turns = readyCells.size();
        for (int i = 0; i < turns && mayRun(); i++) {
            readyCells.remove().runWaiting();
            stale = true;
        }
        hosted.proceed();
        routes.flush();
        closeWhenQuiet();
        return !readyCells.isEmpty() && mayRun();
    }

    /** The lane as the shards at home on it see it. */
    private final class Host implements HostingLane {
        @Override
        public LaneSettings settings() {
            return settings;
        }

        @Override
        public HostingPort port() {
            return port;
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public long stay() {
            return stay;
        }

        @Override
        public boolean mayRun(long since) {
            return Lane.this.mayRun(since);
        }

        @Override
        public boolean holdsLease(long since) {
            return Lane.this.holdsLease(since);
        }

        @Override
        public boolean isRunning() {
            return running.isAny();
        }

        @Override
        public void running(int shard) {
            running.changes(shard);
            stale = true;
        }

        @Override
        public void ready(EntityCell cell) {
            readyCells.add(cell);
        }

        @Override
        public void wakeAt(EntityCell cell, long moment) {
            wakeUps.add(cell, moment);
        }

        @Override
        public void answered(Envelope envelope, @Nullable Object value) {
            if (envelope.ask() != 0) {
                reply(envelope.origin(), new FrameItem.Reply(envelope.ask(), value, null, envelope.answerHeaders()));
            }
        }

        @Override
        public void failed(Envelope envelope, Failure failure) {
            Lane.this.failed(envelope, failure);
        }

        @Override
        public void stays(int shard) {
            routes.deliverInside(shard);
        }

        @Override
        public void send(PeerLane to, FrameItem item) {
            routes.send(to, item);
        }

        @Override
        public void allStopped() {
            if (closed) {
                empty = true;
            } else {
                port.allStopped();
            }
        }
    }

    /**
     * Gives each ask that waits for its answer to the consumer; also on another thread, see {@link AskTable#forEach}.
     */
    public void forEachAsk(Consumer<PendingAsk> consumer) {
        asks.forEach(consumer);
    }

    /** Messages that wait for a home or for a place in a frame. */
    public int buffered() {
        return routes.buffered();
    }

    /** The home of a shard, as far as this lane knows. */
    public @Nullable ShardHome home(int shard) {
        return routes.home(shard);
    }
}
