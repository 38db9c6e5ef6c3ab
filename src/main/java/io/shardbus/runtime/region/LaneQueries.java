package io.shardbus.runtime.region;

import io.shardbus.core.hosting.HostedShards;
import io.shardbus.core.routing.Lane;
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

/** Asks lanes for what they know, on their own threads. */
final class LaneQueries {
    private LaneQueries() {}

    /** The ids of the live entities of all hosted shards, at most so many of each shard. */
    static Future<Map<Integer, Set<String>>> entityIds(List<LaneQueue> lanes, int limit) {
        Map<Integer, Set<String>> ids = new ConcurrentHashMap<>();
        return Future.all(lanes.stream()
                        .map(queue -> ask(queue, lane -> {
                            ids.putAll(lane.hosted().entityIds(limit));
                            return ids;
                        }))
                        .toList())
                .map(all -> Map.copyOf(ids));
    }

    /** The statistics of all lanes, with the counters of their region. */
    static Future<RegionControl.Statistics> statistics(List<LaneQueue> lanes, RegionCounters counters) {
        AtomicInteger buffered = new AtomicInteger();
        Map<String, Long> counted = new ConcurrentHashMap<>();
        List<Future<List<HostedShards.ShardCount>>> answers = lanes.stream()
                .map(queue -> ask(queue, lane -> {
                    List<HostedShards.ShardCount> shards = new ArrayList<>();
                    buffered.addAndGet(lane.buffered());
                    lane.hosted().forEach(shards::add);
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
            return new RegionControl.Statistics(shards, buffered.get(), counted);
        });
    }

    private static void add(Map<String, Long> sums, String name, long count) {
        if (count > 0) {
            sums.merge(name, count, Long::sum);
        }
    }

    /**
     * The answer of a shard's lane; empty in a region without lanes, as one that waits for the end of the one
     * before it.
     */
    static <T> Future<Optional<T>> ask(List<LaneQueue> lanes, int shard, Function<Lane, Optional<T>> question) {
        return lanes.isEmpty()
                ? Future.succeededFuture(Optional.empty())
                : ask(lanes.get(shard % lanes.size()), question);
    }

    static <T> Future<T> ask(LaneQueue queue, Function<Lane, T> question) {
        Promise<T> answer = Promise.promise();
        queue.execute((lane, now) -> answer.complete(question.apply(lane)));
        return answer.future();
    }
}
