package io.shardbus.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.shardbus.datacenter.DataCenterState;
import io.shardbus.datacenter.DataCenters;
import java.util.function.ToDoubleFunction;

/** The meters of the links of this node to other data centers. */
final class DataCenterMeters {
    private final DataCenters centers;
    private final Meters meters;

    DataCenterMeters(DataCenters centers, MeterRegistry registry) {
        this.centers = centers;
        this.meters = new Meters(registry, Tags.empty());
        meters.count(
                "datacenter.tells.refused",
                "messages without an answer of other data centers that were refused",
                centers::refusedTells);
        for (String name : centers.others().keySet()) {
            other(name);
        }
    }

    private void other(String name) {
        meters.gauge(
                "datacenter.reachable",
                "1 if the data center answers",
                () -> read(name, state -> state.isReachable() ? 1 : 0),
                "data_center",
                name);
        meters.gauge(
                "datacenter.pending",
                "messages that wait for a connection or an answer",
                () -> read(name, DataCenterState::pending),
                "data_center",
                name);
        meters.count(
                "datacenter.tells.lost",
                "messages without an answer that did not leave this node",
                () -> read(name, DataCenterState::lostTells),
                "data_center",
                name);
    }

    private double read(String name, ToDoubleFunction<DataCenterState> value) {
        DataCenterState state = centers.others().get(name);
        return state == null ? 0 : value.applyAsDouble(state);
    }

    /** Whether these are the links of the node still. */
    boolean isOf(DataCenters present) {
        return centers == present;
    }

    void close() {
        meters.close();
    }
}
