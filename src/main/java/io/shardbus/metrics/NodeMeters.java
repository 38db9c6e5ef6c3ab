package io.shardbus.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.shardbus.model.ClusterEvent;
import io.shardbus.runtime.node.MeterSource;
import java.util.EnumMap;
import java.util.Map;

/** The meters of a node that belong to no type. */
final class NodeMeters {
    private static final String VERDICT = "verdict";

    private final Meters meters;
    private final Meters build;
    private final Map<ClusterEvent.Kind, Counter> counters = new EnumMap<>(ClusterEvent.Kind.class);

    NodeMeters(MeterSource source, MeterRegistry registry) {
        meters = new Meters(registry, Tags.empty());
        meters.gauge("coordinator.reigning", "1 if this node coordinates", () -> source.isReigning() ? 1 : 0);
        meters.gauge("coordinator.term", "the highest term seen", source::term);
        meters.gauge("members", "members of the cluster", source::members);
        meters.gauge("members.expected", "seats of the cluster, or its members", source::expectedMembers);
        meters.gauge("available", "1 if this side of the cluster may act", () -> source.isAvailable() ? 1 : 0);
        Counter changes = meters.counter("coordinator.changes", "terms that began on any node");
        counters.put(ClusterEvent.Kind.TERM_BEGAN, changes);
        counters.put(ClusterEvent.Kind.TERM_FOLLOWED, changes);
        counters.put(ClusterEvent.Kind.NODE_LOST, meters.counter("members.lost", "members lost without goodbye"));
        split(ClusterEvent.Kind.SPLIT_UNDECIDED, "undecided");
        split(ClusterEvent.Kind.SPLIT_WENT_ON, "went_on");
        split(ClusterEvent.Kind.SPLIT_STOPPED, "stopped");
        var versions = Tags.empty();
        for (Map.Entry<String, String> version : source.versions().entrySet()) {
            String name = version.getKey().equals("shardbus") ? "version" : version.getKey();
            versions = versions.and(name, version.getValue());
        }
        build = new Meters(registry, versions);
        build.gauge("build.info", "1; the tags say what runs", () -> 1);
    }

    private void split(ClusterEvent.Kind kind, String verdict) {
        counters.put(kind, meters.counter("split.decisions", "decisions of this node about splits", VERDICT, verdict));
    }

    void happened(ClusterEvent event) {
        Counter counter = counters.get(event.kind());
        if (counter != null) {
            counter.increment();
        }
    }

    void close() {
        meters.close();
        build.close();
    }
}
