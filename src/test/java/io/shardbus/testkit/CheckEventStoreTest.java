package io.shardbus.testkit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.store.memory.MemoryStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The checks of a store")
class CheckEventStoreTest {
    @Test
    @DisplayName("find that two stores without common content keep no fence, and say which check it was")
    void findsAStoreWithoutFence() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        boolean kept = CheckEventStore.run(
                EventStoreContract.checks(vertx -> MemoryStore.create(), 20),
                new PrintStream(said, true, StandardCharsets.UTF_8));

        String lines = said.toString(StandardCharsets.UTF_8);
        assertFalse(kept);
        assertTrue(lines.contains("BROKEN  an older token opens nothing from another process"), lines);
        assertTrue(lines.contains("BROKEN  the home before stores nothing after an opening"), lines);
        assertTrue(lines.contains("BROKEN  20 random histories of two writers and a reader"), lines);
        assertTrue(lines.contains("kept    a new log is empty"), lines);
        assertFalse(lines.contains("no answer"), lines);
    }
}
