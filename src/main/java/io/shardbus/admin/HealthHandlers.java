package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardRegion;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The health resources: the reasons why a node is down; none when it is up. */
final class HealthHandlers implements HealthCheck.Node {
    /** Half of what a probe of Kubernetes waits by default. */
    private static final long LONGEST_QUESTION_MS = 500;

    private final ClusterSharding sharding;
    private final HealthCheck started;

    HealthHandlers(ClusterSharding sharding) {
        this.sharding = sharding;
        ElapsedClock clock = new ElapsedClock();
        this.started = HealthCheck.of(this, () -> clock.now() * 1_000_000)
                .types(sharding::startedTypes)
                .timeout(Duration.ofMillis(sharding.options().getQueryTimeoutMs()))
                .build();
    }

    /** The process answers, and may help itself. */
    Future<List<String>> live(RoutingContext request) {
        return Future.succeededFuture(sharding.restartReasons());
    }

    Future<List<String>> ready() {
        return started.check().map(this::reasons);
    }

    /** Problems of this node's regions that are no reason to send its load to other nodes, which have them, too. */
    Future<List<String>> warnings() {
        var states = sharding.startedTypes().stream()
                .flatMap(type -> sharding.region(type).stream())
                .map(region -> region.state()
                        .timeout(LONGEST_QUESTION_MS, TimeUnit.MILLISECONDS)
                        .map(state -> warning(region, state))
                        .otherwise(failure -> unanswered(region, failure)))
                .toList();
        return Future.join(states)
                .map(all -> Stream.of(states.stream().map(Future::result), hostless(), stopping())
                        .flatMap(each -> each)
                        .filter(warning -> !warning.isEmpty())
                        .toList());
    }

    /** An announced shutdown of the whole cluster, as one that was forgotten hinders all moves. */
    private Stream<String> stopping() {
        return sharding.clusterState().stopping()
                ? Stream.of("a shutdown of the whole cluster is announced: no shard moves, also from nodes that leave,"
                        + " until all nodes have stopped or the announcement is cancelled")
                : Stream.empty();
    }

    /** Types that this node only reaches and that no node hosts. */
    private Stream<String> hostless() {
        var reasons = sharding.notReadyReasons();
        return regions().flatMap(region -> region.waitsFor().stream()).filter(reason -> !reasons.contains(reason));
    }

    private Stream<ShardRegion<?>> regions() {
        return sharding.startedTypes().stream().flatMap(type -> sharding.region(type).stream());
    }

    private static String unanswered(ShardRegion<?> region, Throwable failure) {
        return failure instanceof TimeoutException
                ? "a lane of '" + region.type().name() + "' has not answered for " + LONGEST_QUESTION_MS
                        + " ms: entity code may block it"
                : "";
    }

    private static String warning(ShardRegion<?> region, TypeState.Region state) {
        long shards = state.counters().getOrDefault("shards_without_memory", 0L);
        if (shards > 0) {
            return "the store of remembered entities fails for " + (shards == 1 ? "1 shard" : shards + " shards")
                    + " of '" + region.type().name() + "': entities that it does not know yet do not start";
        }
        long silent = state.counters().getOrDefault("entities_not_answering", 0L);
        return silent == 0
                ? ""
                : (silent == 1 ? "1 entity" : silent + " entities") + " of '"
                        + region.type().name() + (silent == 1 ? "' has" : "' have")
                        + " been at one message for longer than asks wait";
    }

    private List<String> reasons(List<String> unregistered) {
        if (sharding.isLeaving()) {
            return List.of("this node is leaving");
        }
        var reasons = new ArrayList<String>();
        unregistered.stream()
                .filter(type -> !waits(type))
                .forEach(type -> reasons.add(
                        "the region of '" + type + "' has no coordinator yet that gives its shards a home"));
        if (!sharding.clusterState().available()) {
            reasons.add("members were lost or do not answer, and this side of the cluster may not act (split brain, "
                    + sharding.options().getSplitBrain().getStrategy()
                    + "); it takes part again by itself when it meets the others");
        }
        reasons.addAll(sharding.notReadyReasons());
        return reasons;
    }

    /** Whether too few nodes host the type, or earlier leases last, which is a reason of its own. */
    private boolean waits(String type) {
        return sharding.region(type).flatMap(ShardRegion::waitsFor).isPresent();
    }

    @Override
    public boolean isMember() {
        return !sharding.clusterState().nodes().isEmpty();
    }

    @Override
    public Future<Boolean> isRegistered(String type) {
        boolean registered =
                sharding.region(type).map(ShardRegion::isRegistered).orElse(false);
        return Future.succeededFuture(registered && sharding.isReady());
    }
}
