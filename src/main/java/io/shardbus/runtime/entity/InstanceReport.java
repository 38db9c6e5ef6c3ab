package io.shardbus.runtime.entity;

import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.model.EntityReport;
import org.jspecify.annotations.Nullable;

/** Report of one instance for operators. On the lane. */
final class InstanceReport {
    private InstanceReport() {}

    /**
     * Null where nothing is there.
     *
     * @param instance the present one, or the last one
     */
    static EntityReport.@Nullable Instance of(
            EntityCell cell, InstanceContext<?> instance, boolean inspectable, @Nullable Supervision supervision) {
        EntityReport.Phase phase = phase(cell.state());
        if (phase == null) {
            return null;
        }
        boolean live = cell.isLive();
        long now = instance.now();
        Envelope inHand = cell.answeredNext();
        boolean busy = phase == EntityReport.Phase.BUSY;
        return new EntityReport.Instance(
                phase,
                live ? instance.incarnation() : "",
                instance.startReason(),
                live ? now - instance.from() : 0,
                inspectable,
                new EntityReport.Mailbox(
                        cell.waiting(),
                        cell.oldestWait(),
                        cell.stashed(),
                        instance.timers(),
                        inHand == null
                                ? null
                                : OwnMessage.message(inHand.payload())
                                        .getClass()
                                        .getName(),
                        busy ? now - cell.busyFrom() : 0),
                supervision == null ? 0 : supervision.restarts(),
                supervision == null ? null : supervision.last(now));
    }

    private static EntityReport.@Nullable Phase phase(CellState state) {
        return switch (state) {
            case STARTING -> EntityReport.Phase.STARTING;
            case IDLE -> EntityReport.Phase.IDLE;
            case BUSY, UNANSWERED, ASKED, OFFERED -> EntityReport.Phase.BUSY;
            case STOPPING -> EntityReport.Phase.STOPPING;
            case PAUSED -> EntityReport.Phase.PAUSED;
            case ENDED -> null;
        };
    }
}
