package io.shardbus.store.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The store in memory")
class MemoryStoreTest {
    private static final FencingToken OLD = new FencingToken(1, 1, 1);
    private static final FencingToken NEW = new FencingToken(1, 1, 2);

    private final Vertx vertx = Vertx.vertx();
    private final Context lane = vertx.getOrCreateContext();
    private final MemoryStore store = MemoryStore.create();
    private final StoreConnection connection = store.connect(lane);
    private final StoredType type = store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 10, "ids"))
            .result();

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private OpenedLog open(FencingToken token) {
        return connection.open(List.of(new LogOpening(type, 3, token))).result().get(0);
    }

    private Set<Integer> append(OpenedLog opened, FencingToken token, long end, EventRow... rows) {
        var log = (OpenedLog.Open) opened;
        var fence = new LogFence(log.log(), token, log.opening());
        return connection
                .append(List.of(new LogAppend<>(fence, end, List.of(rows))))
                .await();
    }

    private static EventRow row(String id, long sequence, long position) {
        return new EventRow(id, sequence, position, "e", 1, 1, Buffer.buffer("x"), null, Set.of());
    }

    @Test
    @DisplayName("refuses a writer whose token, opening or end is another one")
    void fences() {
        OpenedLog first = open(OLD);
        assertEquals(Set.of(1), append(first, OLD, 0, row("a", 1, 1)));
        assertEquals(Set.of(), append(first, OLD, 0, row("a", 2, 1)), "at another end");
        OpenedLog again = open(OLD);
        assertEquals(new OpenedLog.Open(1, 2, 1), again);
        assertEquals(Set.of(), append(first, OLD, 1, row("a", 2, 2)), "in an opening that is over");
        OpenedLog second = open(NEW);
        assertEquals(Set.of(), append(again, OLD, 1, row("a", 2, 2)), "with an older token");
        assertEquals(new OpenedLog.Superseded(), open(OLD));
        assertEquals(Set.of(1), append(second, NEW, 1, row("a", 2, 2)));
        assertEquals(
                List.of(row("a", 1, 1), row("a", 2, 2)),
                connection.load(type, List.of("a"), 10).result().get(0).events());
    }

    @Test
    @DisplayName("stores nothing of a call with an event that the entity has")
    void doubled() {
        OpenedLog opened = open(OLD);
        append(opened, OLD, 0, row("a", 1, 1));
        var refusal = assertThrows(StoreException.class, () -> append(opened, OLD, 1, row("b", 1, 2), row("a", 1, 3)));
        assertEquals(StoreException.Kind.ROW_REFUSED, refusal.kind());
        assertEquals(
                List.of(List.of(row("a", 1, 1)), List.of()),
                connection.load(type, List.of("a", "b"), 10).result().stream()
                        .map(LoadedEntity::events)
                        .toList());
    }

    @Test
    @DisplayName("closes the logs of an older layout when one of a newer is opened")
    void layouts() {
        OpenedLog old = open(OLD);
        StoredType next = store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 20, "ids"))
                .result();
        assertEquals(new StoredType(type.number(), 2), next);
        connection.open(List.of(new LogOpening(next, 7, OLD)));
        assertEquals(new OpenedLog.Sealed(), open(NEW));
        assertEquals(Set.of(), append(old, OLD, 0, row("a", 1, 1)), "by a zombie of the old layout");
    }
}
