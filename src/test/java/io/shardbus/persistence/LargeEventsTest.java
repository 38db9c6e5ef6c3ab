package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.EntityType;
import io.shardbus.persistence.CountedHistory.Called;
import io.shardbus.persistence.CountedHistory.Count;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReadBytes;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entity with events that are so large that few of them fit into an answer")
class LargeEventsTest {
    private static final long EVENTS = 700;
    private static final int FITTING = 3;
    private static final Buffer HALF = Buffer.buffer(new byte[ReadBytes.LIMIT / 2]);

    @Test
    @DisplayName("is recovered with smaller pages after each read that failed")
    void recovered() {
        PersistenceStore store = CountedHistory.store(LargeEventsTest::history);
        EntityType<Count> type = EntityType.of("counter", Count.class);
        try (var counter = EntityTestKit.of(
                EventSourced.of(type, id -> new CountedHistory.Counter(), CountedHistory.CODEC)
                        .on(store)
                        .withAskTimeout(Duration.ofHours(2)),
                "c")) {
            Future<Long> count = counter.asking(new Count());
            for (int i = 0; i < 1_000 && !count.isComplete(); i++) {
                counter.advance(Duration.ofSeconds(1));
            }
            assertEquals(EVENTS, count.result(), () -> String.valueOf(count.cause()));
        }
    }

    @Test
    @DisplayName("is recovered to its last event, though an answer ends before its limit")
    void fullAnswers() {
        PersistenceStore store = CountedHistory.store(LargeEventsTest::halves);
        EntityType<Count> type = EntityType.of("counter", Count.class);
        try (var counter = EntityTestKit.of(
                EventSourced.of(type, id -> new CountedHistory.Counter(), CountedHistory.CODEC)
                        .on(store),
                "c")) {
            assertEquals(EVENTS, counter.ask(new Count()));
        }
    }

    /** With two events an answer is full. */
    private static Object halves(Called called, Object answer) {
        List<?> with = called.arguments();
        return switch (called.method()) {
            case "load" -> Future.succeededFuture(List.of(new LoadedEntity("c", null, halves(0), true)));
            case "loadEvents" -> Future.succeededFuture(halves((long) with.get(2)));
            default -> answer;
        };
    }

    private static List<EventRow> halves(long after) {
        return CountedHistory.rows(after, Math.min(EVENTS, after + 2)).stream()
                .map(row -> new EventRow(
                        row.id(),
                        row.sequence(),
                        row.position(),
                        row.name(),
                        row.version(),
                        row.format(),
                        HALF,
                        null,
                        row.tags()))
                .toList();
    }

    private static Object history(Called called, Object answer) {
        List<?> with = called.arguments();
        boolean isTooLarge = called.method().equals("load") && (int) with.get(2) > FITTING
                || called.method().equals("loadEvents") && (int) with.get(3) > FITTING;
        if (isTooLarge) {
            return Future.failedFuture(new StoreException(StoreException.Kind.UNREACHABLE, "too large"));
        }
        return switch (called.method()) {
            case "load" ->
                Future.succeededFuture(List.of(new LoadedEntity("c", null, rows(0, (int) with.get(2)), true)));
            case "loadEvents" -> Future.succeededFuture(rows((long) with.get(2), (int) with.get(3)));
            default -> answer;
        };
    }

    private static List<EventRow> rows(long after, int limit) {
        return CountedHistory.rows(after, Math.min(EVENTS, after + limit));
    }
}
