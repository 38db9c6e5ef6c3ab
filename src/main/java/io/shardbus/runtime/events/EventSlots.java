package io.shardbus.runtime.events;

import io.shardbus.model.ClusterEvent;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The last events of one sort, which are numbered from 1 beside their ids. Any thread. */
final class EventSlots {
    private final AtomicReferenceArray<@Nullable Slot> slots;

    private record Slot(long number, ClusterEvent event) {}

    EventSlots(int capacity) {
        this.slots = new AtomicReferenceArray<>(capacity);
    }

    /** A writer that was overtaken by a whole round leaves the newer event. */
    void put(long number, ClusterEvent event) {
        slots.accumulateAndGet(
                place(number),
                new Slot(number, event),
                (present, next) ->
                        present != null && next != null && present.number() > next.number() ? present : next);
    }

    /**
     * Adds the events whose ids are greater, up to this number, or to the first one that has a number and no event yet.
     *
     * @return up to which id none is missing
     */
    long addAfter(long id, long end, List<ClusterEvent> events) {
        long complete = id;
        for (long number = Math.max(1, end - slots.length() + 1); number <= end; number++) {
            Slot slot = slots.get(place(number));
            if (slot == null || slot.number() < number) {
                return complete;
            }
            if (slot.number() == number) {
                complete = Math.max(complete, slot.event().id());
                if (slot.event().id() > id) {
                    events.add(slot.event());
                }
            }
        }
        return Long.MAX_VALUE;
    }

    private int place(long number) {
        return (int) (number % slots.length());
    }
}
