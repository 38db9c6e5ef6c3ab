package io.shardbus.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.model.NodeId;
import io.shardbus.wire.TextFields;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StandingOrdersStoreTest {
    private static final String NAME = "standing-orders";
    private static final NodeId NODE = new NodeId("node = 1:b");

    private final InMemoryRecordStore records = new InMemoryRecordStore();
    private final StandingOrdersStore store = new StandingOrdersStore(records);

    private StandingOrders give(Kind kind, String type, @Nullable NodeId node, int shard) {
        return store.update(present -> present.with(new OperatorOrder(kind, type, node, shard), 1_764_000_000_000L))
                .result();
    }

    @Test
    void keepsEveryKindWithItsTime() {
        assertEquals(List.of(), store.read().result().given());
        give(Kind.DRAIN, "", NODE, -1);
        give(Kind.UNDRAIN, "a type", NODE, -1);
        give(Kind.CORDON, "", NODE, -1);
        give(Kind.PAUSE, "", null, -1);
        give(Kind.RESUME, "a type", null, -1);
        StandingOrders written = give(Kind.PIN, "a type", NODE, 7);
        assertEquals(6, written.given().size());
        assertEquals(written.given(), store.read().result().given());
        assertEquals(1_764_000_000_000L, written.given().get(5).since());
    }

    @Test
    void whatIsTakenBackLeavesAnEmptyRecord() {
        give(Kind.UNCORDON, "", NODE, -1);
        assertNull(records.read(NAME).result(), "none was there");
        give(Kind.CORDON, "", NODE, -1);
        give(Kind.UNCORDON, "", NODE, -1);
        assertNotNull(records.read(NAME).result());
        assertEquals(List.of(), store.read().result().given());
    }

    @Test
    void refusesMoreThanItKeeps() {
        for (int shard = 0; shard < StandingOrders.MOST; shard++) {
            give(Kind.PIN, "t", NODE, shard);
        }
        OperatorOrder more = new OperatorOrder(Kind.PIN, "t", NODE, StandingOrders.MOST);
        StandingOrders after = store.update(present -> present.with(more, 0)).result();
        assertEquals(StandingOrders.MOST, after.given().size());
        assertTrue(!after.include(more));
        assertEquals(StandingOrders.MOST, store.read().result().given().size());
    }

    @Test
    void keepsWhatALaterBuildHasWritten() {
        String later = new TextFields().put(1, "BANISH").put(9, "for ever").text();
        assertTrue(records.replace(NAME, null, new TextFields().put(1, later).text())
                .result());
        assertEquals(List.of(), store.read().result().given());
        give(Kind.CORDON, "", NODE, -1);
        TextFields found = TextFields.parse(records.read(NAME).result()).orElseThrow();
        assertEquals(later, found.get(2).orElseThrow());
        assertEquals(1, store.read().result().given().size());
    }

    @Test
    void whatIsNoRecordFails() {
        assertTrue(records.replace(NAME, null, "no record").result());
        assertTrue(store.read().failed());
        assertTrue(store.update(present -> present.with(new OperatorOrder(Kind.CORDON, "", NODE, -1), 0))
                .failed());
    }
}
