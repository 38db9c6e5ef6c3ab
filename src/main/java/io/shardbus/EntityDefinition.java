package io.shardbus;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.ShardHash;
import io.shardbus.model.SharedStore;
import io.shardbus.options.ComparedValues;
import io.shardbus.options.OptionKey;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.AllocationStrategy;
import io.shardbus.spi.EntityFailureHandler;
import io.shardbus.spi.LeaseProvider;
import io.shardbus.spi.MessageExtractor;
import io.shardbus.spi.PayloadCodec;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.spi.ShardingMetrics;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A kind of entity as one node hosts it: how instances are made, and how messages, shards and failures are handled.
 * Immutable: each {@code with} method returns another definition, and refuses a value out of range at once. Settings
 * that are not made are taken from {@link ShardingOptions}.
 *
 * <p>Two definitions are equal when starting the type with either has the same effect: same type, role, number of
 * shards, extractor (class and version), codec (class, name and version), stop message, policies, execution, allocation
 * strategy (class), remembering, timeouts and sizes. The factory, the failure handler, the metrics, the preparation and
 * the step for the shared store are not compared: those of the first start stay in use.
 *
 * @param <M> the messages of the entities
 */
public final class EntityDefinition<M> {
    private static final long SHORTEST_SAMPLE_MS = 100;
    private static final long LONGEST_SAMPLE_MS = 3_600_000;

    private final Parts<M> parts;

    private EntityDefinition(Parts<M> parts) {
        this.parts = parts;
    }

    /**
     * A definition with the defaults.
     *
     * @param factory makes a new instance for an id; called on the shard's event loop, must not block
     */
    public static <M> EntityDefinition<M> of(EntityType<M> type, Function<String, ? extends Entity<M>> factory) {
        return new EntityDefinition<>(new Parts<>(type, factory));
    }

    /** Only nodes with this role host the type; the others are proxies. 1 to 64 letters, digits, '-', '_' or '.'. */
    public EntityDefinition<M> withRole(String role) {
        require("roles", List.of(role));
        return with(p -> p.role = role);
    }

    /** The number of shards, the same on all nodes. 1 to 65,536. */
    public EntityDefinition<M> withNumberOfShards(int numberOfShards) {
        require("numberOfShards", numberOfShards);
        return with(p -> p.numberOfShards = numberOfShards);
    }

    /** Takes the entity's id from messages that come without an envelope, and the shard from the id. */
    public EntityDefinition<M> withMessageExtractor(MessageExtractor<M> extractor) {
        Objects.requireNonNull(extractor, "extractor");
        return with(p -> p.extractor = extractor);
    }

    /** Turns messages into bytes; needed for message classes that no built-in codec knows. */
    public EntityDefinition<M> withCodec(PayloadCodec<M> codec) {
        Objects.requireNonNull(codec, "codec");
        return with(p -> p.codec = codec);
    }

    /** The last message that an instance gets when it must stop in good order. */
    public EntityDefinition<M> withStopMessage(M stopMessage) {
        Objects.requireNonNull(stopMessage, "stopMessage");
        return with(p -> p.stopMessage = stopMessage);
    }

    /** Sets the policy for an instance whose code threw. Default: {@link RestartPolicy#restart()}. */
    public EntityDefinition<M> withRestartPolicy(RestartPolicy restartPolicy) {
        Objects.requireNonNull(restartPolicy, "restartPolicy");
        return with(p -> p.restartRules = p.restartRules.with(restartPolicy));
    }

    /**
     * Sets the policy for an instance whose code threw an exception of this class, or of a subclass that has no policy
     * of its own. The policy of {@link #withRestartPolicy(RestartPolicy)} is for all other failures. A limit of a
     * policy counts the failures that this policy handled.
     */
    public EntityDefinition<M> withRestartPolicy(Class<? extends Throwable> failures, RestartPolicy restartPolicy) {
        Objects.requireNonNull(failures, "failures");
        Objects.requireNonNull(restartPolicy, "restartPolicy");
        return with(p -> p.restartRules = p.restartRules.with(failures, restartPolicy));
    }

    /** Sets the handler that is called for every failure that a restart policy handles. Default: none. */
    public EntityDefinition<M> withFailureHandler(EntityFailureHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return with(p -> p.failureHandler = handler);
    }

    /** Sets the thread model of the entities' code. Default: {@link ExecutionModel#EVENT_LOOP}. */
    public EntityDefinition<M> withExecution(ExecutionModel execution) {
        Objects.requireNonNull(execution, "execution");
        return with(p -> p.execution = execution);
    }

    /**
     * The strategy that places the type's shards. The coordinator uses its own node's, so set the same on all nodes.
     */
    public EntityDefinition<M> withAllocationStrategy(AllocationStrategy strategy) {
        Objects.requireNonNull(strategy, "strategy");
        return with(p -> {
            p.allocationStrategy = strategy;
            p.allocation = null;
        });
    }

    /**
     * The name of the strategy that places the type's shards, one of {@link ShardingOptions#ALLOCATION_STRATEGIES}. The
     * coordinator uses its own node's, so set the same on all nodes.
     */
    public EntityDefinition<M> withAllocation(String name) {
        if (!ShardingOptions.ALLOCATION_STRATEGIES.contains(name)) {
            throw new IllegalArgumentException("entity type '" + parts.type.name() + "': no allocation strategy '"
                    + name + "': use one of " + String.join(", ", ShardingOptions.ALLOCATION_STRATEGIES));
        }
        return with(p -> {
            p.allocation = name;
            p.allocationStrategy = null;
        });
    }

    /**
     * The provider of an external lease that each shard of the type must hold before it starts entities, instead of the
     * lease that the options name; the same on all nodes. The provider is not closed with the node.
     */
    public EntityDefinition<M> withShardLeases(LeaseProvider leases) {
        Objects.requireNonNull(leases, "leases");
        return with(p -> {
            p.shardLeases = leases;
            p.shardLease = null;
        });
    }

    /**
     * The name of the external lease that each shard of the type must hold before it starts entities, one of {@link
     * ShardingOptions#SHARD_LEASES}, instead of the lease that the options name; the same on all nodes.
     */
    public EntityDefinition<M> withShardLease(String name) {
        if (!ShardingOptions.SHARD_LEASES.contains(name)) {
            throw new IllegalArgumentException("entity type '" + parts.type.name() + "': no shard lease '" + name
                    + "': use one of " + String.join(", ", ShardingOptions.SHARD_LEASES));
        }
        return with(p -> {
            p.shardLease = name;
            p.shardLeases = null;
        });
    }

    /**
     * Remembers the entities of the type: their ids are stored, and they start without a message after a move, a crash,
     * and, where the store is durable, a stop of the whole cluster, until they are passivated. The same on all nodes.
     * Default: false.
     */
    public EntityDefinition<M> withRememberEntities(boolean rememberEntities) {
        return with(p -> p.rememberEntities = rememberEntities);
    }

    /**
     * Sets the store of this type's remembered entities, instead of the store that the options name; the same on all
     * nodes that may coordinate. It is started and closed by the code that made it. Includes {@link
     * #withRememberEntities}.
     */
    public EntityDefinition<M> withRememberedEntitiesStore(RememberedEntitiesStore store) {
        Objects.requireNonNull(store, "store");
        return with(p -> {
            p.rememberEntities = true;
            p.rememberedEntitiesStore = store;
        });
    }

    /** Nodes that must host the type before its first shard gets a home; the same on all nodes. 1 to 1,000. */
    public EntityDefinition<M> withMinimumMembers(int minimumMembers) {
        require("minimumMembers", minimumMembers);
        return with(p -> p.minimumMembers = minimumMembers);
    }

    /** The deadline of an ask that gives none. 1 ms to 1 day. */
    public EntityDefinition<M> withAskTimeout(Duration timeout) {
        require("askTimeoutMs", millis(timeout));
        return with(p -> p.askTimeout = timeout);
    }

    /** Sets the time that an entity may take to stop before it is stopped by force. 1 ms to 10 minutes. */
    public EntityDefinition<M> withStopTimeout(Duration timeout) {
        require("stopTimeoutMs", millis(timeout));
        return with(p -> p.stopTimeout = timeout);
    }

    /** Sets the time that a shard may take to leave its home; then it stays. 10 ms to 1 hour. */
    public EntityDefinition<M> withHandoffTimeout(Duration timeout) {
        require("handoffTimeoutMs", millis(timeout));
        return with(p -> p.handoffTimeout = timeout);
    }

    /**
     * The longest pause between two tries of a registration, a request for a home, or a message of a handoff. The
     * coordinator uses its own node's, so set the same on all nodes. 10 ms to 1 minute.
     */
    public EntityDefinition<M> withRetryInterval(Duration interval) {
        require("retryIntervalMs", millis(interval));
        return with(p -> p.retryInterval = interval);
    }

    /**
     * The pause between two rounds of rebalancing. With zero no round begins by itself: shards then move only by {@link
     * ClusterSharding#rebalance}, a change of desired homes, drains, moves and pins, and when their node leaves or is
     * lost. The coordinator uses its own node's, so set the same on all nodes. 0 to 1 hour.
     */
    public EntityDefinition<M> withRebalanceInterval(Duration interval) {
        require("rebalanceIntervalMs", millis(interval));
        return with(p -> p.rebalanceInterval = interval);
    }

    /** Messages that may wait for one entity. 1 to 1,000,000. */
    public EntityDefinition<M> withMailboxSize(int messages) {
        require("mailboxSize", messages);
        return with(p -> p.mailboxSize = messages);
    }

    /** Messages that may wait in a region for a home. 1 to 10,000,000. */
    public EntityDefinition<M> withBufferSize(int messages) {
        require("bufferSize", messages);
        return with(p -> p.bufferSize = messages);
    }

    /** Sets the automatic passivation of the type's entities. */
    public EntityDefinition<M> withPassivation(PassivationOptions passivation) {
        require("passivation", passivation);
        var copy = new PassivationOptions(passivation);
        return with(p -> p.passivation = copy);
    }

    /** Sets the listener of the entities' lives on this node. Its sample interval must be 100 ms to 1 hour. */
    public EntityDefinition<M> withMetrics(ShardingMetrics metrics) {
        long interval = millis(metrics.sampleInterval());
        if (interval < SHORTEST_SAMPLE_MS || interval > LONGEST_SAMPLE_MS) {
            throw new IllegalArgumentException("entity type '" + parts.type.name() + "': sample interval of metrics "
                    + metrics.sampleInterval() + ": use 100 ms to 1 hour");
        }
        return with(p -> p.metrics = metrics);
    }

    /**
     * Sets a step that must succeed before a node hosts the type, such as connecting to a store; called at each start
     * of the type on a node, on any thread. If the future fails, so does the start, which may be tried again.
     */
    public EntityDefinition<M> withPreparation(Supplier<? extends Future<?>> preparation) {
        Objects.requireNonNull(preparation, "preparation");
        return with(p -> p.preparation = preparation);
    }

    /**
     * Sets the step that starts the store of the type's entities and identifies it: a node with another store than the
     * cluster's is refused when it joins. Called before a node hosts the type, after {@link #withPreparation}, on any
     * thread. If the future fails, so does the start, which may be tried again. Called again whenever a coordinator
     * begins, on an event loop: only the highest term counts then, and a failure changes nothing.
     */
    public EntityDefinition<M> withSharedStore(Supplier<Future<SharedStore>> store) {
        Objects.requireNonNull(store, "store");
        return with(p -> p.sharedStore = store);
    }

    public EntityType<M> type() {
        return parts.type;
    }

    public Function<String, ? extends Entity<M>> factory() {
        return parts.factory;
    }

    /** Empty: every node may host the type. */
    public Optional<String> role() {
        return Optional.ofNullable(parts.role);
    }

    public OptionalInt numberOfShards() {
        return optional(parts.numberOfShards);
    }

    /**
     * Empty: only envelopes and start requests name their entity; {@link ShardHash} gives the shard.
     */
    public Optional<MessageExtractor<M>> messageExtractor() {
        return Optional.ofNullable(parts.extractor);
    }

    /** Empty: the built-in codec of the message class. */
    public Optional<PayloadCodec<M>> codec() {
        return Optional.ofNullable(parts.codec);
    }

    public Optional<M> stopMessage() {
        return Optional.ofNullable(parts.stopMessage);
    }

    /** For failures of classes that have no policy of their own. */
    public RestartPolicy restartPolicy() {
        return parts.restartRules.otherwise();
    }

    /** Policy for this failure: that of its class, of the nearest class above it, or that for all others. */
    public RestartPolicy restartPolicy(Throwable failure) {
        return parts.restartRules.of(failure);
    }

    /** Empty: failures are logged and counted. */
    public Optional<EntityFailureHandler> failureHandler() {
        return Optional.ofNullable(parts.failureHandler);
    }

    public ExecutionModel execution() {
        return parts.execution;
    }

    /** Empty: the strategy of {@link #allocation} if it is set, else the strategy that the options name. */
    public Optional<AllocationStrategy> allocationStrategy() {
        return Optional.ofNullable(parts.allocationStrategy);
    }

    /**
     * The name of the strategy that places the shards. Empty: {@link #allocationStrategy} if it is set, else the
     * strategy that the options name.
     */
    public Optional<String> allocation() {
        return Optional.ofNullable(parts.allocation);
    }

    /** Empty: the provider of {@link #shardLease} if it is set, else the provider that the options name. */
    public Optional<LeaseProvider> shardLeases() {
        return Optional.ofNullable(parts.shardLeases);
    }

    /**
     * The name of the lease provider. Empty: {@link #shardLeases} if it is set, else the provider that the options
     * name.
     */
    public Optional<String> shardLease() {
        return Optional.ofNullable(parts.shardLease);
    }

    public boolean isRememberEntities() {
        return parts.rememberEntities;
    }

    /** Empty: the store that the options name. */
    public Optional<RememberedEntitiesStore> rememberedEntitiesStore() {
        return Optional.ofNullable(parts.rememberedEntitiesStore);
    }

    /** Empty: nothing has to be prepared. */
    public Optional<Supplier<? extends Future<?>>> preparation() {
        return Optional.ofNullable(parts.preparation);
    }

    /** Empty: the nodes compare no store. */
    public Optional<Supplier<Future<SharedStore>>> sharedStore() {
        return Optional.ofNullable(parts.sharedStore);
    }

    /** Empty: there is no handler. */
    public Optional<ShardingMetrics> metrics() {
        return Optional.ofNullable(parts.metrics);
    }

    /** Empty: the number that the options set for the type's role, or else for all types. */
    public OptionalInt minimumMembers() {
        return optional(parts.minimumMembers);
    }

    public Optional<Duration> askTimeout() {
        return Optional.ofNullable(parts.askTimeout);
    }

    public Optional<Duration> stopTimeout() {
        return Optional.ofNullable(parts.stopTimeout);
    }

    public Optional<Duration> handoffTimeout() {
        return Optional.ofNullable(parts.handoffTimeout);
    }

    public Optional<Duration> retryInterval() {
        return Optional.ofNullable(parts.retryInterval);
    }

    public Optional<Duration> rebalanceInterval() {
        return Optional.ofNullable(parts.rebalanceInterval);
    }

    /** Empty: the passivation that the options set. */
    public Optional<PassivationOptions> passivation() {
        return Optional.ofNullable(parts.passivation).map(PassivationOptions::new);
    }

    public OptionalInt mailboxSize() {
        return optional(parts.mailboxSize);
    }

    public OptionalInt bufferSize() {
        return optional(parts.bufferSize);
    }

    /** Compares the settings that the comment of the class names. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntityDefinition<?> that && parts.compared().equals(that.parts.compared());
    }

    @Override
    public int hashCode() {
        return parts.compared().hashCode();
    }

    @Override
    public String toString() {
        return "EntityDefinition" + parts.compared();
    }

    /**
     * The compared settings in which the two definitions differ, in words, each with the value of this definition
     * first.
     */
    public String differences(EntityDefinition<?> other) {
        return parts.compared().differences(other.parts.compared());
    }

    private EntityDefinition<M> with(Consumer<Parts<M>> change) {
        var copy = new Parts<>(parts);
        change.accept(copy);
        return new EntityDefinition<>(copy);
    }

    private void require(String option, Object value) {
        try {
            OptionKey.named(option).require(value);
        } catch (IllegalArgumentException refusal) {
            throw new IllegalArgumentException(
                    "entity type '" + parts.type.name() + "': " + refusal.getMessage(), refusal);
        }
    }

    /**
     * Whole milliseconds, cut off. A duration that is outside every range becomes -1 or {@code Long.MAX_VALUE}, so that
     * it does not overflow.
     */
    private static long millis(Duration duration) {
        if (duration.isNegative()) {
            return -1;
        }
        return duration.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE : duration.toMillis();
    }

    private static OptionalInt optional(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    /** The values of a definition: written while it is made, never after. */
    private static final class Parts<M> {
        private final EntityType<M> type;
        private final Function<String, ? extends Entity<M>> factory;
        private @Nullable String role;
        private @Nullable Integer numberOfShards;
        private @Nullable MessageExtractor<M> extractor;
        private @Nullable PayloadCodec<M> codec;
        private @Nullable M stopMessage;
        private RestartRules restartRules = new RestartRules(RestartPolicy.restart());
        private @Nullable EntityFailureHandler failureHandler;
        private ExecutionModel execution = ExecutionModel.EVENT_LOOP;
        private @Nullable AllocationStrategy allocationStrategy;
        private @Nullable String allocation;
        private @Nullable LeaseProvider shardLeases;
        private @Nullable String shardLease;
        private boolean rememberEntities;
        private @Nullable RememberedEntitiesStore rememberedEntitiesStore;
        private @Nullable Duration askTimeout;
        private @Nullable Duration stopTimeout;
        private @Nullable Duration handoffTimeout;
        private @Nullable Duration retryInterval;
        private @Nullable Duration rebalanceInterval;
        private @Nullable Integer minimumMembers;
        private @Nullable Integer mailboxSize;
        private @Nullable Integer bufferSize;
        private @Nullable PassivationOptions passivation;
        private @Nullable ShardingMetrics metrics;
        private @Nullable Supplier<? extends Future<?>> preparation;
        private @Nullable Supplier<Future<SharedStore>> sharedStore;

        Parts(EntityType<M> type, Function<String, ? extends Entity<M>> factory) {
            this.type = Objects.requireNonNull(type, "type");
            this.factory = Objects.requireNonNull(factory, "factory");
        }

        Parts(Parts<M> other) {
            this(other.type, other.factory);
            role = other.role;
            numberOfShards = other.numberOfShards;
            extractor = other.extractor;
            codec = other.codec;
            stopMessage = other.stopMessage;
            restartRules = other.restartRules;
            failureHandler = other.failureHandler;
            execution = other.execution;
            allocationStrategy = other.allocationStrategy;
            allocation = other.allocation;
            shardLeases = other.shardLeases;
            shardLease = other.shardLease;
            rememberEntities = other.rememberEntities;
            rememberedEntitiesStore = other.rememberedEntitiesStore;
            askTimeout = other.askTimeout;
            stopTimeout = other.stopTimeout;
            handoffTimeout = other.handoffTimeout;
            retryInterval = other.retryInterval;
            rebalanceInterval = other.rebalanceInterval;
            minimumMembers = other.minimumMembers;
            mailboxSize = other.mailboxSize;
            bufferSize = other.bufferSize;
            passivation = other.passivation;
            metrics = other.metrics;
            preparation = other.preparation;
            sharedStore = other.sharedStore;
        }

        /** Values that equality compares. */
        ComparedValues compared() {
            var values = new ComparedValues();
            values.put("type", type);
            values.put("role", role);
            values.put("numberOfShards", numberOfShards);
            values.put("extractor", extractor == null ? null : List.of(extractor.getClass(), extractor.version()));
            values.put("codec", codec == null ? null : List.of(codec.getClass(), codec.name(), codec.version()));
            values.put("stopMessage", stopMessage);
            values.put("restartPolicy", restartRules);
            values.put("execution", execution);
            values.put("allocationStrategy", allocationStrategy == null ? null : allocationStrategy.getClass());
            values.put("allocation", allocation);
            values.put("shardLeases", shardLeases == null ? null : shardLeases.getClass());
            values.put("shardLease", shardLease);
            values.put("rememberEntities", rememberEntities ? true : null);
            RememberedEntitiesStore store = rememberedEntitiesStore;
            values.put("rememberedEntitiesStore", store == null ? null : store.getClass());
            values.put("askTimeout", askTimeout);
            values.put("stopTimeout", stopTimeout);
            values.put("handoffTimeout", handoffTimeout);
            values.put("retryInterval", retryInterval);
            values.put("rebalanceInterval", rebalanceInterval);
            values.put("minimumMembers", minimumMembers);
            values.put("mailboxSize", mailboxSize);
            values.put("bufferSize", bufferSize);
            values.put("passivation", passivation);
            return values;
        }
    }
}
