package io.shardbus.runtime.events;

import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterEvent.Kind;
import io.shardbus.model.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The last events that one node recorded: 2,000 of single shards, and 2,000 others. So the moves of thousands of shards
 * displace no join, loss or action of an operator. Any thread.
 */
public final class EventRing {
    /** Number of events of each of the two sorts. */
    public static final int CAPACITY = 2_000;

    private static final Set<Kind> OF_ONE_SHARD = EnumSet.of(Kind.SHARD_PLACED, Kind.SHARD_MOVED, Kind.SHARD_STAYED);

    private final NodeId self;
    private final LongSupplier wallMillis;
    private final Deque<ClusterEvent> ofShards = new ArrayDeque<>();
    private final Deque<ClusterEvent> others = new ArrayDeque<>();
    private final List<Consumer<ClusterEvent>> listeners = new ArrayList<>();
    private long last;
    private long lastAt;

    public EventRing(NodeId self, LongSupplier wallMillis) {
        this.self = self;
        this.wallMillis = wallMillis;
    }

    /**
     * Records an event of this moment. A later one has a greater number and no earlier time, also after the clock was
     * set back: cursors count on that.
     */
    public synchronized void add(Kind kind, String subject, Map<String, Object> details) {
        last++;
        lastAt = Math.max(lastAt, wallMillis.getAsLong());
        ClusterEvent event = new ClusterEvent(self, last, lastAt, kind, subject, details);
        Deque<ClusterEvent> sort = OF_ONE_SHARD.contains(kind) ? ofShards : others;
        if (sort.size() == CAPACITY) {
            sort.removeFirst();
        }
        sort.addLast(event);
        listeners.forEach(listener -> listener.accept(event));
    }

    /**
     * Gives a listener the events that are still there, and then each event as it is recorded, in their order. It is
     * called on the recording thread while no other event can be recorded: it must be quick and throw nothing.
     */
    public synchronized void listen(Consumer<ClusterEvent> listener) {
        after(0, Integer.MAX_VALUE).forEach(listener);
        listeners.add(listener);
    }

    /** The listener gets no further event. */
    public synchronized void unlisten(Consumer<ClusterEvent> listener) {
        listeners.remove(listener);
    }

    /** The number of the last event; 0 before the first. */
    public synchronized long last() {
        return last;
    }

    /**
     * The events after this number that are still there, oldest first.
     *
     * @param limit at least 1
     */
    public List<ClusterEvent> after(long id, int limit) {
        List<ClusterEvent> events = new ArrayList<>();
        synchronized (this) {
            addAfter(id, ofShards, events);
            addAfter(id, others, events);
        }
        events.sort(Comparator.comparingLong(ClusterEvent::id));
        return events.size() > limit ? List.copyOf(events.subList(0, limit)) : events;
    }

    private static void addAfter(long id, Deque<ClusterEvent> sort, List<ClusterEvent> events) {
        Iterator<ClusterEvent> newestFirst = sort.descendingIterator();
        while (newestFirst.hasNext()) {
            ClusterEvent event = newestFirst.next();
            if (event.id() <= id) {
                return;
            }
            events.add(event);
        }
    }
}
