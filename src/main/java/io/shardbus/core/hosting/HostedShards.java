package io.shardbus.core.hosting;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.passivation.LanePassivation;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.remember.RememberPort;
import io.shardbus.core.remember.RememberedLane;
import io.shardbus.core.remember.RememberedShard;
import io.shardbus.core.statetransfer.StateTransferPort;
import io.shardbus.core.statetransfer.StateTransfers;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.StopReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The shards at home on one lane. */
public final class HostedShards {
    /** Number of messages in the mailboxes of all shards. */
    int waiting;

    /** Number of entities that have stashed messages. */
    int stashing;

    private long delivered;

    private record Drain(FencingToken version, Set<NodeId> nodes) {}

    private record GivenUp(FencingToken version, long at) {}

    /**
     * After this time, a day, an aborted handoff does not count against the next one. It is longer than the longest
     * rest of a shard and one round of rebalancing.
     */
    private static final long LONG_AGO = 86_400_000;

    private final HostingLane lane;
    private final LanePassivation passivation;
    private final Map<Integer, HostedShard> shards = new HashMap<>();
    /** Shards given to this lane again while entities of the former stay are still ending. */
    private final Map<Integer, FencingToken> next = new HashMap<>();
    /** {@code Drained} notes that arrived before their handoff, by shard. */
    private final Map<Integer, Drain> early = new HashMap<>();
    /**
     * Nodes that have not drained yet for a handoff, by shard, where the shard was already stopping or had stopped when
     * the handoff began: a new reign believed the shard to be here, and told other nodes so.
     */
    private final Map<Integer, Drain> late = new HashMap<>();

    /** The version of the handoff with which a shard stopped, until it is here again. */
    private final Map<Integer, FencingToken> stopped = new HashMap<>();

    /** The last handoff of each shard that came to nothing. */
    private final Map<Integer, GivenUp> givenUp = new HashMap<>();

    private final Set<HostedShard> leaving = new LinkedHashSet<>();
    /** The shards whose entities have not been looked at for long. */
    private Iterator<HostedShard> round = Collections.emptyIterator();

    private boolean stoppingAll;
    private final @Nullable RememberedLane rememberedShards;
    private final StateTransfers transfers;

    public HostedShards(HostingLane lane) {
        this.lane = lane;
        RememberPort port = lane.port().memory();
        this.rememberedShards = port == null ? null : new RememberedLane(port);
        this.passivation = lane.port().passivation();
        this.transfers = new StateTransfers(lane.settings().self(), lane.port().stateTransfer(), new LanePort());
    }

    private final class LanePort implements StateTransferPort {
        @Override
        public void send(PeerLane to, FrameItem item) {
            lane.send(to, item);
        }

        @Override
        public void ready(int shard, FencingToken token) {
            lane.port().statesFetched(shard, token);
        }

        @Override
        public void lost(StateLoss loss) {
            lane.port().stateLost(loss);
        }
    }

    /**
     * Whether no state waits here for another node that is there, and no node that was told that a shard is here may
     * still send to it.
     */
    public boolean mayEnd() {
        return late.isEmpty() && (transfers.isEmpty() || lane.port().isAlone());
    }

    public void nodeGone(NodeId node) {
        transfers.nodeGone(node, lane.now());
        late.values().forEach(drain -> drain.nodes().remove(node));
        late.values().removeIf(drain -> drain.nodes().isEmpty());
    }

    public StateTransfers transfers() {
        return transfers;
    }

    /** The shard is about to be at home here: what entities have handed over at its former home is to come first. */
    public void fetchStates(FencingToken token, ShardHome former) {
        transfers.fetch(token, former, lane.now());
    }

    /** The remembered shards of the lane; null where entities are not remembered. */
    public @Nullable RememberedLane rememberedShards() {
        return rememberedShards;
    }

    /** Counts of the remembered shards, by name; empty where entities are not remembered. */
    public Map<String, Long> memoryCounts() {
        return rememberedShards == null ? Map.of() : rememberedShards.counts();
    }

    /** The policies of the shards. */
    public LanePassivation passivation() {
        return passivation;
    }

    /** Time passed: entities may be idle for too long, and what is remembered is tried again, and started. */
    public void tick(long now) {
        passivation.tick(now);
        transfers.tick(now);
        abortLateHandoffs();
        lookForSilent();
        shards.values().forEach(HostedShard::startMoved);
        if (rememberedShards != null) {
            rememberedShards.tick(now);
        }
    }

    /** One shard in each tick, as each of its entities is looked at. */
    private void lookForSilent() {
        if (!round.hasNext()) {
            round = List.copyOf(shards.values()).iterator();
        }
        if (round.hasNext()) {
            round.next().lookForSilent(lane.settings().times().patience());
        }
    }

    /**
     * A node that does not drain may be stuck for long, and says nothing of it here. Messages for the shard wait
     * meanwhile, so the shard stays; the coordinator tries again later.
     */
    private void abortLateHandoffs() {
        for (HostedShard shard : List.copyOf(leaving)) {
            Set<NodeId> late = shard.lateDrains();
            if (!late.isEmpty()) {
                lane.port()
                        .undrained(
                                shard.shard, Set.copyOf(late), lane.settings().drainPatience());
                abort(shard, shard.handoff().version(), ShardHoldUp.of(shard, lane.now()));
            }
        }
    }

    /**
     * Hands a message to its shard; false when the shard is not here or may not run. While its entities give their
     * states it takes none, not even under the right token: the sender may be a node that does not take part in the
     * handoff, and an entity that has given its state handles nothing more.
     *
     * @param local whether it comes from an entity of this very shard, and so needs no token
     */
    public boolean deliver(Envelope envelope, boolean local) {
        HostedShard found = shards.get(envelope.shard());
        if (found == null
                || !found.accepts()
                || found.givesStates()
                || !(local || found.token.equals(envelope.token()))
                || !lane.mayRun(lane.stay())) {
            return false;
        }
        delivered++;
        found.delivered++;
        found.offer(envelope);
        return true;
    }

    /** Whether the shard is at home here, also while it ends. */
    public boolean isHosted(int shard) {
        return shards.containsKey(shard);
    }

    /** Number of messages that were given to shards here, without those that entities sent to themselves. */
    public long delivered() {
        return delivered;
    }

    /** Number of messages that wait in mailboxes for their turn. */
    public int waiting() {
        return waiting;
    }

    /** Number of entities that have put messages aside. */
    public int stashing() {
        return stashing;
    }

    /** Gives an entity a message of its own, such as a timer's; false if its shard is not here. */
    public boolean deliverOwn(Envelope envelope) {
        HostedShard found = shards.get(envelope.shard());
        if (found == null || !found.accepts()) {
            return false;
        }
        found.offerOwn(envelope);
        return true;
    }

    @Nullable
    HostedShard get(int shard) {
        return shards.get(shard);
    }

    public void host(int shard, FencingToken token) {
        HostedShard present = shards.get(shard);
        if (present == null) {
            stopped.remove(shard);
            shards.put(shard, new HostedShard(shard, token, lane, this, rememberedShards));
        } else if (!present.token.equals(token)) {
            next.put(shard, token);
        }
    }

    public void drop(int shard, FencingToken token, StopReason reason) {
        HostedShard found = shards.get(shard);
        next.remove(shard, token);
        if (found != null && found.token.equals(token)) {
            found.drop(reason);
        }
    }

    /** Ends a shard whose external lease is lost; how many entities it had, 0 if it is not here. */
    public int stop(int shard, FencingToken token) {
        HostedShard found = shards.get(shard);
        if (found == null || !found.token.equals(token)) {
            return 0;
        }
        int entities = found.liveEntities();
        found.leaseLost();
        return entities;
    }

    /** @param mayStay whether the shard may stay when an entity holds the handoff up */
    public void beginHandoff(BeginHandoff message, boolean mayStay) {
        HostedShard found = shards.get(message.shard());
        Drain known = early.get(message.shard());
        Set<NodeId> drained = known != null && known.version().equals(message.version()) ? known.nodes() : Set.of();
        if (found == null && stoppedInAnEarlierReign(message)) {
            awaitTheLate(message, drained);
        }
        if (found == null || (mayStay && declines(found, message))) {
            return;
        }
        if (!mayStay) {
            reportLate(found);
        }
        found.beginHandoff(message, drained, mayStay);
        leaving.add(found);
        if (!message.force() && found.stopsUnder(message.token())) {
            awaitTheLate(message, drained);
        }
    }

    /** Whether the handoff is of a later reign than the stop of the shard: that reign believed the shard to be here. */
    private boolean stoppedInAnEarlierReign(BeginHandoff message) {
        FencingToken version = stopped.get(message.shard());
        return version != null && message.version().term() > version.term();
    }

    /** The shard stops or has stopped, but the region must not end before all nodes that may send have drained. */
    private void awaitTheLate(BeginHandoff message, Set<NodeId> drained) {
        Set<NodeId> nodes = new HashSet<>(message.participants());
        nodes.remove(lane.settings().self());
        nodes.removeAll(drained);
        late.put(message.shard(), new Drain(message.version(), nodes));
        late.values().removeIf(drain -> drain.nodes().isEmpty());
    }

    /**
     * Whether the shard stays: an entity has been at one message for so long that it may never end, and what is
     * sent to the shard's other entities would wait with it. Long work that ends does not keep its shard for ever: the
     * next handoff is declined only if the entity is still at the message at which it was when the last one was given
     * up, unless that was long ago.
     */
    private boolean declines(HostedShard shard, BeginHandoff message) {
        if (!shard.accepts() || !message.token().equals(shard.token) || message.force()) {
            return false;
        }
        GivenUp last = givenUp.get(shard.shard);
        if (last != null && last.version().equals(message.version())) {
            lane.port().handoffAborted(shard.shard, message.version(), ShardHoldUp.of(shard, lane.now()));
            return true;
        }
        EntityCell busy = ShardHoldUp.longestBusy(shard);
        boolean isStuck = busy != null
                && isOverdue(busy)
                && (last == null || lane.now() - last.at() > LONG_AGO || busy.busyFrom() <= last.at());
        if (isStuck) {
            abort(shard, message.version(), ShardHoldUp.of(shard, lane.now()));
        }
        return isStuck;
    }

    /** Reports the entity that holds up a region that leaves. */
    private void reportLate(HostedShard shard) {
        EntityCell busy = ShardHoldUp.longestBusy(shard);
        if (busy != null && isOverdue(busy)) {
            lane.port().heldUp(shard.shard, busy.id(), lane.now() - busy.busyFrom(), false);
        }
    }

    private boolean isOverdue(EntityCell busy) {
        return lane.now() - busy.busyFrom() > lane.settings().times().patience();
    }

    public void drained(int shard, NodeId node, FencingToken version) {
        Drain awaited = late.get(shard);
        if (awaited != null && awaited.version().equals(version)) {
            awaited.nodes().remove(node);
            late.values().removeIf(drain -> drain.nodes().isEmpty());
        }
        HostedShard found = shards.get(shard);
        if (found == null && !stopped.containsKey(shard)) {
            return;
        }
        Drain known = early.get(shard);
        if (known == null || version.isNewerThan(known.version())) {
            known = new Drain(version, new HashSet<>());
            early.put(shard, known);
        }
        if (version.equals(known.version())) {
            known.nodes().add(node);
        }
        if (found != null) {
            found.handoff().drained(node, version);
        }
    }

    /** Gives up a handoff whose stop has not begun, as its coordinator wants or as an entity or a node holds it up. */
    public void abort(int shard, FencingToken version) {
        HostedShard found = shards.get(shard);
        if (found != null) {
            abort(found, version, ShardHoldUp.of(found, lane.now()));
        }
    }

    /** @param cause what holds the handoff up */
    void abort(HostedShard found, FencingToken version, HoldUp cause) {
        if (!found.abort(version)) {
            return;
        }
        int shard = found.shard;
        GivenUp last = givenUp.get(shard);
        if (last == null || version.isNewerThan(last.version())) {
            givenUp.put(shard, new GivenUp(version, lane.now()));
        }
        lane.port().handoffAborted(shard, version, cause);
        EntityCell busy = ShardHoldUp.longestBusy(found);
        if (busy != null) {
            lane.port().heldUp(shard, busy.id(), lane.now() - busy.busyFrom(), true);
        }
    }

    public void cancelHandoffs() {
        late.clear();
        shards.values().forEach(HostedShard::cancelHandoff);
    }

    public void stopAll(StopReason reason) {
        stoppingAll = true;
        next.clear();
        for (HostedShard shard : new ArrayList<>(shards.values())) {
            shard.drop(reason);
        }
        finishIfEmpty();
    }

    private void finishIfEmpty() {
        if (stoppingAll && shards.isEmpty()) {
            stoppingAll = false;
            lane.allStopped();
        }
    }

    /** Ends a burst: what is remembered is stored, and handoffs go on whose last message has been handled. */
    public void proceed() {
        if (rememberedShards != null) {
            rememberedShards.flush(lane.now());
        }
        if (leaving.isEmpty()) {
            return;
        }
        for (HostedShard shard : List.copyOf(leaving)) {
            shard.proceed();
            if (shard.phase() != HostedShard.Phase.DRAINING) {
                leaving.remove(shard);
            }
        }
    }

    /** A store has seen a newer token of the shard: it ends here, if it is still here with this token. */
    public void superseded(int shard, FencingToken token) {
        HostedShard found = shards.get(shard);
        if (found != null && found.token.equals(token)) {
            found.superseded();
        }
    }

    void ended(HostedShard shard) {
        shards.remove(shard.shard, shard);
        givenUp.remove(shard.shard);
        leaving.remove(shard);
        shard.forgetSilent();
        boolean states = transfers.stopped(shard.shard, shard.token, !shard.isSilent(), lane.now());
        if (!shard.isSilent()) {
            stopped.put(shard.shard, shard.handoff().version());
            lane.port().shardStopped(shard.shard, shard.token, states);
        } else {
            lane.port().shardDropped(shard.shard, shard.token);
        }
        FencingToken following = next.remove(shard.shard);
        if (following != null) {
            host(shard.shard, following);
        }
        finishIfEmpty();
    }

    /** The ids of a shard's live entities, if it is here. */
    public Optional<Set<String>> entityIds(int shard, int limit) {
        return Optional.ofNullable(shards.get(shard))
                .map(found -> found.cells().stream()
                        .filter(EntityCell::isLive)
                        .map(EntityCell::id)
                        .limit(limit)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** The ids of the live entities of all shards that are here, at most so many of each shard. */
    public Map<Integer, Set<String>> entityIds(int limit) {
        return shards.keySet().stream()
                .collect(Collectors.toMap(
                        shard -> shard, shard -> entityIds(shard, limit).orElse(Set.of())));
    }

    /** Whether the entity is live, if its shard is here. */
    public Optional<Boolean> isLive(int shard, String entityId) {
        return Optional.ofNullable(shards.get(shard)).map(found -> found.isLive(entityId));
    }

    /** Operator queries and orders for single entities. */
    public EntityAdmin admin() {
        return new EntityAdmin(this);
    }

    /** The place of an entity, if its shard is here and there is one. */
    public Optional<EntityCell> cell(int shard, String entityId) {
        return Optional.ofNullable(shards.get(shard)).flatMap(found -> found.find(entityId));
    }

    /**
     * A hosted shard for operators: its live entities, those passivated since it is here, those that are remembered,
     * those that wait after a failure, the messages that it was given since it is here, and its busy time.
     *
     * @param busyMicros microseconds since it is here for which its entities have had messages in hand, summed over the
     *     messages that have ended, those of timers included; estimated from those that are measured. -1 if not known
     */
    public record ShardCount(
            int shard,
            FencingToken token,
            int entities,
            long passivated,
            int remembered,
            int restarting,
            long messages,
            long busyMicros) {
        /** A copy with the busy time unknown, as on a node that measures no times. */
        public ShardCount withoutTimes() {
            return new ShardCount(shard, token, entities, passivated, remembered, restarting, messages, -1);
        }
    }

    /** Gives each hosted shard's number and count of live entities to the consumer. */
    public void forEach(Consumer<ShardCount> consumer) {
        for (HostedShard shard : shards.values()) {
            consumer.accept(count(shard));
        }
    }

    /** The reason why a shard that is to leave is still here, by shard; for at most {@code limit} shards. */
    public Map<Integer, HoldUp> holdUps(int limit) {
        Map<Integer, HoldUp> found = new TreeMap<>();
        shards.values().stream()
                .filter(ShardHoldUp::isLeaving)
                .limit(limit)
                .forEach(shard -> found.put(shard.shard, ShardHoldUp.of(shard, lane.now())));
        return found;
    }

    private ShardCount count(HostedShard shard) {
        RememberedShard memory = rememberedShards == null ? null : rememberedShards.find(shard.shard, shard.token);
        int remembered = memory == null ? 0 : memory.remembered();
        int restarting = memory == null ? 0 : memory.restarting();
        return new ShardCount(
                shard.shard,
                shard.token,
                shard.liveEntities(),
                shard.passivated(),
                remembered,
                restarting,
                shard.delivered,
                shard.busyMicros);
    }
}
