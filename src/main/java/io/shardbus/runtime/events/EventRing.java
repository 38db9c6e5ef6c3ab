package io.shardbus.runtime.events;

import io.shardbus.model.ClusterEvent;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * The last 2,000 events that one node recorded. Any thread; a reader that is overtaken by writers sees fewer of the
 * oldest.
 */
public final class EventRing {
    public static final int CAPACITY = 2_000;

    private final NodeId self;
    private final LongSupplier wallMillis;
    private final AtomicReferenceArray<ClusterEvent> slots = new AtomicReferenceArray<>(CAPACITY);
    private final AtomicReference<Stamp> last = new AtomicReference<>(new Stamp(0, 0));

    /** Number and time of an event, taken together. */
    private record Stamp(long id, long at) {
        Stamp next(long now) {
            return new Stamp(id + 1, Math.max(at, now));
        }
    }

    public EventRing(NodeId self, LongSupplier wallMillis) {
        this.self = self;
        this.wallMillis = wallMillis;
    }

    /**
     * Records an event of this moment. A later one has a greater number and no earlier time, also after the clock was
     * set back: cursors count on that.
     */
    public void add(ClusterEvent.Kind kind, String subject, Map<String, Object> details) {
        long now = wallMillis.getAsLong();
        Stamp stamp = last.updateAndGet(before -> before.next(now));
        ClusterEvent event = new ClusterEvent(self, stamp.id(), stamp.at(), kind, subject, details);
        // a writer that was overtaken by a whole round leaves the newer event
        slots.accumulateAndGet(
                slot(stamp.id()),
                event,
                (present, next) -> present != null && present.id() > next.id() ? present : next);
    }

    /** The number of the last event; 0 before the first. */
    public long last() {
        return Objects.requireNonNull(last.get(), "set from the begin on").id();
    }

    /**
     * The events after this number that are still there, oldest first.
     *
     * @param limit at least 1
     */
    public List<ClusterEvent> after(long id, int limit) {
        long end = last();
        List<ClusterEvent> events = new ArrayList<>();
        for (long next = Math.max(id, end - CAPACITY) + 1; next <= end && events.size() < limit; next++) {
            ClusterEvent event = slots.get(slot(next));
            if (event == null || event.id() < next) {
                // its writer has the number and has not come to the slot yet
                break;
            }
            if (event.id() == next) {
                events.add(event);
            }
        }
        return events;
    }

    private static int slot(long id) {
        return (int) (id % CAPACITY);
    }
}
