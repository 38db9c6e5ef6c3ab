package io.shardbus.core.hosting;

import io.shardbus.core.entity.CellState;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What keeps a shard at its home while it is to leave. */
final class ShardHoldUp {
    private ShardHoldUp() {}

    /**
     * It is at a message or has not answered one, or is at its start and messages wait for that: a start that no
     * message waits for is stopped in time.
     */
    static boolean isAwaited(EntityCell cell) {
        return cell.state() == CellState.BUSY
                || cell.state() == CellState.UNANSWERED
                || (cell.state() == CellState.STARTING && cell.waiting() > 0);
    }

    static @Nullable EntityCell longestBusy(HostedShard shard) {
        EntityCell longest = null;
        for (EntityCell cell : shard.cells()) {
            if (isAwaited(cell) && (longest == null || cell.busyFrom() < longest.busyFrom())) {
                longest = cell;
            }
        }
        return longest;
    }

    /** Whether a handoff of the shard is under way. */
    static boolean isLeaving(HostedShard shard) {
        ShardHandoff handoff = shard.handoff();
        return shard.phase() == HostedShard.Phase.DRAINING
                || (shard.phase() == HostedShard.Phase.STOPPING && !handoff.isAborted(handoff.version()));
    }

    static HoldUp of(HostedShard shard, long now) {
        EntityCell longest = null;
        long most = 0;
        for (EntityCell cell : shard.cells()) {
            long since = since(cell, shard, now);
            if (now - since > most) {
                longest = cell;
                most = now - since;
            }
        }
        return new HoldUp(longest == null ? null : longest.id(), most, shard.liveEntities(), undrained(shard));
    }

    /** An earlier handoff that was given up may have left nodes that this one does not wait for. */
    private static List<NodeId> undrained(HostedShard shard) {
        return shard.phase() != HostedShard.Phase.DRAINING
                ? List.of()
                : shard.handoff().undrained().stream()
                        .sorted()
                        .limit(HoldUp.MOST_NODES)
                        .toList();
    }

    /**
     * When the cell's call began that delays the handoff; for a cell that is stopping, when the handoff began; now if
     * the cell delays nothing.
     */
    private static long since(EntityCell cell, HostedShard shard, long now) {
        if (cell.state() == CellState.STOPPING) {
            return shard.handoff().since();
        }
        return isAwaited(cell) || cell.state() == CellState.ASKED ? cell.busyFrom() : now;
    }
}
