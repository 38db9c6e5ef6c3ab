package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoveShardingDataTest {
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);

    @TempDir
    private Path parent;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    @DisplayName("TOOL-01 no stored data: success, the report says that nothing was removed, and nothing is made")
    void nothingThere() {
        assertEquals(0, run("cart"));
        assertEquals("cart: nothing was stored, nothing removed\n", text(out));
        assertFalse(Files.exists(directory()));
    }

    @Test
    @DisplayName("TOOL-02 a little data: the report says what was removed, nothing of the type is left, others stay")
    void aLittle() {
        withStore(store -> {
            write(store, "cart", 1, "a", "b", "c");
            write(store, "order", 1, "x");
            Await.result(store.open("empty", 7, TOKEN));
        });
        assertEquals(0, run("cart"));
        assertEquals("cart: remembered entities removed: 3\ncart: fencing tokens removed: 1\n", text(out));
        out.reset();
        assertEquals(0, run("empty"));
        assertEquals("empty: fencing tokens removed: 1\n", text(out));
        withStore(store -> {
            assertEquals(Set.of(), Await.result(store.shards("cart")));
            assertEquals(Set.of(), Await.result(store.open("cart", 1, FencingToken.NONE)));
            assertEquals(Set.of("x"), Await.result(store.open("order", 1, TOKEN)));
        });
    }

    @Test
    @DisplayName("TOOL-03 data of all kinds and of two types: all reported, all gone in the end")
    void allKinds() {
        withStore(store -> {
            write(store, "cart", 1, "a", "b", "c", "d", "e");
            write(store, "cart", 2, "f", "g", "h", "i", "j");
            write(store, "order", 2, "x");
        });
        assertEquals(0, run("cart", "order", "unknown"));
        assertEquals(
                "cart: remembered entities removed: 10\ncart: fencing tokens removed: 2\n"
                        + "order: remembered entities removed: 1\norder: fencing tokens removed: 1\n"
                        + "unknown: nothing was stored, nothing removed\n",
                text(out));
        out.reset();
        assertEquals(0, run("cart", "order"));
        assertEquals(
                "cart: nothing was stored, nothing removed\norder: nothing was stored, nothing removed\n", text(out));
    }

    @Test
    void refusesWhileANodeRunsOnTheDirectory() {
        withStore(store -> {
            write(store, "cart", 1, "a");
            assertEquals(1, run("cart"));
            assertTrue(text(err).contains("is in use"), text(err));
            assertEquals("", text(out));
        });
        withStore(store -> assertEquals(Set.of("a"), Await.result(store.open("cart", 1, TOKEN))));
    }

    @Test
    void saysHowItIsUsed() {
        assertEquals(2, run());
        assertTrue(text(err).startsWith("usage: "));
        assertEquals(2, run(" "));
    }

    @Test
    void refusesADirectoryThatIsAFile() throws Exception {
        Files.writeString(directory(), "a file");
        assertEquals(1, run("cart"));
        assertTrue(text(err).contains("cannot be used"), text(err));
    }

    private interface Use {
        void of(RememberedEntitiesStore store);
    }

    private void withStore(Use use) {
        var store = InfinispanRememberedEntities.durableAlone(
                directory(), InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        Await.result(store.start());
        try {
            use.of(store);
        } finally {
            Await.result(store.close());
        }
    }

    private static void write(RememberedEntitiesStore store, String type, int shard, String... ids) {
        Await.result(store.update(type, shard, TOKEN, Set.of(ids), Set.of()));
    }

    private int run(String... types) {
        var arguments = Stream.concat(Stream.of(directory().toString()), Stream.of(types))
                .toArray(String[]::new);
        return RemoveShardingData.run(arguments, stream(out), stream(err));
    }

    private Path directory() {
        return parent.resolve("data");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
