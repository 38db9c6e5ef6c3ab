package io.shardbus.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.LossReason;
import io.shardbus.runtime.control.Confirmations;
import io.shardbus.runtime.node.MeterSource;
import io.shardbus.runtime.persistence.Backlog;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** The meters of a node that belong to no type. */
final class NodeMeters {
    private static final String VERDICT = "verdict";

    private final Meters meters;
    private final Meters build;
    private final Confirmations confirmations;
    private final LongConsumer confirmed;
    private final Map<String, Counter> excluded = new HashMap<>();
    private final Map<ClusterEvent.Kind, Counter> counters = new EnumMap<>(ClusterEvent.Kind.class);

    NodeMeters(MeterSource source, MeterRegistry registry, Backlog backlog) {
        meters = new Meters(registry, Tags.empty());
        meters.gauge("coordinator.reigning", "1 if this node coordinates", () -> source.isReigning() ? 1 : 0);
        meters.gauge("coordinator.term", "the highest term seen", source::term);
        meters.gauge("members", "members of the cluster", source::members);
        meters.seconds(
                "loop.lag", "by how much the control plane was late at its last tick", () -> source.loopLag() / 1000.0);
        meters.gauge("members.expected", "seats of the cluster, or its members", source::expectedMembers);
        meters.gauge("available", "1 if this side of the cluster may act", () -> source.isAvailable() ? 1 : 0);
        meters.gauge(
                "deliveries.unsettled",
                "deliveries of producers of this node that are not settled",
                () -> backlog.of(Backlog.Kind.DELIVERIES));
        meters.count("transport.refused", "messages on this node's addresses that it refused", source::refusedMessages);
        meters.count("transport.skipped", "messages that only a later build knows", source::skippedMessages);
        meters.count("listener.failures", "listeners of cluster events that threw", source::listenerFailures);
        Counter changes = meters.counter("coordinator.changes", "terms that began on any node");
        counters.put(ClusterEvent.Kind.TERM_BEGAN, changes);
        counters.put(ClusterEvent.Kind.TERM_FOLLOWED, changes);
        counters.put(ClusterEvent.Kind.NODE_LOST, meters.counter("members.lost", "members lost without goodbye"));
        for (LossReason reason : LossReason.values()) {
            String text = ClusterEvent.text(reason);
            excluded.put(
                    text, meters.counter("members.excluded", "lost members, by how this node noticed", "reason", text));
        }
        Timer confirming =
                meters.timer("coordinator.confirm.duration", "writes of the record that keeps this node's term");
        confirmed = millis -> confirming.record(millis, TimeUnit.MILLISECONDS);
        confirmations = source.confirmations();
        confirmations.listen(confirmed);
        split(ClusterEvent.Kind.LOSS_UNDECIDED, "undecided");
        split(ClusterEvent.Kind.LOSS_WENT_ON, "went_on");
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
        counters.put(
                kind, meters.counter("split.decisions", "decisions of this node about lost members", VERDICT, verdict));
    }

    void happened(ClusterEvent event) {
        Counter counter = counters.get(event.kind());
        if (counter != null) {
            counter.increment();
        }
        Counter loss = excluded.get(String.valueOf(event.details().get("reason")));
        if (event.kind() == ClusterEvent.Kind.NODE_LOST && loss != null) {
            loss.increment();
        }
    }

    void close() {
        confirmations.unlisten(confirmed);
        meters.close();
        build.close();
    }
}
