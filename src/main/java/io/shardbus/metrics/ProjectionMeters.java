package io.shardbus.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.shardbus.runtime.persistence.Backlog;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Meters of the projections whose workers run on this node. Used by one look at a time. */
final class ProjectionMeters {
    private final Backlog backlog;
    private final MeterRegistry registry;
    private final Map<String, Meters> known = new ConcurrentHashMap<>();

    ProjectionMeters(Backlog backlog, MeterRegistry registry) {
        this.backlog = backlog;
        this.registry = registry;
    }

    void look() {
        Set<String> present = backlog.names(Backlog.Kind.PROJECTION);
        for (String name : Set.copyOf(known.keySet())) {
            if (!present.contains(name)) {
                Objects.requireNonNull(known.remove(name)).close();
            }
        }
        for (String name : present) {
            known.computeIfAbsent(name, this::register);
        }
    }

    private Meters register(String name) {
        Meters meters = new Meters(registry, Tags.of("projection", name));
        meters.gauge(
                "projection.lag",
                "events that a projection has not handled, of the logs whose workers are here",
                () -> backlog.of(Backlog.Kind.PROJECTION, name));
        meters.gauge(
                "projection.paused",
                "1 if the workers here are paused",
                () -> Math.min(1, backlog.of(Backlog.Kind.PAUSED_PROJECTION, name)));
        return meters;
    }

    void close() {
        known.values().forEach(Meters::close);
        known.clear();
    }
}
