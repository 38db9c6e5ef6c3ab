package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.EntityType;
import io.shardbus.persistence.CountedHistory.Called;
import io.shardbus.persistence.CountedHistory.Count;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entity with millions of events")
class LongHistoryTest {
    private static final long EVENTS = 2_500_000;

    @Test
    @DisplayName("is recovered page by page")
    void recovered() {
        PersistenceStore store = CountedHistory.store(LongHistoryTest::history);
        EntityType<Count> type = EntityType.of("counter", Count.class);
        try (var counter = EntityTestKit.of(
                EventSourced.of(type, id -> new CountedHistory.Counter(), CountedHistory.CODEC)
                        .on(store),
                "c")) {
            assertEquals(EVENTS, counter.ask(new Count()));
        }
    }

    private static Object history(Called called, Object answer) {
        List<?> with = called.arguments();
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
