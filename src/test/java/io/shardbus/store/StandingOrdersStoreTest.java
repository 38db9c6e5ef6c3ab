package io.shardbus.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.control.WrittenOrders;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.spi.RecordStore;
import io.shardbus.wire.TextFields;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StandingOrdersStoreTest {
    private static final String NAME = "standing-orders";
    private static final NodeId NODE = new NodeId("node = 1:b");

    private static final TermId TERM = new TermId(7, 1);
    private static final TermId NEXT = new TermId(8, 0);

    private final InMemoryRecordStore records = new InMemoryRecordStore();
    private final StandingOrdersStore store = new StandingOrdersStore(records);

    private StandingOrders give(Kind kind, String type, @Nullable NodeId node, int shard) {
        return give(TERM, kind, type, node, shard).result().orders();
    }

    private Future<WrittenOrders> give(TermId term, Kind kind, String type, @Nullable NodeId node, int shard) {
        return store.update(
                term, false, present -> present.with(new OperatorOrder(kind, type, node, shard), 1_764_000_000_000L));
    }

    private StandingOrders stand() {
        return store.read().result().orders();
    }

    @Test
    void keepsEveryKindWithItsTime() {
        assertEquals(List.of(), stand().given());
        give(Kind.DRAIN, "", NODE, -1);
        give(Kind.UNDRAIN, "a type", NODE, -1);
        give(Kind.CORDON, "", NODE, -1);
        give(Kind.PAUSE, "", null, -1);
        give(Kind.RESUME, "a type", null, -1);
        StandingOrders written = give(Kind.PIN, "a type", NODE, 7);
        assertEquals(6, written.given().size());
        assertEquals(written.given(), stand().given());
        assertEquals(1_764_000_000_000L, written.given().get(5).since());
    }

    @Test
    void whatIsTakenBackLeavesAnEmptyRecord() {
        assertNull(records.read(NAME).result());
        give(Kind.CORDON, "", NODE, -1);
        give(Kind.UNCORDON, "", NODE, -1);
        assertNotNull(records.read(NAME).result());
        assertEquals(List.of(), stand().given());
    }

    @Test
    void refusesMoreThanItKeeps() {
        for (int shard = 0; shard < StandingOrders.MOST; shard++) {
            give(Kind.PIN, "t", NODE, shard);
        }
        OperatorOrder more = new OperatorOrder(Kind.PIN, "t", NODE, StandingOrders.MOST);
        StandingOrders after = store.update(TERM, false, present -> present.with(more, 0))
                .result()
                .orders();
        assertEquals(StandingOrders.MOST, after.given().size());
        assertTrue(!after.include(more));
        assertEquals(StandingOrders.MOST, stand().given().size());
    }

    @Test
    void keepsWhatALaterBuildHasWritten() {
        String later = new TextFields().put(1, "BANISH").put(9, "for ever").text();
        assertTrue(records.replace(NAME, null, new TextFields().put(1, later).text())
                .result());
        assertEquals(List.of(), stand().given());
        give(Kind.CORDON, "", NODE, -1);
        TextFields found = TextFields.parse(records.read(NAME).result()).orElseThrow();
        assertEquals(later, found.get(2).orElseThrow());
        assertEquals(1, stand().given().size());
    }

    @Test
    void whatIsNoRecordFails() {
        assertTrue(records.replace(NAME, null, "no record").result());
        assertTrue(store.read().failed());
        assertTrue(store.update(TERM, false, present -> present.with(new OperatorOrder(Kind.CORDON, "", NODE, -1), 0))
                .failed());
    }

    @Test
    void oneThatWasSucceededWritesNothingAnyMore() {
        give(TERM, Kind.DRAIN, "", NODE, -1);
        assertEquals(TERM, store.read().result().writer());
        assertEquals(
                List.of(),
                give(NEXT, Kind.UNDRAIN, "", NODE, -1).result().orders().given());
        Future<WrittenOrders> late = give(TERM, Kind.DRAIN, "", NODE, -1);
        assertInstanceOf(StandingOrdersStore.SupersededException.class, late.cause());
        assertEquals(NEXT, store.read().result().writer());
        assertEquals(List.of(), stand().given());
    }

    @Test
    void oneThatIsSucceededWhileItWritesTriesNoMore() {
        give(TERM, Kind.CORDON, "", NODE, -1);
        StandingOrdersStore slow = new StandingOrdersStore(new RecordStore() {
            @Override
            public Future<@Nullable String> read(String name) {
                return records.read(name);
            }

            @Override
            public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
                if (!store.read().result().writer().equals(NEXT)) {
                    give(NEXT, Kind.UNCORDON, "", NODE, -1);
                }
                return records.replace(name, expected, next);
            }
        });
        OperatorOrder drain = new OperatorOrder(Kind.DRAIN, "", NODE, -1);
        Future<WrittenOrders> late = slow.update(TERM, false, present -> present.with(drain, 0));
        assertInstanceOf(StandingOrdersStore.SupersededException.class, late.cause());
        assertEquals(NEXT, store.read().result().writer());
        assertEquals(List.of(), stand().given());
    }

    @Test
    void theTermIsWrittenAlsoWhereNoOrderChanges() {
        assertFalse(store.read().result().isOfBefore(NEXT), "there is no record to keep for oneself");
        give(TERM, Kind.UNCORDON, "", NODE, -1);
        assertEquals(TERM, store.read().result().writer(), "an earlier order may be under way");
        assertEquals(List.of(), stand().given());
        give(TERM, Kind.CORDON, "", NODE, -1);
        assertTrue(store.read().result().isOfBefore(NEXT));
        assertEquals(
                NEXT, store.update(NEXT, false, present -> present).result().writer());
        assertFalse(store.read().result().isOfBefore(NEXT));
        assertEquals(Set.of(NODE), stand().cordoned("t"));
        assertTrue(give(TERM, Kind.UNCORDON, "", NODE, -1).failed());
    }

    @Test
    @DisplayName("A write of orders that takes hold late undoes nothing that was written meanwhile, not even what"
            + " changed no order, and finds no record that is equal to the one before")
    void aWriteThatComesLateFindsAnotherRecord() {
        give(Kind.CORDON, "", NODE, -1);
        List<Supplier<Boolean>> held = new ArrayList<>();
        StandingOrdersStore hung = new StandingOrdersStore(new RecordStore() {
            @Override
            public Future<@Nullable String> read(String name) {
                return records.read(name);
            }

            @Override
            public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
                held.add(() -> records.replace(name, expected, next).result());
                return Promise.<Boolean>promise().future();
            }
        });
        OperatorOrder drain = new OperatorOrder(Kind.DRAIN, "", NODE, -1);
        assertFalse(hung.update(TERM, false, present -> present.with(drain, 0)).isComplete());
        OperatorOrder undrain = new OperatorOrder(Kind.UNDRAIN, "", NODE, -1);
        assertTrue(store.update(TERM, true, present -> present.with(undrain, 0)).succeeded());
        assertFalse(held.get(0).get(), "the drain comes after it was taken back");
        assertEquals(Set.of(), stand().drained(""));
        assertFalse(hung.update(TERM, false, present -> present.with(drain, 0)).isComplete());
        give(Kind.DRAIN, "", NODE, -1);
        give(Kind.UNDRAIN, "", NODE, -1);
        assertFalse(held.get(1).get(), "the orders are those that it had found");
        assertEquals(Set.of(), stand().drained(""));
    }

    @Test
    void readsTheRecordOfAnEarlierBuild() {
        give(Kind.CORDON, "", NODE, -1);
        String order = TextFields.parse(records.read(NAME).result())
                .flatMap(fields -> fields.get(1))
                .orElseThrow();
        String present = records.read(NAME).result();
        assertTrue(records.replace(NAME, present, new TextFields().put(1, order).text())
                .result());
        assertEquals(TermId.NONE, store.read().result().writer());
        assertTrue(store.read().result().isOfBefore(TERM));
        assertEquals(Set.of(NODE), stand().cordoned("t"));
    }
}
