package io.shardbus.core.routing;

import io.shardbus.core.entity.EntityCell;
import java.util.Comparator;
import java.util.PriorityQueue;

/** The moments at which cells want to be looked at again. */
final class WakeQueue {
    private record WakeUp(long moment, EntityCell cell) {}

    private final PriorityQueue<WakeUp> queue = new PriorityQueue<>(Comparator.comparingLong(WakeUp::moment));

    void add(EntityCell cell, long moment) {
        queue.add(new WakeUp(moment, cell));
    }

    void wake(long now) {
        while (!queue.isEmpty() && queue.element().moment() <= now) {
            queue.remove().cell().wake();
        }
    }
}
