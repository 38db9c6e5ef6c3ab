package io.shardbus.runtime.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.ClusterEvent;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The events of one node: numbered without gaps, the last 2,000 of single shards and the last 2,000 others. */
class EventRingTest {
    private final EventRing ring = new EventRing(new NodeId("a"), () -> 77);

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            ring.add(ClusterEvent.Kind.NOTE, "x", Map.of());
        }
    }

    private List<Long> ids(long after, int limit) {
        return ring.after(after, limit).stream().map(ClusterEvent::id).toList();
    }

    @Test
    void numbersWhatItIsGiven() {
        assertEquals(0, ring.last());
        assertEquals(List.of(), ids(0, 10));
        add(3);
        assertEquals(List.of(1L, 2L, 3L), ids(0, 10));
        assertEquals(List.of(3L), ids(2, 10));
        assertEquals(List.of(1L, 2L), ids(0, 2));
        assertEquals(List.of(), ids(3, 10));
        assertEquals(List.of(), ids(99, 10));
        assertEquals(77, ring.after(0, 1).get(0).at());
    }

    @Test
    void timesGoOnWhenTheClockIsSetBack() {
        Iterator<Long> clock = List.of(100L, 90L, 95L, 101L).iterator();
        var events = new EventRing(new NodeId("a"), clock::next);
        for (int i = 0; i < 4; i++) {
            events.add(ClusterEvent.Kind.NOTE, "x", Map.of());
        }
        assertEquals(
                List.of(100L, 100L, 100L, 101L),
                events.after(0, 10).stream().map(ClusterEvent::at).toList());
    }

    @Test
    @DisplayName("a listener that throws keeps the event from no other listener")
    void aListenerThatThrowsIsCounted() {
        List<Long> heard = new ArrayList<>();
        ring.listen(event -> {
            throw new IllegalStateException("a meter");
        });
        ring.listen(event -> heard.add(event.id()));
        add(2);
        assertEquals(List.of(1L, 2L), heard);
        assertEquals(2, ring.listenerFailures());
    }

    @Test
    void forgetsTheOldest() {
        add(EventRing.CAPACITY + 5);
        List<Long> kept = ids(0, 10_000);
        assertEquals(LongStream.rangeClosed(6, EventRing.CAPACITY + 5).boxed().toList(), kept);
    }

    @Test
    void eventsOfShardsDisplaceNoOthers() {
        ring.add(ClusterEvent.Kind.NODE_LOST, "b", Map.of());
        for (int i = 0; i < 2 * EventRing.CAPACITY; i++) {
            ring.add(ClusterEvent.Kind.SHARD_MOVED, "cart/" + i, Map.of());
        }
        ring.add(ClusterEvent.Kind.SHARD_PLACED, "cart/1", Map.of());
        ring.add(ClusterEvent.Kind.NODE_JOINED, "b", Map.of());
        long end = 2 * EventRing.CAPACITY + 3;
        assertEquals(end, ring.last());
        assertEquals(EventRing.CAPACITY + 2, ids(0, 10_000).size());
        assertEquals(List.of(1L, end - EventRing.CAPACITY), ids(0, 2));
        assertEquals(List.of(end - EventRing.CAPACITY), ids(1, 1));
        assertEquals(List.of(end - 1, end), ids(end - 2, 10));
    }

    @Test
    void anEventThatIsRefusedHidesNoLaterOne() {
        Map<String, Object> impossible = new HashMap<>();
        impossible.put(null, "x");
        assertThrows(NullPointerException.class, () -> ring.add(ClusterEvent.Kind.NOTE, "x", impossible));
        add(1);
        assertEquals(List.of(1L), ids(0, 10));
    }

    @Test
    void aListenerGetsEachEventOnceInOrder() {
        List<Long> heard = new ArrayList<>();
        Consumer<ClusterEvent> listener = event -> heard.add(event.id());
        add(2);
        ring.listen(listener);
        add(EventRing.CAPACITY + 1);
        assertEquals(LongStream.rangeClosed(3, EventRing.CAPACITY + 3).boxed().toList(), heard);
        ring.unlisten(listener);
        add(1);
        assertEquals(EventRing.CAPACITY + 1, heard.size());
    }

    @Test
    void writersOnSeveralThreadsLoseNothing() throws InterruptedException {
        var begin = new CountDownLatch(1);
        List<Thread> writers = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> {
                    try {
                        begin.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    add(400);
                }))
                .toList();
        writers.forEach(Thread::start);
        begin.countDown();
        for (Thread writer : writers) {
            writer.join(10_000);
        }
        assertEquals(LongStream.rangeClosed(1, 1_600).boxed().toList(), ids(0, 10_000));
        assertTrue(ring.last() == 1_600);
    }
}
