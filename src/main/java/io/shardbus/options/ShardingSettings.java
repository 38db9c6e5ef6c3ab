package io.shardbus.options;

import java.util.List;
import java.util.Map;

/** The values behind {@link ShardingOptions} and their getters; what each one means is said at its setter. */
abstract class ShardingSettings {
    List<String> roles = ShardingOptions.DEFAULT_ROLES;
    List<String> requiredTypes = List.of();
    boolean coordinator = ShardingOptions.DEFAULT_COORDINATOR;
    String appVersion = ShardingOptions.DEFAULT_APP_VERSION;
    int numberOfShards = ShardingOptions.DEFAULT_NUMBER_OF_SHARDS;
    int lanes = ShardingOptions.DEFAULT_LANES;
    long leaseDurationMs = ShardingOptions.DEFAULT_LEASE_DURATION_MS;
    long decisionTimeMs = ShardingOptions.DEFAULT_DECISION_TIME_MS;
    long failureDetectionMs = ShardingOptions.DEFAULT_FAILURE_DETECTION_MS;
    long storeRoundTripMs = ShardingOptions.DEFAULT_STORE_ROUND_TRIP_MS;
    int minimumMembers = ShardingOptions.DEFAULT_MINIMUM_MEMBERS;
    Map<String, Integer> minimumMembersOfRole = Map.of();
    boolean awaitPredecessorLeases = ShardingOptions.DEFAULT_AWAIT_PREDECESSOR_LEASES;
    String deathWitness = ShardingOptions.DEFAULT_DEATH_WITNESS;
    String shardLease = ShardingOptions.DEFAULT_SHARD_LEASE;
    long leaseRetryIntervalMs = ShardingOptions.DEFAULT_LEASE_RETRY_INTERVAL_MS;
    String stateStoreMode = ShardingOptions.DEFAULT_STATE_STORE_MODE;
    String stateStoreDirectory = ShardingOptions.DEFAULT_STATE_STORE_DIRECTORY;
    long stateStoreTimeoutMs = ShardingOptions.DEFAULT_STATE_STORE_TIMEOUT_MS;
    long askTimeoutMs = ShardingOptions.DEFAULT_ASK_TIMEOUT_MS;
    int bufferSize = ShardingOptions.DEFAULT_BUFFER_SIZE;
    int mailboxSize = ShardingOptions.DEFAULT_MAILBOX_SIZE;
    long handoffTimeoutMs = ShardingOptions.DEFAULT_HANDOFF_TIMEOUT_MS;
    long stopTimeoutMs = ShardingOptions.DEFAULT_STOP_TIMEOUT_MS;
    long shutdownTimeoutMs = ShardingOptions.DEFAULT_SHUTDOWN_TIMEOUT_MS;
    long handoverTimeoutMs = ShardingOptions.DEFAULT_HANDOVER_TIMEOUT_MS;
    boolean handoverRequired;
    boolean stateInspection;
    int latencySampling = ShardingOptions.DEFAULT_LATENCY_SAMPLING;
    int handoverBytes = ShardingOptions.DEFAULT_HANDOVER_BYTES;
    long retryIntervalMs = ShardingOptions.DEFAULT_RETRY_INTERVAL_MS;
    long rebalanceIntervalMs = ShardingOptions.DEFAULT_REBALANCE_INTERVAL_MS;
    String allocationStrategy = ShardingOptions.DEFAULT_ALLOCATION_STRATEGY;
    int rebalanceAbsoluteLimit = ShardingOptions.DEFAULT_REBALANCE_ABSOLUTE_LIMIT;
    double rebalanceRelativeLimit = ShardingOptions.DEFAULT_REBALANCE_RELATIVE_LIMIT;
    int rebalanceThreshold = ShardingOptions.DEFAULT_REBALANCE_THRESHOLD;
    int maxSimultaneousRebalance = ShardingOptions.DEFAULT_MAX_SIMULTANEOUS_REBALANCE;
    int maxPayloadBytes = ShardingOptions.DEFAULT_MAX_PAYLOAD_BYTES;
    int frameBytes = ShardingOptions.DEFAULT_FRAME_BYTES;
    int frameMessages = ShardingOptions.DEFAULT_FRAME_MESSAGES;
    int frameWindow = ShardingOptions.DEFAULT_FRAME_WINDOW;
    boolean serializeLocal = ShardingOptions.DEFAULT_SERIALIZE_LOCAL;
    long queryTimeoutMs = ShardingOptions.DEFAULT_QUERY_TIMEOUT_MS;
    SplitBrainOptions splitBrain = new SplitBrainOptions();
    EntityRecoveryOptions entityRecovery = new EntityRecoveryOptions();
    PassivationOptions passivation = new PassivationOptions();
    DirectOptions direct = new DirectOptions();
    String addressPrefix = ShardingOptions.DEFAULT_ADDRESS_PREFIX;
    int busNewEntitiesPerSecond = ShardingOptions.DEFAULT_BUS_NEW_ENTITIES_PER_SECOND;
    String clusterSecretFile = ShardingOptions.DEFAULT_CLUSTER_SECRET_FILE;
    String tracingPolicy = ShardingOptions.DEFAULT_TRACING_POLICY;
    boolean traceEntityIds = ShardingOptions.DEFAULT_TRACE_ENTITY_IDS;
    boolean logEntityIds = ShardingOptions.DEFAULT_LOG_ENTITY_IDS;
    MetricsOptions metrics = new MetricsOptions();

    ShardingSettings() {}

    public List<String> getRoles() {
        return roles;
    }

    public List<String> getRequiredTypes() {
        return requiredTypes;
    }

    public boolean isCoordinator() {
        return coordinator;
    }

    public String getAppVersion() {
        return appVersion;
    }

    public int getNumberOfShards() {
        return numberOfShards;
    }

    public int getLanes() {
        return lanes;
    }

    public long getLeaseDurationMs() {
        return leaseDurationMs;
    }

    public long getDecisionTimeMs() {
        return decisionTimeMs;
    }

    public long getFailureDetectionMs() {
        return failureDetectionMs;
    }

    public long getStoreRoundTripMs() {
        return storeRoundTripMs;
    }

    public int getMinimumMembers() {
        return minimumMembers;
    }

    public Map<String, Integer> getMinimumMembersOfRole() {
        return minimumMembersOfRole;
    }

    public boolean isAwaitPredecessorLeases() {
        return awaitPredecessorLeases;
    }

    public String getDeathWitness() {
        return deathWitness;
    }

    public String getShardLease() {
        return shardLease;
    }

    public long getLeaseRetryIntervalMs() {
        return leaseRetryIntervalMs;
    }

    public String getStateStoreMode() {
        return stateStoreMode;
    }

    public String getStateStoreDirectory() {
        return stateStoreDirectory;
    }

    public long getStateStoreTimeoutMs() {
        return stateStoreTimeoutMs;
    }

    public long getAskTimeoutMs() {
        return askTimeoutMs;
    }

    public int getBufferSize() {
        return bufferSize;
    }

    public int getMailboxSize() {
        return mailboxSize;
    }

    public long getHandoffTimeoutMs() {
        return handoffTimeoutMs;
    }

    public long getStopTimeoutMs() {
        return stopTimeoutMs;
    }

    public long getShutdownTimeoutMs() {
        return shutdownTimeoutMs;
    }

    public long getHandoverTimeoutMs() {
        return handoverTimeoutMs;
    }

    /** Whether a shard that could as well stay does not move while an entity of it cannot hand over its state. */
    public boolean isHandoverRequired() {
        return handoverRequired;
    }

    /** Whether this node answers with the state of its entities and with the texts of their failures. */
    public boolean isStateInspection() {
        return stateInspection;
    }

    public int getLatencySampling() {
        return latencySampling;
    }

    public int getHandoverBytes() {
        return handoverBytes;
    }

    public long getRetryIntervalMs() {
        return retryIntervalMs;
    }

    public long getRebalanceIntervalMs() {
        return rebalanceIntervalMs;
    }

    public String getAllocationStrategy() {
        return allocationStrategy;
    }

    public int getRebalanceAbsoluteLimit() {
        return rebalanceAbsoluteLimit;
    }

    public double getRebalanceRelativeLimit() {
        return rebalanceRelativeLimit;
    }

    public int getRebalanceThreshold() {
        return rebalanceThreshold;
    }

    public int getMaxSimultaneousRebalance() {
        return maxSimultaneousRebalance;
    }

    public int getMaxPayloadBytes() {
        return maxPayloadBytes;
    }

    public int getFrameBytes() {
        return frameBytes;
    }

    public int getFrameMessages() {
        return frameMessages;
    }

    public int getFrameWindow() {
        return frameWindow;
    }

    public boolean isSerializeLocal() {
        return serializeLocal;
    }

    public long getQueryTimeoutMs() {
        return queryTimeoutMs;
    }

    public SplitBrainOptions getSplitBrain() {
        return splitBrain;
    }

    public EntityRecoveryOptions getEntityRecovery() {
        return entityRecovery;
    }

    public PassivationOptions getPassivation() {
        return passivation;
    }

    public DirectOptions getDirect() {
        return direct;
    }

    public String getAddressPrefix() {
        return addressPrefix;
    }

    public int getBusNewEntitiesPerSecond() {
        return busNewEntitiesPerSecond;
    }

    public String getClusterSecretFile() {
        return clusterSecretFile;
    }

    public String getTracingPolicy() {
        return tracingPolicy;
    }

    public boolean isTraceEntityIds() {
        return traceEntityIds;
    }

    public boolean isLogEntityIds() {
        return logEntityIds;
    }

    public MetricsOptions getMetrics() {
        return metrics;
    }
}
