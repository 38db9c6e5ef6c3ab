package io.shardbus.core.hosting;

import io.shardbus.core.entity.EntityCell;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The entities of a shard that have not answered for longer than an asker waits; the lane is told of each once. */
final class SilentEntities {
    private final int shard;
    private final HostingLane lane;
    /** Their ids, with the moment at which each took its message up. */
    private Map<String, Long> known = Map.of();

    SilentEntities(int shard, HostingLane lane) {
        this.shard = shard;
        this.lane = lane;
    }

    boolean isEmpty() {
        return known.isEmpty();
    }

    /**
     * Looks at all entities of the shard.
     *
     * @param patience time in ms that an entity may take for a message
     */
    void look(Collection<EntityCell> cells, long patience) {
        Map<String, Long> found = new HashMap<>();
        for (EntityCell cell : cells) {
            long busy = lane.now() - cell.busyFrom();
            if (busy > patience && ShardHoldUp.isAwaited(cell)) {
                found.put(cell.id(), cell.busyFrom());
                if (!Long.valueOf(cell.busyFrom()).equals(known.get(cell.id()))) {
                    lane.port().notAnswering(shard, cell.id(), busy);
                }
            }
        }
        change(found);
    }

    /** No entity of the shard is here any more. */
    void forget() {
        change(Map.of());
    }

    private void change(Map<String, Long> found) {
        int change = found.size() - known.size();
        known = found;
        if (change != 0) {
            lane.port().notAnswering(change);
        }
    }
}
