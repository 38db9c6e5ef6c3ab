package io.shardbus.store;

import static io.shardbus.integration.Await.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files as a process leaves them that dies while it writes: copied while the store runs, and something of one more
 * entry at their end.
 */
class UnfinishedWritesTest {
    private static final String TYPE = "counter";
    private static final Set<String> IDS = Set.of("a", "b", "c");

    /** Of the head of an entry. */
    private static final int HEAD = 27;

    private static final int NUMBER = 11;
    private static final long NEWEST = 1L << 40;

    /** Of a bucket of this type, as Infinispan writes it. */
    private static final int KEY = 23;

    private static final int ALL_BUT_ONE = -1;

    @TempDir
    private Path running;

    @TempDir
    private Path killed;

    private RememberedEntitiesStore store;

    @BeforeEach
    void writeAndCopy() throws IOException {
        store = start(running);
        result(store.open(TYPE, 1, token(1)));
        result(store.update(TYPE, 1, token(1), IDS, Set.of()));
        try (var all = Files.walk(running)) {
            for (var each : all.filter(each -> !each.equals(running) && !each.endsWith("lock"))
                    .toList()) {
                Files.copy(each, killed.resolve(running.relativize(each)));
            }
        }
        result(store.close());
    }

    @AfterEach
    void close() {
        result(store.close());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, HEAD - 1, HEAD + KEY, HEAD + KEY + 8, ALL_BUT_ONE})
    void whatWasStoredBeforeIsThere(int bytesOfTheLast) throws IOException {
        var entry = newestOfTheFirstKey();
        int written = bytesOfTheLast == ALL_BUT_ONE ? entry.length - 1 : bytesOfTheLast;
        assertTrue(entry.length > written, "an entry has " + entry.length);
        append(Arrays.copyOf(entry, written));
        store = start(killed);
        assertEquals(IDS, result(store.open(TYPE, 1, token(2))));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 200_000})
    void zerosAtTheEndAreCutOff(int zeros) throws IOException {
        append(new byte[zeros]);
        store = start(killed);
        assertEquals(IDS, result(store.open(TYPE, 1, token(2))));
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 7})
    void damageElsewhereRefusesTheStartAndChangesNothing(byte first) throws IOException {
        long before = Files.size(file());
        var bytes = new byte[100];
        bytes[0] = first;
        bytes[99] = 1;
        append(bytes);
        store = InfinispanRememberedEntities.durableAlone(
                killed, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        var failure = assertThrows(AssertionError.class, () -> result(store.start()));
        var cause = assertInstanceOf(UnreadableRecordException.class, failure.getCause());
        assertTrue(cause.getMessage().contains(file() + " is damaged at byte " + before), cause.getMessage());
        assertEquals(before + 100, Files.size(file()));
    }

    @Test
    void cutFilesAreWholeAtTheNextStart() throws IOException {
        append(Arrays.copyOf(newestOfTheFirstKey(), HEAD + KEY));
        store = start(killed);
        result(store.close());
        store = start(killed);
        assertEquals(IDS, result(store.open(TYPE, 1, token(2))));
    }

    private byte[] newestOfTheFirstKey() throws IOException {
        var bytes = ByteBuffer.wrap(Files.readAllBytes(file()));
        int length = HEAD + bytes.getShort(1) + bytes.getShort(3) + bytes.getInt(5) + bytes.getShort(9);
        return Arrays.copyOf(bytes.putLong(NUMBER, NEWEST).array(), length);
    }

    private void append(byte[] bytes) throws IOException {
        Files.write(file(), bytes, StandardOpenOption.APPEND);
    }

    private Path file() throws IOException {
        try (var all = Files.walk(killed)) {
            return all.filter(each -> each.getFileName().toString().startsWith("ispn12."))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static RememberedEntitiesStore start(Path directory) {
        var store = InfinispanRememberedEntities.durableAlone(
                directory, InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT);
        result(store.start());
        return store;
    }

    private static FencingToken token(int term) {
        return new FencingToken(term, 1, 1);
    }
}
