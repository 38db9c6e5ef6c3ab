package io.shardbus.runtime.node;

import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.hosting.HostedShards;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.region.RegionQueries;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Answers of the coordinator and the regions about a type, and the state that they are merged into. */
final class TypeStates {
    private TypeStates() {}

    /** The coordinator's part. */
    static QueryAnswer.Table table(CoordinatorView view) {
        return new QueryAnswer.Table(
                view.rows().stream().map(TypeStates::shard).toList(),
                view.regions().stream()
                        .map(region -> new QueryAnswer.RegionRow(
                                region.node(), region.proxy(), region.leaving(), region.gone(), region.shards()))
                        .toList(),
                view.numberOfShards(),
                view.statesLost());
    }

    static QueryAnswer.Shard shard(CoordinatorView.Row row) {
        return new QueryAnswer.Shard(
                row.shard(), row.home(), row.token(), row.confirmed(), row.handoff(), row.handoffAge());
    }

    /** A region's part. */
    static QueryAnswer.Region region(RegionQueries.Statistics statistics, boolean proxy) {
        return new QueryAnswer.Region(
                proxy,
                statistics.shards().stream()
                        .map(count -> new QueryAnswer.ShardCount(
                                count.shard(),
                                count.entities(),
                                count.remembered(),
                                count.restarting(),
                                count.passivated(),
                                count.messages(),
                                count.busyMicros()))
                        .toList(),
                statistics.buffered(),
                statistics.counters(),
                statistics.holdUps());
    }

    /** The state of a region, for its own node. */
    static TypeState.Region here(NodeId self, boolean proxy, RegionQueries.Statistics statistics) {
        int entities = statistics.shards().stream()
                .mapToInt(HostedShards.ShardCount::entities)
                .sum();
        return new TypeState.Region(
                self,
                proxy,
                false,
                statistics.shards().size(),
                entities,
                statistics.buffered(),
                new TreeMap<>(statistics.counters()));
    }

    static TypeState combine(
            String type, QueryAnswer.Table table, List<NodeId> nodes, List<Future<QueryAnswer.Region>> answers) {
        Map<NodeId, QueryAnswer.Region> byNode = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            if (answers.get(i).succeeded()) {
                byNode.put(nodes.get(i), answers.get(i).result());
            }
        }
        return combine(type, table, byNode);
    }

    /** @param byNode the answers of the type's regions, without those that did not answer */
    static TypeState combine(String type, QueryAnswer.Table table, Map<NodeId, QueryAnswer.Region> byNode) {
        Map<Integer, QueryAnswer.ShardCount> counts = new HashMap<>();
        Set<NodeId> failed = new LinkedHashSet<>();
        for (QueryAnswer.RegionRow row : table.regions()) {
            QueryAnswer.Region answer = byNode.get(row.node());
            if (answer == null) {
                failed.add(row.node());
            } else {
                answer.shards().forEach(count -> counts.put(count.shard(), count));
            }
        }
        List<TypeState.Region> regions = table.regions().stream()
                .map(row -> region(row, byNode.get(row.node())))
                .toList();
        return new TypeState(
                type,
                table.numberOfShards(),
                shards(table, counts, failed),
                regions,
                handoffs(table),
                failed,
                statesLost(table, regions));
    }

    private static long statesLost(QueryAnswer.Table table, List<TypeState.Region> regions) {
        long present = regions.stream()
                .flatMap(region -> region.counters().entrySet().stream())
                .filter(counter -> counter.getKey().startsWith("handover_"))
                .filter(counter -> !counter.getKey().equals("handover_taken"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return present + table.statesLost();
    }

    private static List<TypeState.Shard> shards(
            QueryAnswer.Table table, Map<Integer, QueryAnswer.ShardCount> counts, Set<NodeId> failed) {
        List<TypeState.Shard> shards = new ArrayList<>();
        for (QueryAnswer.Shard row : table.shards()) {
            QueryAnswer.ShardCount none = new QueryAnswer.ShardCount(row.shard(), 0, 0, 0, 0, 0, -1);
            QueryAnswer.ShardCount count = failed.contains(row.home()) ? null : counts.getOrDefault(row.shard(), none);
            shards.add(new TypeState.Shard(
                    row.shard(),
                    row.home(),
                    row.token(),
                    status(row),
                    count == null ? null : count.entities(),
                    count == null ? null : Math.toIntExact(Math.min(Integer.MAX_VALUE, count.passivated())),
                    count == null ? null : count.remembered(),
                    count == null ? null : count.restarting(),
                    count == null ? null : count.messages(),
                    count == null || count.busyMicros() < 0 ? null : count.busyMicros()));
        }
        return shards;
    }

    private static TypeState.ShardStatus status(QueryAnswer.Shard row) {
        if (!row.confirmed()) {
            return TypeState.ShardStatus.STARTING;
        }
        return row.handoff() == null ? TypeState.ShardStatus.ACTIVE : TypeState.ShardStatus.HANDOFF;
    }

    private static TypeState.Region region(QueryAnswer.RegionRow row, QueryAnswer.@Nullable Region answer) {
        return new TypeState.Region(
                row.node(),
                row.proxy(),
                row.leaving(),
                row.shards(),
                answer == null
                        ? 0
                        : answer.shards().stream()
                                .mapToInt(QueryAnswer.ShardCount::entities)
                                .sum(),
                answer == null ? 0 : answer.buffered(),
                answer == null ? new TreeMap<>() : new TreeMap<>(answer.counters()));
    }

    private static List<TypeState.Handoff> handoffs(QueryAnswer.Table table) {
        List<TypeState.Handoff> handoffs = new ArrayList<>();
        for (QueryAnswer.Shard row : table.shards()) {
            FencingToken handoff = row.handoff();
            if (handoff != null) {
                handoffs.add(new TypeState.Handoff(row.shard(), row.home(), handoff, row.handoffAge()));
            }
        }
        return handoffs;
    }
}
