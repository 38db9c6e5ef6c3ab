package io.shardbus.runtime.events;

import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterEvent.Kind;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The last events that one node recorded: 2,000 of single shards, and 2,000 others. So the moves of thousands of shards
 * displace no join, loss or action of an operator. Any thread; a reader that is overtaken by writers sees fewer of the
 * oldest.
 */
public final class EventRing {
    /** Number of events of each of the two sorts. */
    public static final int CAPACITY = 2_000;

    private static final Set<Kind> OF_ONE_SHARD = EnumSet.of(Kind.SHARD_PLACED, Kind.SHARD_MOVED, Kind.SHARD_STAYED);

    private final NodeId self;
    private final LongSupplier wallMillis;
    private final EventSlots ofShards = new EventSlots(CAPACITY);
    private final EventSlots others = new EventSlots(CAPACITY);
    private final LongAdder listenerFailures = new LongAdder();
    private final Listeners<Consumer<ClusterEvent>> listeners =
            new Listeners<>("recorded events", listenerFailures::increment);
    private final AtomicReference<Stamp> last = new AtomicReference<>(new Stamp(0, 0, 0));

    /** Number and time of an event, and how many of the events until then are of shards, taken together. */
    private record Stamp(long id, long at, long ofShards) {
        Stamp next(long now, boolean ofShard) {
            return new Stamp(id + 1, Math.max(at, now), ofShards + (ofShard ? 1 : 0));
        }

        long others() {
            return id - ofShards;
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
    public void add(Kind kind, String subject, Map<String, Object> details) {
        boolean ofShard = OF_ONE_SHARD.contains(kind);
        // what is wrong with the event is to be noticed before it has a number, at which readers would wait
        Objects.requireNonNull(subject, "subject");
        Map<String, Object> kept = new TreeMap<>(details);
        long now = wallMillis.getAsLong();
        Stamp stamp = last.updateAndGet(before -> before.next(now, ofShard));
        ClusterEvent event = new ClusterEvent(self, stamp.id(), stamp.at(), kind, subject, kept);
        if (ofShard) {
            ofShards.put(stamp.ofShards(), event);
        } else {
            others.put(stamp.others(), event);
        }
        listeners.tell(listener -> listener.accept(event));
    }

    /**
     * Gives a listener each event from now on, on the thread that records it; events of several threads may overtake
     * each other. It must be quick; what it throws is counted and logged.
     */
    public void listen(Consumer<ClusterEvent> listener) {
        listeners.add(listener);
    }

    /** The listener gets no further event. */
    public void unlisten(Consumer<ClusterEvent> listener) {
        listeners.remove(listener);
    }

    /** Number of exceptions of listeners. */
    public long listenerFailures() {
        return listenerFailures.sum();
    }

    /** The number of the last event; 0 before the first. */
    public long last() {
        return stamp().id();
    }

    private Stamp stamp() {
        return Objects.requireNonNull(last.get(), "set from the begin on");
    }

    /**
     * The events after this number that are still there, oldest first, up to one that is being recorded: a reader that
     * goes on after the last of them misses none.
     *
     * @param limit at least 1
     */
    public List<ClusterEvent> after(long id, int limit) {
        Stamp end = stamp();
        List<ClusterEvent> events = new ArrayList<>();
        long complete =
                Math.min(ofShards.addAfter(id, end.ofShards(), events), others.addAfter(id, end.others(), events));
        events.removeIf(event -> event.id() > complete);
        events.sort(Comparator.comparingLong(ClusterEvent::id));
        return events.size() > limit ? List.copyOf(events.subList(0, limit)) : events;
    }
}
