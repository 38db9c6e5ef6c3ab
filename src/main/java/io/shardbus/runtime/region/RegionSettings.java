package io.shardbus.runtime.region;

import io.shardbus.EntityDefinition;
import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.remember.RememberSettings;
import io.shardbus.core.statetransfer.StateTransferSettings;
import io.shardbus.model.NodeId;
import io.shardbus.options.EntityRecoveryOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SplitBrainOptions;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of one region on this node: from its definition where that gives one, from the node's options otherwise. */
public record RegionSettings(
        NodeId self,
        boolean proxy,
        int numberOfShards,
        int lanes,
        int bufferSize,
        int mailboxSize,
        Options options,
        Times times) {
    private static final int MOST_LANES = 8;
    /** Of the Vert.x default. */
    private static final int LOOPS_PER_PROCESSOR = 2;

    private static final long FIRST_REPEAT = 150;
    /** Lower bound in milliseconds of the time after which a busy entity is reported, however short asks wait. */
    private static final long LEAST_PATIENCE = 2000;

    /**
     * The times of a region, in milliseconds.
     *
     * @param retry the longest pause between two tries
     * @param rebalance the pause between two rounds; counts where this node coordinates
     */
    public record Times(long ask, long stop, long handoff, long retry, long rebalance) {}

    /** The node's options and what follows from the definition for other nodes to compare. */
    public record Options(
            ShardingOptions node,
            String extractorVersion,
            boolean remembers,
            int minimumMembers,
            @Nullable String role) {}

    public static RegionSettings of(EntityDefinition<?> definition, ShardingOptions node, NodeId self, boolean proxy) {
        String version =
                definition.messageExtractor().map(MessageExtractor::version).orElse("default-1");
        Times times = new Times(
                millis(definition.askTimeout().orElse(null), node.getAskTimeoutMs()),
                millis(definition.stopTimeout().orElse(null), node.getStopTimeoutMs()),
                millis(definition.handoffTimeout().orElse(null), node.getHandoffTimeoutMs()),
                millis(definition.retryInterval().orElse(null), node.getRetryIntervalMs()),
                millis(definition.rebalanceInterval().orElse(null), node.getRebalanceIntervalMs()));
        return new RegionSettings(
                self,
                proxy,
                definition.numberOfShards().orElse(node.getNumberOfShards()),
                lanes(node),
                definition.bufferSize().orElse(node.getBufferSize()),
                definition.mailboxSize().orElse(node.getMailboxSize()),
                new Options(
                        node,
                        version,
                        definition.isRememberEntities(),
                        minimumMembers(definition, node),
                        definition.role().orElse(null)),
                times);
    }

    /** The definition's word, else that for its role, else that for all types. */
    private static int minimumMembers(EntityDefinition<?> definition, ShardingOptions node) {
        Integer ofRole = definition
                .role()
                .map(role -> node.getMinimumMembersOfRole().get(role))
                .orElse(null);
        return definition.minimumMembers().orElse(ofRole == null ? node.getMinimumMembers() : ofRole);
    }

    /** Nodes that must host the type before its first shard gets a home. */
    int minimumMembers() {
        return options.minimumMembers();
    }

    private static int lanes(ShardingOptions node) {
        int processors = Math.max(1, VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE / LOOPS_PER_PROCESSOR);
        return node.getLanes() > 0 ? node.getLanes() : Math.min(processors, MOST_LANES);
    }

    private static long millis(@Nullable Duration duration, long otherwise) {
        return duration == null ? otherwise : duration.toMillis();
    }

    long askTimeout() {
        return times.ask();
    }

    int maxPayloadBytes() {
        return options.node().getMaxPayloadBytes();
    }

    boolean serializeLocal() {
        return options.node().isSerializeLocal();
    }

    RegionProfile profile() {
        return profile(proxy);
    }

    /** The profile of the region once it hosts. */
    RegionProfile hostingProfile() {
        return profile(false);
    }

    private RegionProfile profile(boolean asProxy) {
        ShardingOptions node = options.node();
        return new RegionProfile(
                asProxy,
                numberOfShards,
                options.extractorVersion(),
                node.getAppVersion(),
                lanes,
                options.minimumMembers(),
                safety(node),
                new RegionProfile.Memory(options.remembers(), node.getStateStoreMode()),
                asProxy || options.role() != null ? options.role() : "",
                null);
    }

    /** The options that must be the same on all nodes. */
    public static RegionProfile.Safety safety(ShardingOptions node) {
        return new RegionProfile.Safety(splitBrain(node), node.getLeaseDurationMs());
    }

    /**
     * The options of the split-brain resolver in words; where an arbiter decides, with the time within which it
     * answers: all nodes must mean the same.
     */
    private static String splitBrain(ShardingOptions node) {
        SplitBrainOptions split = node.getSplitBrain();
        long latest = split.latestAnswerMs(node.getFailureDetectionMs(), node.getDecisionTimeMs());
        return split.getArbiter().isEmpty()
                ? split.fingerprint()
                : split.fingerprint() + ", answered within " + latest + " ms";
    }

    /** The store ends its operations itself: only one that does not comes to the time given here. */
    RememberSettings memory() {
        ShardingOptions node = options.node();
        EntityRecoveryOptions recovery = node.getEntityRecovery();
        return new RememberSettings(
                laneBuffer(),
                node.getStateStoreTimeoutMs() * 5 / 4,
                times.retry(),
                recovery.getRestartBackoffMs(),
                recovery.getRestartMaxBackoffMs());
    }

    StateTransferSettings stateTransfer() {
        ShardingOptions node = options.node();
        return new StateTransferSettings(
                node.getMaxPayloadBytes(),
                node.getHandoverBytes() / lanes,
                node.getHandoverTimeoutMs(),
                node.isHandoverRequired());
    }

    private int laneBuffer() {
        return Math.max(1, bufferSize / lanes);
    }

    LaneSettings lane(int lane) {
        ShardingOptions node = options.node();
        LaneSettings.LaneTimes laneTimes = new LaneSettings.LaneTimes(
                FIRST_REPEAT,
                node.getLeaseDurationMs(),
                times.retry(),
                times.stop(),
                Math.max(times.ask(), LEAST_PATIENCE));
        return new LaneSettings(
                self,
                lane,
                numberOfShards,
                laneBuffer(),
                mailboxSize,
                node.getFrameMessages(),
                node.getFrameWindow(),
                laneTimes);
    }
}
