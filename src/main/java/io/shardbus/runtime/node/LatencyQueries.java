package io.shardbus.runtime.node;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.LatencyReport;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.region.RegionLatency;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Latencies of this node, and of several nodes as one. */
final class LatencyQueries {
    private LatencyQueries() {}

    /** The latencies that this node's regions recorded. */
    static Future<QueryAnswer.Latency> here(RegionStarter regions) {
        Map<String, Future<LatencyReport.OfType>> asked = new TreeMap<>();
        regions.all()
                .forEach(region -> asked.put(
                        region.handle().type().name(), region.handle().latency().report()));
        return Future.all(List.copyOf(asked.values())).map(all -> {
            Map<String, LatencyReport.OfType> types = new TreeMap<>();
            asked.forEach((type, answer) -> types.put(type, answer.result()));
            return new QueryAnswer.Latency(types);
        });
    }

    static LatencyReport merge(Map<NodeId, Optional<QueryAnswer.Latency>> answers) {
        Map<String, List<LatencyReport.OfType>> parts = new TreeMap<>();
        Set<NodeId> silent = new HashSet<>();
        answers.forEach((node, answer) -> answer.ifPresentOrElse(
                latency -> latency.types()
                        .forEach((type, part) -> parts.computeIfAbsent(type, any -> new ArrayList<>())
                                .add(handledOn(node, part))),
                () -> silent.add(node)));
        Map<String, LatencyReport.OfType> types = new TreeMap<>();
        parts.forEach((type, ofType) -> types.put(type, RegionLatency.merge(ofType)));
        return new LatencyReport(types, silent);
    }

    private static LatencyReport.OfType handledOn(NodeId node, LatencyReport.OfType part) {
        return new LatencyReport.OfType(
                part.oneOf(),
                part.series(),
                part.slowest(),
                part.hottest().stream().map(entity -> entity.on(node)).toList());
    }
}
