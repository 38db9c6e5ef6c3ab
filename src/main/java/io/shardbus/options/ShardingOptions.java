package io.shardbus.options;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Options of sharding on this node. JSON keys are the names of the properties; times are milliseconds. The setters
 * check nothing: {@link #validate()} is called once, at start. Equal by all values. docs/reference/options.md lists the
 * keys; lease, detection and decision time depend on each other.
 */
public final class ShardingOptions extends ShardingSettings {
    public static final List<String> DEFAULT_ROLES = List.of();
    public static final boolean DEFAULT_COORDINATOR = true;
    public static final String DEFAULT_APP_VERSION = "0.0.0";
    public static final int DEFAULT_NUMBER_OF_SHARDS = 100;
    public static final int DEFAULT_LANES = 0;
    public static final long DEFAULT_LEASE_DURATION_MS = 8000;
    public static final long DEFAULT_DECISION_TIME_MS = 1000;
    public static final long DEFAULT_FAILURE_DETECTION_MS = 4800;
    public static final long DEFAULT_STORE_ROUND_TRIP_MS = 100;
    public static final int DEFAULT_MINIMUM_MEMBERS = 1;
    public static final boolean DEFAULT_AWAIT_PREDECESSOR_LEASES = true;
    public static final String DEFAULT_DEATH_WITNESS = "none";
    public static final String DEFAULT_SHARD_LEASE = "none";
    public static final long DEFAULT_LEASE_RETRY_INTERVAL_MS = 5000;
    public static final String DEFAULT_STATE_STORE_MODE = "replicated";
    public static final String DEFAULT_STATE_STORE_DIRECTORY = "";
    public static final long DEFAULT_STATE_STORE_TIMEOUT_MS = 5000;
    public static final long DEFAULT_ASK_TIMEOUT_MS = 10_000;
    public static final int DEFAULT_BUFFER_SIZE = 100_000;
    public static final int DEFAULT_MAILBOX_SIZE = 10_000;
    public static final long DEFAULT_HANDOFF_TIMEOUT_MS = 60_000;
    public static final long DEFAULT_STOP_TIMEOUT_MS = 10_000;
    public static final long DEFAULT_SHUTDOWN_TIMEOUT_MS = 30_000;
    public static final long DEFAULT_HANDOVER_TIMEOUT_MS = 5000;
    public static final int DEFAULT_HANDOVER_BYTES = 67_108_864;
    public static final long DEFAULT_RETRY_INTERVAL_MS = 2000;
    public static final long DEFAULT_REBALANCE_INTERVAL_MS = 10_000;
    /** Gives every region the same number of shards; shards move in rounds. */
    public static final String LEAST_SHARDS = "least-shards";
    /** The older strategy: shards move while the numbers of shards of two regions differ by more than a threshold. */
    public static final String LEAST_SHARDS_THRESHOLD = "least-shards-threshold";
    /** Every shard lives with its owner on a hash ring. */
    public static final String CONSISTENT_HASHING = "consistent-hashing";
    /** Every region is home to few, wide ranges of neighbouring shards. */
    public static final String SLICE_RANGES = "slice-ranges";
    /**
     * Places shards as {@link io.shardbus.ExternalShardAllocation} says; a shard without a desired home goes to the
     * region that asked for it first.
     */
    public static final String EXTERNAL = "external";
    /** The names of the strategies that the library brings. */
    public static final List<String> ALLOCATION_STRATEGIES =
            List.of(LEAST_SHARDS, LEAST_SHARDS_THRESHOLD, CONSISTENT_HASHING, SLICE_RANGES, EXTERNAL);

    /** Values of {@link #setShardLease}. */
    public static final List<String> SHARD_LEASES = List.of("none", "infinispan");

    public static final String DEFAULT_ALLOCATION_STRATEGY = LEAST_SHARDS;
    public static final int DEFAULT_REBALANCE_ABSOLUTE_LIMIT = 100;
    public static final double DEFAULT_REBALANCE_RELATIVE_LIMIT = 0.1;
    public static final int DEFAULT_REBALANCE_THRESHOLD = 1;
    public static final int DEFAULT_MAX_SIMULTANEOUS_REBALANCE = 3;
    public static final int DEFAULT_MAX_PAYLOAD_BYTES = 4_194_304;
    public static final int DEFAULT_FRAME_BYTES = 65_536;
    public static final int DEFAULT_FRAME_MESSAGES = 512;
    public static final int DEFAULT_FRAME_WINDOW = 32;
    public static final boolean DEFAULT_SERIALIZE_LOCAL = false;
    public static final long DEFAULT_QUERY_TIMEOUT_MS = 3000;
    public static final String DEFAULT_ADDRESS_PREFIX = "shardbus.";
    public static final int DEFAULT_BUS_NEW_ENTITIES_PER_SECOND = 100;
    public static final String DEFAULT_CLUSTER_SECRET_FILE = "";
    public static final String DEFAULT_TRACING_POLICY = "propagate";
    public static final boolean DEFAULT_TRACE_ENTITY_IDS = false;
    public static final boolean DEFAULT_LOG_ENTITY_IDS = false;
    public static final int DEFAULT_LATENCY_SAMPLING = 64;

    public ShardingOptions() {}

    public ShardingOptions(ShardingOptions other) {
        OptionKey.ALL.forEach(key -> key.copy(other, this));
    }

    /**
     * The options of a JSON object; keys that it lacks have their defaults.
     *
     * @throws IllegalArgumentException for an unknown key, and for a value of the wrong type
     */
    public ShardingOptions(JsonObject json) {
        json.forEach(entry -> OptionKey.named(entry.getKey()).read(entry.getValue(), this));
    }

    /** All keys, also those that have their default. */
    public JsonObject toJson() {
        var json = new JsonObject();
        OptionKey.ALL.forEach(key -> json.put(key.name(), key.toJson(this)));
        return json;
    }

    /**
     * Checks every value, and that the lease is long enough for the failure detection.
     *
     * @throws IllegalArgumentException naming key, value and allowed range
     */
    public void validate() {
        OptionKey.ALL.forEach(key -> key.check(this));
        LeaseCheck.check(this);
        requireDirectoryOfDurableStore();
    }

    private void requireDirectoryOfDurableStore() {
        if (stateStoreMode.equals("durable") && stateStoreDirectory.isEmpty()) {
            throw new IllegalArgumentException("option 'stateStoreDirectory' = \"\": must be a directory of this node"
                    + " alone, because stateStoreMode is durable");
        }
    }

    /**
     * Roles of this node; a type with a role is hosted only by nodes that have it. Each 1 to 64 letters, digits,
     * '-', '_' or '.'.
     */
    public ShardingOptions setRoles(List<String> roles) {
        this.roles = List.copyOf(roles);
        return this;
    }

    /** One more role of this node. */
    public ShardingOptions addRole(String role) {
        roles = Stream.concat(roles.stream(), Stream.of(role)).toList();
        return this;
    }

    /**
     * Entity types without which this node is not ready: {@code /health/ready} names those that it has not started.
     * Each 1 to 64 letters, digits, '-', '_' or '.'. Default: none.
     */
    public ShardingOptions setRequiredTypes(List<String> requiredTypes) {
        this.requiredTypes = List.copyOf(requiredTypes);
        return this;
    }

    /** Sets whether this node may coordinate. */
    public ShardingOptions setCoordinator(boolean coordinator) {
        this.coordinator = coordinator;
        return this;
    }

    /**
     * Version of the application. While nodes have different versions, no shard is rebalanced, and nodes with the
     * newest version get new shards. 1 to 64 printable ASCII characters without spaces.
     */
    public ShardingOptions setAppVersion(String appVersion) {
        this.appVersion = Objects.requireNonNull(appVersion, "appVersion");
        return this;
    }

    /** Number of shards of a type whose definition sets none; the same on all nodes. 1 to 65,536. */
    public ShardingOptions setNumberOfShards(int numberOfShards) {
        this.numberOfShards = numberOfShards;
        return this;
    }

    /** Event loops that a region uses; 0 = one per processor, at most 8. 0 to 64. */
    public ShardingOptions setLanes(int lanes) {
        this.lanes = lanes;
        return this;
    }

    /**
     * Sets the time that a region may run its shards without hearing from the coordinator. Milliseconds, 500
     * to 120,000.
     */
    public ShardingOptions setLeaseDurationMs(long leaseDurationMs) {
        this.leaseDurationMs = leaseDurationMs;
        return this;
    }

    /**
     * Wait after the loss of a node without goodbye before a split decision is made or a new term is claimed.
     * Milliseconds, 0 to 60,000.
     */
    public ShardingOptions setDecisionTimeMs(long decisionTimeMs) {
        this.decisionTimeMs = decisionTimeMs;
        return this;
    }

    /**
     * Longest time from the freeze of a node to the new view, with the configured JGroups stack. States how fast the
     * stack is, and does not change it. Milliseconds, 100 to 60,000.
     */
    public ShardingOptions setFailureDetectionMs(long failureDetectionMs) {
        this.failureDetectionMs = failureDetectionMs;
        return this;
    }

    /** Longest time of one replicated write while all members answer. Milliseconds, 1 to 5,000. */
    public ShardingOptions setStoreRoundTripMs(long storeRoundTripMs) {
        this.storeRoundTripMs = storeRoundTripMs;
        return this;
    }

    /**
     * Number of nodes that must host a type before its first shard gets a home, unless its definition or {@link
     * #setMinimumMembersOfRole} sets another number. 1 to 1,000.
     */
    public ShardingOptions setMinimumMembers(int minimumMembers) {
        this.minimumMembers = minimumMembers;
        return this;
    }

    /**
     * {@code minimumMembers} for types with a role, by role: such a type waits for this number of nodes with its role.
     * Roles as in {@link #setRoles}, each 1 to 1,000; the same on all nodes.
     */
    public ShardingOptions setMinimumMembersOfRole(Map<String, Integer> minimumMembersOfRole) {
        this.minimumMembersOfRole = Map.copyOf(minimumMembersOfRole);
        return this;
    }

    /**
     * Sets whether the first coordinator of a cluster waits until leases of an earlier cluster ran out; false only
     * for tests.
     */
    public ShardingOptions setAwaitPredecessorLeases(boolean awaitPredecessorLeases) {
        this.awaitPredecessorLeases = awaitPredecessorLeases;
        return this;
    }

    /**
     * Sets the witness that proves the death of a lost node's process, so that its shards are free at once: none,
     * refused-connection, or the name of a public class that implements {@link io.shardbus.spi.DeathWitness}, made by
     * its constructor that takes the Vertx, else by the one without parameters. Do not use {@code refused-connection}
     * where a firewall may reject connections to a node that runs.
     */
    public ShardingOptions setDeathWitness(String deathWitness) {
        this.deathWitness = Objects.requireNonNull(deathWitness, "deathWitness");
        return this;
    }

    /** The external lease that every shard must hold before it starts entities: none, or infinispan. */
    public ShardingOptions setShardLease(String shardLease) {
        this.shardLease = Objects.requireNonNull(shardLease, "shardLease");
        return this;
    }

    /** Pause between two attempts to acquire an external lease. Milliseconds, 10 to 3,600,000. */
    public ShardingOptions setLeaseRetryIntervalMs(long leaseRetryIntervalMs) {
        this.leaseRetryIntervalMs = leaseRetryIntervalMs;
        return this;
    }

    /**
     * Sets the store of remembered entities, the same on all nodes. "replicated": in the memory of every node;
     * "durable": also in files of every node.
     */
    public ShardingOptions setStateStoreMode(String stateStoreMode) {
        this.stateStoreMode = Objects.requireNonNull(stateStoreMode, "stateStoreMode");
        return this;
    }

    /**
     * Directory for a durable state store, used by this node only and made if it is missing. Up to 4,096 characters;
     * empty = none.
     */
    public ShardingOptions setStateStoreDirectory(String stateStoreDirectory) {
        this.stateStoreDirectory = Objects.requireNonNull(stateStoreDirectory, "stateStoreDirectory");
        return this;
    }

    /** Sets the time that one operation of the store of remembered entities may take. Milliseconds, 100 to 120,000. */
    public ShardingOptions setStateStoreTimeoutMs(long stateStoreTimeoutMs) {
        this.stateStoreTimeoutMs = stateStoreTimeoutMs;
        return this;
    }

    /** Timeout of an ask that sets none. Milliseconds, 1 to 86,400,000. */
    public ShardingOptions setAskTimeoutMs(long askTimeoutMs) {
        this.askTimeoutMs = askTimeoutMs;
        return this;
    }

    /**
     * Messages of a region that may wait for a home, or for the acknowledgement of a home on another node; divided
     * equally among the region's lanes. 1 to 10,000,000.
     */
    public ShardingOptions setBufferSize(int bufferSize) {
        this.bufferSize = bufferSize;
        return this;
    }

    /** Messages that may wait for one entity. 1 to 1,000,000. */
    public ShardingOptions setMailboxSize(int mailboxSize) {
        this.mailboxSize = mailboxSize;
        return this;
    }

    /**
     * Sets the time that a shard may take to leave its home; after that time the shard stays. Milliseconds, 10 to
     * 3,600,000.
     */
    public ShardingOptions setHandoffTimeoutMs(long handoffTimeoutMs) {
        this.handoffTimeoutMs = handoffTimeoutMs;
        return this;
    }

    /** Sets the time that an entity may take to stop before it is stopped by force. Milliseconds, 1 to 600,000. */
    public ShardingOptions setStopTimeoutMs(long stopTimeoutMs) {
        this.stopTimeoutMs = stopTimeoutMs;
        return this;
    }

    /** Sets the time that a node may take to hand off its shards when it leaves. Milliseconds, 100 to 3,600,000. */
    public ShardingOptions setShutdownTimeoutMs(long shutdownTimeoutMs) {
        this.shutdownTimeoutMs = shutdownTimeoutMs;
        return this;
    }

    /**
     * Sets the time that a new home waits for the states that entities have handed over, and that an old one keeps
     * them. Milliseconds, 100 to 60,000.
     */
    public ShardingOptions setHandoverTimeoutMs(long handoverTimeoutMs) {
        this.handoverTimeoutMs = handoverTimeoutMs;
        return this;
    }

    /**
     * Sets whether a rebalance or a drain leaves a shard at its home while one of its entities cannot hand over its
     * state, instead of moving the shard without that state. A region that leaves moves its shards in any case.
     */
    public ShardingOptions setHandoverRequired(boolean handoverRequired) {
        this.handoverRequired = handoverRequired;
        return this;
    }

    /**
     * Sets whether this node shows the state of its entities whose class is {@code Inspectable}, and the texts of their
     * failures, which may contain parts of it. It shows them to {@code ClusterOperations}, and to admin resources of
     * any node, which also need {@code AdminOptions.setStateInspection}.
     */
    public ShardingOptions setStateInspection(boolean stateInspection) {
        this.stateInspection = stateInspection;
        return this;
    }

    /**
     * Sampling of latencies: on average one in {@code latencySampling} messages is measured, with the times of its ask,
     * its handling and its waiting. Failures are always measured, unless it is 0: then nothing is. 0 to 65,536.
     */
    public ShardingOptions setLatencySampling(int latencySampling) {
        this.latencySampling = latencySampling;
        return this;
    }

    /**
     * Limit of the bytes of handed-over states that the entities of a type may have on this node at a time, divided
     * equally among the lanes; 0: no state is handed over. Bytes, up to 1 GiB.
     */
    public ShardingOptions setHandoverBytes(int handoverBytes) {
        this.handoverBytes = handoverBytes;
        return this;
    }

    /**
     * Longest pause between two tries of a registration, a request for a home, or a message of a handoff. Milliseconds,
     * 10 to 60,000.
     */
    public ShardingOptions setRetryIntervalMs(long retryIntervalMs) {
        this.retryIntervalMs = retryIntervalMs;
        return this;
    }

    /** Pause between rebalance rounds; 0 = none. Milliseconds, 0 to 3,600,000. */
    public ShardingOptions setRebalanceIntervalMs(long rebalanceIntervalMs) {
        this.rebalanceIntervalMs = rebalanceIntervalMs;
        return this;
    }

    /**
     * Strategy that places the shards of a type whose definition sets none: one of {@link #ALLOCATION_STRATEGIES}, or
     * the name of a public class that implements {@link io.shardbus.spi.AllocationStrategy}, with a public constructor
     * that takes the Vertx, or nothing. The same on all nodes that may coordinate.
     */
    public ShardingOptions setAllocationStrategy(String allocationStrategy) {
        this.allocationStrategy = Objects.requireNonNull(allocationStrategy, "allocationStrategy");
        return this;
    }

    /**
     * Least-shards, consistent-hashing and slice-ranges: largest number of shards that move in one round. 1 to 65,536.
     */
    public ShardingOptions setRebalanceAbsoluteLimit(int rebalanceAbsoluteLimit) {
        this.rebalanceAbsoluteLimit = rebalanceAbsoluteLimit;
        return this;
    }

    /** Least-shards and slice-ranges: largest share of a type's shards that move in one round. Above 0.0, up to 1.0. */
    public ShardingOptions setRebalanceRelativeLimit(double rebalanceRelativeLimit) {
        this.rebalanceRelativeLimit = rebalanceRelativeLimit;
        return this;
    }

    /**
     * Least-shards-threshold: shards move only if the numbers of shards of two regions differ by more than this. 1 to
     * 10,000.
     */
    public ShardingOptions setRebalanceThreshold(int rebalanceThreshold) {
        this.rebalanceThreshold = rebalanceThreshold;
        return this;
    }

    /** Least-shards-threshold: largest number of shards in handoff at once. 1 to 65,536. */
    public ShardingOptions setMaxSimultaneousRebalance(int maxSimultaneousRebalance) {
        this.maxSimultaneousRebalance = maxSimultaneousRebalance;
        return this;
    }

    /** Largest size of an encoded message or answer. Bytes, 64 to 67,108,864. */
    public ShardingOptions setMaxPayloadBytes(int maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
        return this;
    }

    /** Size at which a frame is sent before the end of the event loop's turn. Bytes, 1,024 to 16,777,216. */
    public ShardingOptions setFrameBytes(int frameBytes) {
        this.frameBytes = frameBytes;
        return this;
    }

    /** Number of messages at which a frame is sent before the end of the event loop's turn. 1 to 65,535. */
    public ShardingOptions setFrameMessages(int frameMessages) {
        this.frameMessages = frameMessages;
        return this;
    }

    /**
     * Unacknowledged frames of a channel between two lanes; at that number further messages wait in the sender's
     * buffer. 1 to 4,096.
     */
    public ShardingOptions setFrameWindow(int frameWindow) {
        this.frameWindow = frameWindow;
        return this;
    }

    /** Sets whether messages within a node are encoded and decoded too; for tests. */
    public ShardingOptions setSerializeLocal(boolean serializeLocal) {
        this.serializeLocal = serializeLocal;
        return this;
    }

    /**
     * Sets the time that a query of the cluster's state waits for a coordinator, and then for a region. Milliseconds,
     * 10 to 60,000.
     */
    public ShardingOptions setQueryTimeoutMs(long queryTimeoutMs) {
        this.queryTimeoutMs = queryTimeoutMs;
        return this;
    }

    /**
     * Sets the split-brain resolver, which decides the side of a split that goes on; the same on all nodes. Kept as
     * a copy.
     */
    public ShardingOptions setSplitBrain(SplitBrainOptions splitBrain) {
        this.splitBrain = new SplitBrainOptions(splitBrain);
        return this;
    }

    /** Sets the restart of remembered entities. Kept as a copy. */
    public ShardingOptions setEntityRecovery(EntityRecoveryOptions entityRecovery) {
        this.entityRecovery = new EntityRecoveryOptions(entityRecovery);
        return this;
    }

    /** Sets the automatic passivation of entities whose definition sets none. Kept as a copy. */
    public ShardingOptions setPassivation(PassivationOptions passivation) {
        this.passivation = new PassivationOptions(passivation);
        return this;
    }

    /** Sets the direct connections between lanes of two nodes, which are used beside the event bus. Kept as a copy. */
    public ShardingOptions setDirect(DirectOptions direct) {
        this.direct = new DirectOptions(direct);
        return this;
    }

    /** Prefix of the event-bus address of a type. 1 to 32 letters, digits, '-', '_' or '.'. */
    public ShardingOptions setAddressPrefix(String addressPrefix) {
        this.addressPrefix = Objects.requireNonNull(addressPrefix, "addressPrefix");
        return this;
    }

    /**
     * Sets how many entities per second event-bus clients may begin to address through the type's address on this node,
     * with a burst of ten times as many. An entity that they addressed here not long ago does not count: the node
     * remembers at least the last 10,000. Messages for further entities are refused with TOO_MANY_NEW_ENTITIES. 0: no
     * limit, up to 1,000,000.
     */
    public ShardingOptions setBusNewEntitiesPerSecond(int busNewEntitiesPerSecond) {
        this.busNewEntitiesPerSecond = busNewEntitiesPerSecond;
        return this;
    }

    /**
     * The file with the cluster's secret, 16 to 4,096 bytes, the same on all nodes: messages between nodes that are not
     * sealed with the secret are refused. Empty: none. The file is read when sharding is created, and the secret is
     * never logged.
     */
    public ShardingOptions setClusterSecretFile(String clusterSecretFile) {
        this.clusterSecretFile = Objects.requireNonNull(clusterSecretFile, "clusterSecretFile");
        return this;
    }

    /**
     * Sets which messages between entities have spans if the Vertx has a tracer. "propagate": those that are sent in a
     * trace; "always": all, including those of timers; "ignore": none.
     */
    public ShardingOptions setTracingPolicy(String tracingPolicy) {
        this.tracingPolicy = Objects.requireNonNull(tracingPolicy, "tracingPolicy");
        return this;
    }

    /** Sets whether spans name the entity of their message. An id may identify a person. */
    public ShardingOptions setTraceEntityIds(boolean traceEntityIds) {
        this.traceEntityIds = traceEntityIds;
        return this;
    }

    /**
     * Sets whether the type and the id of an entity are in the MDC of SLF4J while its code is called, as {@code
     * shardbus.type} and {@code shardbus.entity}. An id may identify a person.
     */
    public ShardingOptions setLogEntityIds(boolean logEntityIds) {
        this.logEntityIds = logEntityIds;
        return this;
    }

    /**
     * Sets the registry in which the meters of this node are registered at start. Kept as a copy. With a registry the
     * start throws {@link IllegalStateException} where vertx-micrometer-metrics is not on the class path, and where it
     * has no registry of that name.
     */
    public ShardingOptions setMetrics(MetricsOptions metrics) {
        this.metrics = new MetricsOptions(metrics);
        return this;
    }

    /** The same as JSON, such as {@code {"registry":"default"}}. */
    public ShardingOptions setMetrics(JsonObject metrics) {
        return setMetrics(new MetricsOptions(metrics));
    }

    /** The options that differ, in words, each with the value of these options first. */
    public String differences(ShardingOptions other) {
        return ComparedValues.of(toJson()).differences(ComparedValues.of(other.toJson()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShardingOptions that && OptionKey.values(this).equals(OptionKey.values(that));
    }

    @Override
    public int hashCode() {
        return OptionKey.values(this).hashCode();
    }

    @Override
    public String toString() {
        return "ShardingOptions" + toJson().encode();
    }
}
