package io.shardbus.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DesiredHomesStoreTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("node b");

    private final InMemoryRecordStore records = new InMemoryRecordStore();
    private final DesiredHomesStore store = new DesiredHomesStore(records, () -> {});

    @Test
    void keepsEachTypeForItself() {
        set(Map.of(0, A, 65_535, B, 7, A));
        assertEquals(Map.of(0, A, 65_535, B, 7, A), store.read("type").result());
        assertEquals(Map.of(), store.read("other").result());
    }

    @Test
    @DisplayName("homes that were cleared leave an empty record, which a merge does not take for a lost one")
    void whatIsClearedLeavesAnEmptyRecord() {
        set(Map.of(1, A));
        assertTrue(store.update("type", present -> Map.of()).succeeded());
        assertEquals(Map.of(), store.read("type").result());
        assertNotNull(records.read("desired-homes/type").result());
        assertTrue(store.update("other", present -> Map.of()).succeeded());
        assertEquals(null, records.read("desired-homes/other").result(), "none was there");
        set(Map.of(1, B));
        assertEquals(Map.of(1, B), store.read("type").result());
    }

    @Test
    void isWrittenAgainWhereAnotherWriterWasQuicker() {
        DesiredHomesStore slow = new DesiredHomesStore(overtaken(DesiredHomesStore.TRIES - 1), () -> {});
        var written = slow.update("type", present -> {
            Map<Integer, NodeId> next = new TreeMap<>(present);
            next.put(1, B);
            return next;
        });
        assertTrue(written.succeeded());
        Map<Integer, NodeId> found = store.read("type").result();
        assertEquals(B, found.get(1));
        assertEquals(DesiredHomesStore.TRIES, found.size(), "what the others have written is there");
    }

    @Test
    void failsWhereOthersAreAlwaysQuicker() {
        DesiredHomesStore slow = new DesiredHomesStore(overtaken(Integer.MAX_VALUE), () -> {});
        assertTrue(slow.update("type", present -> Map.of(1, B)).failed());
        assertFalse(store.read("type").result().containsValue(B));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1=1:a ", "1=1:a 2=3:0:1 ", "1=1:a 2=3:x:0 ", "1=0: 2=3:0:0 ", "1=1:a 2=1:0 "})
    void failsForWhatItCannotRead(String text) {
        records.replace("desired-homes/type", null, text);
        assertTrue(store.read("type").failed());
    }

    @Test
    void passesOverFieldsOfLaterBuilds() {
        records.replace("desired-homes/type", null, "1=1:a 2=3:5:0 9=2:hm ");
        assertEquals(Map.of(5, A), store.read("type").result());
    }

    private void set(Map<Integer, NodeId> homes) {
        assertTrue(store.update("type", present -> homes).succeeded());
    }

    /** Between a read and the write that follows, another writer adds a shard, so often. */
    private RecordStore overtaken(int times) {
        AtomicInteger before = new AtomicInteger();
        return new RecordStore() {
            @Override
            public Future<@Nullable String> read(String name) {
                return records.read(name);
            }

            @Override
            public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
                int shard = 100 + before.incrementAndGet();
                if (before.get() <= times) {
                    var unused = store.update("type", present -> {
                        Map<Integer, NodeId> more = new TreeMap<>(present);
                        more.put(shard, A);
                        return more;
                    });
                }
                return records.replace(name, expected, next);
            }
        };
    }
}
