package io.shardbus.runtime.entity;

import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.model.EntityReport;
import org.jspecify.annotations.Nullable;

/** Report of one instance for operators. On the lane. */
final class InstanceReport {
    /** Begin of the instance, and the present moment. */
    record Age(long from, long now) {}

    private InstanceReport() {}

    /** Null where nothing is there. */
    static EntityReport.@Nullable Instance of(
            LiveEntity<?> entity, boolean inspectable, Age age, int timers, @Nullable Supervision supervision) {
        EntityCell cell = entity.cell();
        EntityReport.Phase phase = phase(cell.state());
        if (phase == null) {
            return null;
        }
        boolean live = cell.isLive();
        boolean busy = phase == EntityReport.Phase.BUSY;
        return new EntityReport.Instance(
                phase,
                live ? entity.incarnation() : "",
                entity.startReason(),
                live ? age.now() - age.from() : 0,
                inspectable,
                new EntityReport.Mailbox(
                        cell.waiting(),
                        cell.oldestWait(),
                        cell.stashed(),
                        timers,
                        entity.messageInHand(),
                        busy ? age.now() - cell.busyFrom() : 0),
                supervision == null ? 0 : supervision.restarts(),
                supervision == null ? null : supervision.last(age.now()));
    }

    private static EntityReport.@Nullable Phase phase(CellState state) {
        return switch (state) {
            case STARTING -> EntityReport.Phase.STARTING;
            case IDLE -> EntityReport.Phase.IDLE;
            case BUSY, ASKED, OFFERED -> EntityReport.Phase.BUSY;
            case STOPPING -> EntityReport.Phase.STOPPING;
            case PAUSED -> EntityReport.Phase.PAUSED;
            case ENDED -> null;
        };
    }
}
