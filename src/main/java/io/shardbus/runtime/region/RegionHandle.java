package io.shardbus.runtime.region;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.codec.MessageForm;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.EraseEntity;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.CommandId;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardSilence;
import io.shardbus.model.TypeState;
import io.shardbus.options.PassivationOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.EntityRegion;
import io.shardbus.runtime.entity.GuardedMetrics;
import io.shardbus.runtime.entity.TypedPayloads;
import io.shardbus.runtime.tracing.MessageTracing;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The region of a type on this node as its users see it: its references, its state, and its standing. */
public final class RegionHandle<M> implements ShardRegion<M>, EntityRegion<M> {
    private static final int MOST_IDS = 10_000;

    private final EntityType<M> type;
    private final RegionSettings settings;
    private final PayloadCodec<M> codec;
    private final TypedPayloads payloads;
    private final Addressing<M> addressing;
    private final RegionPassivation passivation;
    private final ElapsedClock clock;
    private final Actions actions;
    private final Readiness readiness;
    private final RegionCounters counters;
    private final GuardedMetrics metrics;
    private final @Nullable MessageTracing tracing;
    private final RegionLatency latency;
    private final RegionSender sender;
    private final RegionQueries queries;
    private volatile EntityDefinition<M> definition;
    private volatile boolean proxy;
    private volatile long leaseRemains;
    private volatile boolean hostless;
    private volatile Lease lease = Lease.NONE;
    private volatile @Nullable RegionHandle<M> successor;

    /**
     * Functions of the node for its region.
     *
     * @param alone whether the node is the only member of its cluster; any thread
     */
    public record Actions(
            Supplier<Future<Void>> leave,
            Supplier<Future<TypeState.Region>> state,
            BooleanSupplier available,
            BooleanSupplier alone) {}

    /** @param tracing null where nothing is traced */
    public RegionHandle(
            EntityDefinition<M> definition,
            RegionSettings settings,
            PayloadCodec<M> codec,
            ElapsedClock clock,
            Actions actions,
            @Nullable MessageTracing tracing) {
        this.definition = definition;
        this.type = definition.type();
        this.settings = settings;
        this.codec = codec;
        this.payloads = new TypedPayloads(codec, MessageForm.of(codec, type.messageClass()));
        this.addressing = new Addressing<>(definition, codec, settings.numberOfShards());
        this.passivation = RegionPassivation.of(definition, settings.options().node());
        this.clock = clock;
        this.actions = actions;
        this.tracing = tracing;
        this.latency = new RegionLatency(settings.options().node().getLatencySampling());
        this.counters = new RegionCounters(clock::now);
        if (tracing != null) {
            tracing.countFailures(counters::metricsFailed);
        }
        this.readiness = new Readiness(type.name(), actions.available());
        this.proxy = settings.proxy();
        this.metrics = new GuardedMetrics(
                type.name(),
                definition.metrics().orElse(null),
                counters::metricsFailed,
                counters::started,
                counters::stopped);
        this.sender =
                new RegionSender(type.name(), settings, payloads, clock, counters, tracing, latency, this::lateness);
        this.queries = new RegionQueries(type.name(), () -> List.of(sender.lanes()), counters);
    }

    @Override
    public EntityDefinition<M> definition() {
        return definition;
    }

    @Override
    public RegionCounters counters() {
        return counters;
    }

    /** The last waits for homes of its messages, the latest first. Any thread. */
    public List<ShardSilence> silences(NodeId self) {
        return counters.recentSilences().latest(self, type().name(), clock);
    }

    /**
     * The last dead letters, the latest first.
     *
     * @param self this node
     */
    public List<DeadLetter> deadLetters(NodeId self) {
        return counters.lastDeadLetters().latest(self, type().name(), clock);
    }

    @Override
    public ElapsedClock clock() {
        return clock;
    }

    public RegionSettings settings() {
        return settings;
    }

    public PayloadCodec<M> codec() {
        return codec;
    }

    /** For how long the region had its lease still at the last tick, in milliseconds; 0 if it had none. */
    public long leaseRemains() {
        return leaseRemains;
    }

    void leaseRemains(long millis) {
        leaseRemains = millis;
    }

    @Override
    public GuardedMetrics metrics() {
        return metrics;
    }

    @Override
    public @Nullable MessageTracing tracing() {
        return tracing;
    }

    /** The recorder of its asks' and messages' latencies. */
    public RegionLatency latency() {
        return latency;
    }

    @Nullable
    LaneLatency newLatency(long now) {
        return latency.ofLane(now);
    }

    RegionPassivation putsAway() {
        return passivation;
    }

    @Override
    public TypedPayloads payloads() {
        return payloads;
    }

    /** Gives the region its lanes, and the lanes the messages that were sent before. */
    public void open(LaneQueue[] opened) {
        sender.open(opened);
        latency.open(List.of(opened));
    }

    /** The region does not start: what waits for its lanes is refused. */
    public void neverOpens() {
        sender.neverOpens();
    }

    /** Fails asks that wait for the lanes and are late; called now and then until the region has started. */
    public void expireEarly() {
        sender.expireEarly();
    }

    /** The way of its users' messages to its lanes. */
    RegionSender sender() {
        return sender;
    }

    /** The lanes are gone: messages are refused, or go to the successor, and drain handlers are called. */
    public void close() {
        readiness.registered(false);
        readiness.leaving();
        latency.open(List.of());
        sender.close();
    }

    /** By the control of the region alone. */
    void extendLease(long until) {
        lease = lease.extended(until, clock.now());
    }

    /** By the control of the region alone, before it has the lanes stop. */
    void leaseLapsed() {
        lease = lease.lapsed();
    }

    /** The last word of its control; any thread. */
    Lease lease() {
        return lease;
    }

    /** Whether entities that are hosted since that stay may begin something at this moment; any thread. */
    @Override
    public boolean hasLease(long stay) {
        return lease.isHeld(stay, clock.now());
    }

    /** Whether no other node is there that could take anything over; any thread. */
    boolean isAlone() {
        return actions.alone().getAsBoolean();
    }

    /** Whether it has lanes. */
    public boolean isOpen() {
        return sender.lanes().length > 0;
    }

    public Readiness readiness() {
        return readiness;
    }

    /** Whether no node hosts the type, as far as this proxy has heard. */
    public void hostless(boolean now) {
        hostless = now;
    }

    /** The text that no node hosts the type. */
    public String withoutHosts() {
        String role = definition.role().map(name -> " (role " + name + ")").orElse("");
        return "no node hosts '" + type.name() + "'" + role;
    }

    /** The text of an ask that timed out. */
    String lateness(FutureAsk.Question asked, int millis) {
        String message = asked.payload() == Envelope.START
                ? "start request"
                : asked.payload().getClass().getSimpleName();
        String late = type.name() + "/" + asked.entityId() + " has not answered in " + millis + " ms, asked " + message;
        if (hostless && proxy) {
            return late + ": " + withoutHosts();
        }
        int missing = readiness().missing();
        return missing == 0 ? late : late + ": its shard has no home before " + missing + " more nodes host the type";
    }

    /** A proxy becomes a host, with the factory of this equal definition. */
    void host(EntityDefinition<M> hosting) {
        definition = hosting;
        metrics.use(hosting.metrics().orElse(null));
        proxy = false;
    }

    /** References go on with this region of the same type. */
    public void succeededBy(RegionHandle<M> next) {
        successor = next;
    }

    RegionHandle<M> latest() {
        RegionHandle<M> latest = this;
        for (RegionHandle<M> next = successor; next != null; next = next.successor) {
            latest = next;
        }
        return latest;
    }

    @Override
    public EntityType<M> type() {
        return type;
    }

    @Override
    public int numberOfShards() {
        return settings.numberOfShards();
    }

    @Override
    public String addressing() {
        return settings.options().extractorVersion();
    }

    @Override
    public int maxPayloadBytes() {
        return settings.maxPayloadBytes();
    }

    @Override
    public boolean isProxy() {
        return proxy;
    }

    @Override
    public boolean isPersistent() {
        return definition.sharedStore().isPresent();
    }

    @Override
    public boolean isRegistered() {
        return readiness.isRegistered();
    }

    @Override
    public Future<Void> ready() {
        return readiness.ready();
    }

    @Override
    public int missingMembers() {
        return readiness.missing();
    }

    @Override
    public Optional<String> waitsFor() {
        int missing = readiness.missing();
        if (missing == 0 && readiness.opensIn() > 0) {
            return Optional.of("the shards of '" + type.name() + "' that have no home wait until leases of an earlier"
                    + " coordinator have run out, for " + tenths(readiness.opensIn()) + " s at most");
        }
        if (missing == 0) {
            return hostless && proxy ? Optional.of(withoutHosts() + ": start one that does") : Optional.empty();
        }
        int minimum = settings.minimumMembers();
        String hosts =
                definition.role().map(role -> " with role '" + role + "'").orElse("");
        return Optional.of("the shards of '" + type.name() + "' get no home: " + (minimum - missing) + " of "
                + minimum + " nodes that it waits for host it. Start it on " + missing + " more"
                + hosts + ", or lower its minimum (minimumMembers, minimumMembersOfRole, or that of its definition)");
    }

    private static String tenths(long millis) {
        long rounded = (millis + 99) / 100;
        return rounded / 10 + "." + rounded % 10;
    }

    @Override
    public Future<TypeState.Region> state() {
        return CallerContext.complete(actions.state().get());
    }

    /** Answers of its lanes about shards and entities. */
    public RegionQueries queries() {
        return queries;
    }

    @Override
    public Future<Void> leave() {
        return CallerContext.complete(actions.leave().get());
    }

    @Override
    public Future<Map<Integer, Set<String>>> entityIds() {
        return CallerContext.complete(queries.entityIds(MOST_IDS));
    }

    @Override
    public PassivationOptions passivation() {
        return passivation.effective();
    }

    @Override
    public PassivationOptions configuredPassivation() {
        return passivation.configured();
    }

    @Override
    public void limitActiveEntities(int limit) {
        passivation.limit(limit);
    }

    @Override
    public EntityRef<M> entityRef(String entityId) {
        return new RegionEntityRef<>(this, entityId, shard(entityId), Origin.OUTSIDE);
    }

    @Override
    public EntityRef<M> entityRef(String entityId, int fromShard, BooleanSupplier lives) {
        int shard = shard(entityId);
        return new RegionEntityRef<>(this, entityId, shard, shard == fromShard ? lives::getAsBoolean : Origin.OUTSIDE);
    }

    /** The shard of an id; refuses an id that is empty, too long, or no Unicode text. */
    public int shard(String entityId) {
        return addressing.shard(entityId);
    }

    /** Refuses what is no message of the type. */
    public void check(@Nullable Object message) {
        addressing.check(message);
    }

    /** Each lane announces itself to this lane of another node. */
    public void greet(PeerLane peer) {
        for (LaneQueue lane : sender.lanes()) {
            lane.execute((greeting, now) -> greeting.greet(peer, now));
        }
    }

    /** A command with an id of an event-bus client: its keys are apart from those of the cluster's own senders. */
    public Future<Object> requestOfBus(String entityId, M message, CommandId id) {
        ItemHeaders headers = new ItemHeaders(Map.of(), ItemHeaders.NO_DEADLINE, ItemHeaders.OF_BUS_CLIENT + id);
        return sender.ask(shard(entityId), entityId, message, headers, askTimeout());
    }

    /**
     * Ends what an entity has stored, if its shard is here. The future does not fail.
     *
     * @param timeoutMillis for the store's answer; after it the order may still take effect
     */
    public Future<QueryAnswer.Erased> erase(int shard, String entityId, long timeoutMillis) {
        return queries.isLive(shard, entityId)
                .compose(here -> here.isEmpty()
                        ? Future.succeededFuture(new QueryAnswer.Erased(null, "", true))
                        : sender.ask(shard, entityId, EraseEntity.REQUEST, ItemHeaders.NONE, timeoutMillis)
                                .map(done -> new QueryAnswer.Erased(null, "", false))
                                .otherwise(RegionHandle::notErased));
    }

    private static QueryAnswer.Erased notErased(Throwable failure) {
        FailureCode code = failure instanceof ShardingException known ? known.code() : FailureCode.OUTCOME_UNKNOWN;
        return new QueryAnswer.Erased(code, String.valueOf(failure.getMessage()), false);
    }

    long askTimeout() {
        return settings.askTimeout();
    }

    @Override
    public void tell(Object message) {
        Addressing.Addressed target = addressing.address(message);
        sender.tell(target.shard(), target.entityId(), target.payload());
    }

    @Override
    public <R> Future<R> ask(Object message, Class<R> answer, Duration timeout) {
        long millis = RegionSender.millis(timeout);
        try {
            Addressing.Addressed target = addressing.address(message);
            return RegionSender.cast(
                    sender.ask(target.shard(), target.entityId(), target.payload(), ItemHeaders.NONE, millis), answer);
        } catch (ShardingException e) {
            return Future.failedFuture(e);
        }
    }
}
