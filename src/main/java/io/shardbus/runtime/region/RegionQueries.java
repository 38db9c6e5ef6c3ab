package io.shardbus.runtime.region;

import io.shardbus.core.hosting.EntityAdmin;
import io.shardbus.core.hosting.HostedShards;
import io.shardbus.core.protocol.EntityOrder;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.core.routing.Lane;
import io.shardbus.model.ConnectionReport.Connection;
import io.shardbus.model.HoldUp;
import io.shardbus.runtime.entity.LiveEntity;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks the lanes of a region for what they know of its shards and entities, on their own threads. Any thread. */
public final class RegionQueries {
    /** Most shards of a lane of which it is said what they wait for. */
    private static final int MOST_HOLD_UPS = 100;

    private final String type;
    private final Supplier<List<LaneQueue>> lanes;
    private final RegionCounters counters;

    RegionQueries(String type, Supplier<List<LaneQueue>> lanes, RegionCounters counters) {
        this.type = type;
        this.lanes = lanes;
        this.counters = counters;
    }

    /** Statistics of a region's lanes. */
    public record Statistics(
            List<HostedShards.ShardCount> shards,
            int buffered,
            Map<String, Long> counters,
            Map<Integer, HoldUp> holdUps) {}

    /** Statistics of all lanes and of each shard, with the counters of their region. */
    public Future<Statistics> statistics() {
        AtomicInteger buffered = new AtomicInteger();
        Map<String, Long> counted = new ConcurrentHashMap<>();
        Map<Integer, HoldUp> holdUps = new ConcurrentHashMap<>();
        List<Future<List<HostedShards.ShardCount>>> answers = lanes.get().stream()
                .map(queue -> ask(queue, lane -> {
                    List<HostedShards.ShardCount> shards = new ArrayList<>();
                    buffered.addAndGet(lane.buffered());
                    lane.hosted().forEach(count -> shards.add(queue.latency() == null ? count.withoutTimes() : count));
                    holdUps.putAll(lane.hosted().holdUps(MOST_HOLD_UPS));
                    lane.hosted().memoryCounts().forEach((name, count) -> counted.merge(name, count, Long::sum));
                    lane.traffic().forEach((name, count) -> counted.merge(name, count, Long::sum));
                    queue.wire().counts().forEach((name, count) -> add(counted, name, count));
                    return shards;
                }))
                .toList();
        return Future.all(answers).map(all -> {
            counted.putAll(counters.snapshot());
            List<HostedShards.ShardCount> shards =
                    answers.stream().flatMap(answer -> answer.result().stream()).toList();
            return new Statistics(shards, buffered.get(), counted, holdUps);
        });
    }

    private static void add(Map<String, Long> sums, String name, long count) {
        if (count > 0) {
            sums.merge(name, count, Long::sum);
        }
    }

    /** Connections of the lanes with those of other nodes. */
    public Future<List<Connection>> connections() {
        return LaneConnections.of(type, lanes.get());
    }

    /** The ids of the live entities of all hosted shards, at most so many of each shard. */
    Future<Map<Integer, Set<String>>> entityIds(int limit) {
        Map<Integer, Set<String>> ids = new ConcurrentHashMap<>();
        return Future.all(lanes.get().stream()
                        .map(queue -> ask(queue, lane -> {
                            ids.putAll(lane.hosted().entityIds(limit));
                            return ids;
                        }))
                        .toList())
                .map(all -> Map.copyOf(ids));
    }

    /** The ids of a shard's live entities, if it is here. */
    public Future<Optional<Set<String>>> entityIds(int shard, int limit) {
        return ask(shard, lane -> lane.hosted().entityIds(shard, limit));
    }

    /** Report of an entity, if its shard is here. */
    public Future<QueryAnswer.Found> entity(int shard, String entityId) {
        return ask(shard, lane -> {
                    EntityAdmin admin = lane.hosted().admin();
                    return admin.hosts(shard)
                            ? Optional.of(new QueryAnswer.Found(
                                    live(admin, shard, entityId)
                                            .map(LiveEntity::report)
                                            .orElse(null),
                                    admin.isRemembered(shard, entityId),
                                    false))
                            : Optional.<QueryAnswer.Found>empty();
                })
                .map(found -> found.orElse(new QueryAnswer.Found(null, false, true)));
    }

    private static Optional<LiveEntity<?>> live(EntityAdmin admin, int shard, String entityId) {
        return admin.find(shard, entityId).map(cell -> (LiveEntity<?>) cell.code());
    }

    /** State of an entity as its code shows it, if its shard is here. */
    public Future<QueryAnswer.State> inspect(int shard, String entityId) {
        return ask(shard, lane -> {
                    EntityAdmin admin = lane.hosted().admin();
                    return admin.hosts(shard)
                            ? Optional.of(live(admin, shard, entityId)
                                    .map(LiveEntity::inspect)
                                    .orElseGet(() -> Future.succeededFuture(LiveEntity.notLive())))
                            : Optional.<Future<QueryAnswer.State>>empty();
                })
                .compose(asked ->
                        asked.orElseGet(() -> Future.succeededFuture(new QueryAnswer.State(null, null, "", true))));
    }

    /** Does something to an entity, if its shard is here. */
    public Future<QueryAnswer.Treated> treat(int shard, String entityId, EntityOrder order) {
        return ask(shard, lane -> lane.hosted().admin().carryOut(shard, entityId, order))
                .map(refusal -> new QueryAnswer.Treated(refusal.orElse(""), refusal.isEmpty()));
    }

    /** Whether an entity is live, if its shard is here. */
    public Future<Optional<Boolean>> isLive(int shard, String entityId) {
        return ask(shard, lane -> lane.hosted().isLive(shard, entityId));
    }

    /**
     * The answer of a shard's lane; empty in a region without lanes, as one that waits for the end of the one before
     * it.
     */
    private <T> Future<Optional<T>> ask(int shard, Function<Lane, Optional<T>> question) {
        List<LaneQueue> lanes = this.lanes.get();
        return lanes.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : ask(lanes.get(shard % lanes.size()), question);
    }

    private static <T> Future<T> ask(LaneQueue queue, Function<Lane, T> question) {
        Promise<T> answer = Promise.promise();
        queue.execute((lane, now) -> {
            try {
                answer.complete(question.apply(lane));
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                queue.fault(e);
                answer.fail(e);
            }
        });
        return answer.future();
    }
}
