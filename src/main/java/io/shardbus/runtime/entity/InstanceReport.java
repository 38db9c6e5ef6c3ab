package io.shardbus.runtime.entity;

import io.shardbus.core.entity.CellState;
import io.shardbus.model.EntityReport;
import org.jspecify.annotations.Nullable;

/** What operators see of one instance. On the lane. */
final class InstanceReport {
    /** When the instance began, and the present moment. */
    record Age(long from, long now) {}

    private InstanceReport() {}

    /** Null where nothing is there. */
    static EntityReport.@Nullable Instance of(
            LiveEntity<?> entity, boolean inspectable, Age age, int timers, @Nullable Troubles troubles) {
        EntityReport.Phase phase = phase(entity.state());
        if (phase == null) {
            return null;
        }
        boolean live = entity.isLive();
        boolean busy = phase == EntityReport.Phase.BUSY;
        return new EntityReport.Instance(
                phase,
                live ? entity.incarnation() : "",
                entity.startReason(),
                live ? age.now() - age.from() : 0,
                inspectable,
                new EntityReport.Mailbox(
                        entity.waiting(),
                        entity.oldestWait(),
                        entity.stashed(),
                        timers,
                        entity.messageInHand(),
                        busy ? age.now() - entity.busyFrom() : 0),
                troubles == null ? 0 : troubles.restarts(),
                troubles == null ? null : troubles.last(age.now()));
    }

    private static EntityReport.@Nullable Phase phase(CellState state) {
        return switch (state) {
            case STARTING -> EntityReport.Phase.STARTING;
            case IDLE -> EntityReport.Phase.IDLE;
            case BUSY -> EntityReport.Phase.BUSY;
            case STOPPING -> EntityReport.Phase.STOPPING;
            case PAUSED -> EntityReport.Phase.PAUSED;
            case ENDED -> null;
        };
    }
}
