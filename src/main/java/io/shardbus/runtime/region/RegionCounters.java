package io.shardbus.runtime.region;

import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.routing.Silence;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.runtime.entity.EntityCounters;
import io.shardbus.runtime.entity.StoreCall;
import io.shardbus.runtime.events.Listeners;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counters of a region: failures by code, and tells that became dead letters. Any thread. */
public final class RegionCounters implements EntityCounters {
    private static final Logger LOG = LoggerFactory.getLogger(RegionCounters.class);

    private final Map<FailureCode, LongAdder> failures = new EnumMap<>(FailureCode.class);
    private final Map<RestartPolicy.Action, LongAdder> treatments = new EnumMap<>(RestartPolicy.Action.class);
    private final Map<StartReason, LongAdder> starts = new EnumMap<>(StartReason.class);
    private final Map<StopReason, LongAdder> stops = new EnumMap<>(StopReason.class);
    private final Listeners<SilenceListener> silences =
            new Listeners<>("waits for the homes of shards", this::metricsFailed);
    private final RecentSilences recentSilences;
    private final LongAdder handlerFailures = new LongAdder();
    private final Map<StateTransferOutcome, LongAdder> stateTransfers = new EnumMap<>(StateTransferOutcome.class);
    private final Map<StateTransferOutcome, LongAdder> handoverBytes = new EnumMap<>(StateTransferOutcome.class);
    private final Listeners<DurationListener> durations =
            new Listeners<>("calls of the store and requests for homes", this::metricsFailed);
    private final LongAdder passivated = new LongAdder();
    private final LongAdder leasesLost = new LongAdder();
    private final LongAdder shardLeaseFailures = new LongAdder();
    private final LongAdder shardsHandedOff = new LongAdder();
    private final LongAdder refusedBusMessages = new LongAdder();
    private final LongAdder refusedBusEntities = new LongAdder();
    private final LongAdder deadLetters = new LongAdder();
    private final DeadLetters lastDeadLetters;
    private final LogPace deadLetterPace;
    private final LogPace heldUpPace;
    private final LogPace forcePace;
    private final LongAdder stoppedByForce = new LongAdder();
    private final LogPace undrainedPace;
    private final LogPace stateLossPace;
    private final LossesAtEnd lossesAtEnd = new LossesAtEnd();
    private final LogPace declinedPace;
    private final LogPace silencePace;
    private final AtomicInteger notAnswering = new AtomicInteger();
    private final LongAdder movesDeclined = new LongAdder();
    private final LongAdder handoffsUndrained = new LongAdder();
    private final LongAdder homeRequests = new LongAdder();
    private final LongAdder memoryFailures = new LongAdder();
    private final LongAdder storeFailures = new LongAdder();
    private final LongAdder reminderFailures = new LongAdder();
    private final LongAdder storeRegressions = new LongAdder();
    /** Reasons why lanes refuse commands of persistent entities. */
    private final Map<Object, String> storesUnreachable = new ConcurrentHashMap<>();

    private final LogPace storePace;
    private final LongAdder metricsFailures = new LongAdder();
    private final AtomicInteger withoutMemory = new AtomicInteger();

    /** @param clock elapsed milliseconds */
    public RegionCounters(LongSupplier clock) {
        lastDeadLetters = new DeadLetters(clock);
        recentSilences = new RecentSilences(clock);
        deadLetterPace = new LogPace(clock);
        heldUpPace = new LogPace(clock);
        forcePace = new LogPace(clock);
        undrainedPace = new LogPace(clock);
        stateLossPace = new LogPace(clock);
        declinedPace = new LogPace(clock);
        silencePace = new LogPace(clock);
        storePace = new LogPace(clock, 1);
        for (FailureCode code : FailureCode.values()) {
            failures.put(code, new LongAdder());
        }
        for (RestartPolicy.Action action : RestartPolicy.Action.values()) {
            treatments.put(action, new LongAdder());
        }
        for (StartReason reason : StartReason.values()) {
            starts.put(reason, new LongAdder());
        }
        for (StopReason reason : StopReason.values()) {
            stops.put(reason, new LongAdder());
        }
        for (StateTransferOutcome outcome : StateTransferOutcome.values()) {
            stateTransfers.put(outcome, new LongAdder());
            handoverBytes.put(outcome, new LongAdder());
        }
    }

    /** Hears how long messages waited for a home; on event loops of the region. */
    @FunctionalInterface
    public interface SilenceListener {
        /** @param moving whether the shard was leaving its home; else its home was not known, or lost */
        void wasSilent(long millis, boolean moving);
    }

    /** From now on this one hears it too, until {@link #unlisten}. */
    public void listen(SilenceListener listener) {
        silences.add(listener);
    }

    public void unlisten(SilenceListener listener) {
        silences.remove(listener);
    }

    RecentSilences recentSilences() {
        return recentSilences;
    }

    void wasSilent(Silence silence) {
        recentSilences.add(silence);
        silences.tell(listener -> listener.wasSilent(silence.millis(), silence.moving()));
    }

    /** Hears how long the calls of the store took, and answers of the coordinator; any thread, must not block. */
    public interface DurationListener {
        void storeAnswered(StoreCall call, boolean succeeded, long nanos);

        /** The coordinator has named a home, so long after it was first asked for it. */
        void homeNamed(long millis);
    }

    /** From now on this one hears it too, until {@link #unlisten}. */
    public void listen(DurationListener listener) {
        durations.add(listener);
    }

    public void unlisten(DurationListener listener) {
        durations.remove(listener);
    }

    @Override
    public void storeAnswered(StoreCall call, boolean succeeded, long nanos) {
        durations.tell(listener -> listener.storeAnswered(call, succeeded, nanos));
    }

    void homeNamed(long millis) {
        durations.tell(listener -> listener.homeNamed(millis));
    }

    /** An instance is about to start. */
    public void started(StartReason reason) {
        Objects.requireNonNull(starts.get(reason), "every reason has a counter").increment();
    }

    /** An instance begins to stop. */
    public void stopped(StopReason reason) {
        Objects.requireNonNull(stops.get(reason), "every reason has a counter").increment();
    }

    public long starts(StartReason reason) {
        return Objects.requireNonNull(starts.get(reason), "every reason has a counter")
                .sum();
    }

    public long stops(StopReason reason) {
        return Objects.requireNonNull(stops.get(reason), "every reason has a counter")
                .sum();
    }

    public long failures(FailureCode code) {
        return counter(code).sum();
    }

    public void failed(FailureCode code) {
        counter(code).increment();
    }

    private LongAdder counter(FailureCode code) {
        return Objects.requireNonNull(failures.get(code), "every code has a counter");
    }

    @Override
    public void treated(RestartPolicy.Action action) {
        treatment(action).increment();
    }

    private LongAdder treatment(RestartPolicy.Action action) {
        return Objects.requireNonNull(treatments.get(action), "every action has a counter");
    }

    @Override
    public void handlerFailed() {
        handlerFailures.increment();
    }

    @Override
    public void storeFailed(String type, String reason) {
        storeFailures.increment();
        if (storePace.admits()) {
            LOG.error("type={}: the store of persistent entities failed: {}{}", type, reason, storePace.note());
        }
    }

    @Override
    public void storeRegressed() {
        storeRegressions.increment();
    }

    @Override
    public void storeUnreachable(Object lane, String reason) {
        storesUnreachable.put(lane, reason);
    }

    @Override
    public void storeReached(Object lane) {
        storesUnreachable.remove(lane);
    }

    /** Number of lanes that refuse commands of persistent entities, as their store does not answer. */
    public int lanesWithoutStore() {
        return storesUnreachable.size();
    }

    /** The reason why a lane of this region refuses commands of persistent entities, if one does. */
    public Optional<String> storeTrouble() {
        return storesUnreachable.values().stream().findFirst();
    }

    /** Counts a reminder of an entity that is brought again. */
    public void reminderFailed() {
        reminderFailures.increment();
    }

    DeadLetters lastDeadLetters() {
        return lastDeadLetters;
    }

    /** Counts a dead letter. */
    void deadLetter(String type, Envelope envelope, Failure reason) {
        deadLetters.increment();
        lastDeadLetters.add(envelope, reason);
        if (deadLetterPace.admits()) {
            LOG.warn(
                    "type={} shard={}: a message for entity {} was not delivered: {} ({}), counted as dead_letters{}",
                    type,
                    envelope.shard(),
                    envelope.entityId(),
                    reason.message(),
                    reason.code(),
                    deadLetterPace.note());
        }
    }

    @Override
    public void stoppedByForce(String type, String entityId, int shard, StopReason reason, long millis) {
        stoppedByForce.increment();
        if (forcePace.admits()) {
            LOG.warn(
                    "type={} shard={}: entity {} is stopped by force: {} timed out after stopTimeoutMs, and its current"
                            + " call has run for {} ms; counted as stopped_by_force{}",
                    type,
                    shard,
                    entityId,
                    reason,
                    millis,
                    forcePace.note());
        }
    }

    /** An entity keeps its shard from leaving; each may say so again every few seconds. */
    void heldUp(String type, String entityId, long millis, int shard, boolean stays) {
        if (heldUpPace.admits()) {
            LOG.warn(
                    "type={} shard={}: entity {} has been handling one message, or starting, for {} ms: the shard {}{}",
                    type,
                    shard,
                    entityId,
                    millis,
                    stays ? "stays here and does not move" : "cannot leave, and the region waits for it",
                    heldUpPace.note());
        }
    }

    /** An entity is at one message for longer than an asker waits. */
    void notAnswering(String type, String entityId, int shard, long millis) {
        if (silencePace.admits()) {
            LOG.warn(
                    "type={} shard={}: entity {} has been handling one message, or starting, for {} ms, longer than its"
                            + " asks wait: further messages wait in its mailbox; counted as entities_not_answering{}",
                    type,
                    shard,
                    entityId,
                    millis,
                    silencePace.note());
        }
    }

    void notAnswering(int change) {
        notAnswering.addAndGet(change);
    }

    /** A shard stays for a state that cannot move. */
    void moveDeclined(String type, String entityId, int shard, long bytes, String reason) {
        movesDeclined.increment();
        if (declinedPace.admits()) {
            LOG.warn(
                    "type={} shard={}: stays here, as entity {}/{} cannot take its state{} along: {}; counted as "
                            + "moves_declined{}",
                    type,
                    shard,
                    type,
                    entityId,
                    bytes == 0 ? "" : " of " + bytes + " bytes",
                    reason,
                    declinedPace.note());
        }
    }

    /** A handoff is aborted because nodes have not drained; each type may say so again every few seconds. */
    void undrained(String type, int shard, Set<NodeId> nodes, long millis) {
        handoffsUndrained.increment();
        if (undrainedPace.admits()) {
            LOG.warn(
                    "type={} shard={}: the handoff is aborted, {} have not drained in {} ms: is an event loop "
                            + "blocked there?{}",
                    type,
                    shard,
                    nodes,
                    millis,
                    undrainedPace.note());
        }
    }

    /** An event-bus client's message is none of the type, or names no entity. */
    public void busMessageRefused() {
        refusedBusMessages.increment();
    }

    /** Event-bus clients address too many entities that are new. */
    public void busEntityRefused() {
        refusedBusEntities.increment();
    }

    /** Counts the outcome of so many entities' state transfers. */
    void handedOver(StateTransferOutcome outcome, int entities) {
        Objects.requireNonNull(stateTransfers.get(outcome), "every outcome has a counter")
                .add(entities);
    }

    /** An instance has a state of so many bytes. */
    void stateTaken(int bytes) {
        handedOver(StateTransferOutcome.TAKEN, 1);
        bytesOf(StateTransferOutcome.TAKEN).add(bytes);
    }

    private LongAdder bytesOf(StateTransferOutcome outcome) {
        return Objects.requireNonNull(handoverBytes.get(outcome), "every outcome has a counter");
    }

    /** The bytes of the states with this outcome, as far as they are known here. */
    public long handoverBytes(StateTransferOutcome outcome) {
        return bytesOf(outcome).sum();
    }

    /** No next instance gets these states. */
    void stateLost(String type, StateLoss loss) {
        handedOver(loss.outcome(), loss.entities());
        bytesOf(loss.outcome()).add(loss.bytes());
        if (loss.ending()) {
            lossesAtEnd.add(loss);
        } else if (stateLossPace.admits()) {
            String what = loss.entityId() == null
                    ? "at least " + loss.entities() + " entities lose their state"
                    : "entity " + type + "/" + loss.entityId() + " loses its state" + size(loss);
            LOG.warn(
                    "type={} shard={}: {} in a move and starts without it: {}; counted as {}{}",
                    type,
                    loss.shard(),
                    what,
                    loss.reason(),
                    name(loss.outcome()),
                    stateLossPace.note());
        }
    }

    /** The region has ended: what was lost with it is told at once. */
    void tellLossesAtEnd(String type) {
        if (lossesAtEnd.entities() > 0) {
            LOG.warn(
                    "type={}: this region ends before another home has the states of its entities; lost: {}, of {};"
                            + " counted as handover_lost",
                    type,
                    lossesAtEnd.entities(),
                    lossesAtEnd.names());
        }
    }

    private static String size(StateLoss loss) {
        return loss.bytes() == 0 ? "" : " (version " + loss.version() + ", " + loss.bytes() + " bytes)";
    }

    private static String name(StateTransferOutcome outcome) {
        return "handover_" + outcome.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Number of entities that began without the state that they had before a move, as far as this region has seen it.
     */
    long statesLost() {
        long all = stateTransfers.values().stream().mapToLong(LongAdder::sum).sum();
        return all
                - Objects.requireNonNull(stateTransfers.get(StateTransferOutcome.TAKEN))
                        .sum();
    }

    /** An entity is passivated. */
    void passivated() {
        passivated.increment();
    }

    /** The region's lease ran out or was taken: all its entities end. */
    void leaseLost() {
        leasesLost.increment();
    }

    /** A request for an external lease failed, or was not answered in time. */
    void shardLeaseFailed() {
        shardLeaseFailures.increment();
    }

    /** A shard's entities have ended in good order, so that it can have another home. */
    void shardHandedOff() {
        shardsHandedOff.increment();
    }

    /** The coordinator is asked for the homes of this many shards. */
    public void homesRequested(int shards) {
        homeRequests.add(shards);
    }

    /** Number of homes that the coordinator was asked for, retries included. */
    public long homeRequests() {
        return homeRequests.sum();
    }

    public long storeFailures() {
        return storeFailures.sum();
    }

    public long storeRegressions() {
        return storeRegressions.sum();
    }

    public long reminderFailures() {
        return reminderFailures.sum();
    }

    /** An operation of the store of remembered entities failed. */
    public void memoryFailed() {
        memoryFailures.increment();
    }

    /** Metrics of the application threw, a meter of a registry, or the tracer. */
    public void metricsFailed() {
        metricsFailures.increment();
    }

    /** The store begins to fail for a shard, or works again; true for the first such shard and the last. */
    public boolean memoryTroubled(boolean isTroubled) {
        return isTroubled ? withoutMemory.incrementAndGet() == 1 : withoutMemory.decrementAndGet() == 0;
    }

    /** The counters that are not 0, by name. */
    public Map<String, Long> snapshot() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (FailureCode code : FailureCode.values()) {
            long count = counter(code).sum();
            if (count > 0) {
                counts.put(code.name().toLowerCase(Locale.ROOT), count);
            }
        }
        for (RestartPolicy.Action action : RestartPolicy.Action.values()) {
            String name = "failures_" + action.name().toLowerCase(Locale.ROOT);
            put(counts, name, treatment(action).sum());
        }
        put(counts, "failure_handler_failures", handlerFailures.sum());
        stateTransfers.forEach((outcome, count) -> put(counts, name(outcome), count.sum()));
        put(counts, "entities_not_answering", notAnswering.get());
        put(counts, "moves_declined", movesDeclined.sum());
        put(counts, "passivated", passivated.sum());
        put(counts, "stopped_by_force", stoppedByForce.sum());
        put(counts, "leases_lost", leasesLost.sum());
        put(counts, "shard_lease_failures", shardLeaseFailures.sum());
        put(counts, "shards_handed_off", shardsHandedOff.sum());
        put(counts, "handoffs_undrained", handoffsUndrained.sum());
        put(counts, "bus_messages_refused", refusedBusMessages.sum());
        put(counts, "bus_entities_refused", refusedBusEntities.sum());
        put(counts, "dead_letters", deadLetters.sum());
        put(counts, "home_requests", homeRequests.sum());
        put(counts, "memory_failures", memoryFailures.sum());
        put(counts, "store_failures", storeFailures.sum());
        put(counts, "store_regressed", storeRegressions.sum());
        put(counts, "reminder_failures", reminderFailures.sum());
        put(counts, "metrics_failures", metricsFailures.sum());
        put(counts, "shards_without_memory", withoutMemory.get());
        return counts;
    }

    private static void put(Map<String, Long> counts, String name, long count) {
        if (count > 0) {
            counts.put(name, count);
        }
    }
}
