package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The writer of a log")
class LogWriterTest {
    private final List<String> told = new ArrayList<>();
    private final LogWriter<String> writer = new LogWriter<>(
            new LogKey(1, new FencingToken(1, 1, 1)), new LogWriter.Load(), (id, failure) -> told.add(id + " threw"));

    @BeforeEach
    void open() {
        writer.opening(true);
        writer.opened(1, 1, 0);
    }

    private Commit<String> add(String id, String row, boolean isApart) {
        return add(id, row, isApart, () -> {});
    }

    /** @param then runs when the commit is told that it is stored */
    private Commit<String> add(String id, String row, boolean isApart, Runnable then) {
        Commit<String> commit = new Commit<>(id, List.of(row), 1, isApart) {
            @Override
            protected void stored() {
                told.add(row + " stored");
                then.run();
            }

            @Override
            protected void failed(FailureCode code, String reason) {
                told.add(row + " " + code);
            }
        };
        writer.add(commit);
        return commit;
    }

    private List<String> take() {
        return writer.take(100, 100, true).stream()
                .flatMap(commit -> commit.rows().stream())
                .toList();
    }

    @Test
    @DisplayName("puts commits of one entity that change reminders into batches of their own")
    void apart() {
        add("a", "a1", true);
        add("a", "a2", false);
        add("b", "b1", true);
        add("a", "a3", true);
        add("b", "b2", false);
        assertEquals(List.of("a1", "a2", "b1"), take());
        assertEquals(List.of("a3", "b2"), take());
        assertFalse(writer.hasWaiting());
    }

    @Test
    @DisplayName("leaves what an entity has sent before a refused row to its own answer")
    void before() {
        add("a", "a1", false);
        take();
        Commit<String> refused = add("a", "a2", false);
        take();
        writer.refused(refused, "too large");
        assertEquals(List.of("a2 ENTITY_FAILED"), told);
        writer.close();
        writer.opening(true);
        writer.opened(1, 2, 1);
        assertEquals(List.of("a2 ENTITY_FAILED", "a1 stored"), told);
    }

    @Test
    @DisplayName(
            "keeps the order, and loses nothing, where a commit that it tells while it is opened again adds another")
    void addedWhileToldAfterAnOpening() {
        List<List<Commit<String>>> batches = new ArrayList<>();
        add("a", "a1", false, () -> {
            add("b", "b1", false);
            batches.add(writer.take(100, 100, true));
        });
        take();
        add("a", "a2", false);
        take();
        add("a", "a3", false);
        writer.close();
        writer.opening(true);
        writer.opened(1, 2, 1);
        List<Commit<String>> sent = batches.get(0);
        assertEquals(
                List.of("a2", "a3", "b1"),
                sent.stream().flatMap(commit -> commit.rows().stream()).toList());
        writer.stored(sent);
        assertEquals(List.of("a1 stored", "a2 stored", "a3 stored", "b1 stored"), told);
        assertFalse(writer.isPending("a"));
        assertFalse(writer.isPending("b"));
        assertFalse(writer.hasWaiting());
    }

    @Test
    @DisplayName("takes what an entity has stored behind a refused row out, whether it was sent or waits")
    void refused() {
        Commit<String> refused = add("a", "a1", false);
        take();
        add("a", "a2", false);
        add("b", "b1", false);
        take();
        add("a", "a3", false);
        add("b", "b2", false);
        writer.refused(refused, "too large");
        assertEquals(List.of("a1 ENTITY_FAILED", "a2 STORE_UNAVAILABLE", "a3 STORE_UNAVAILABLE"), told);
        assertFalse(writer.isPending("a"));
        assertTrue(writer.isPending("b"));
        writer.close();
        writer.opening(true);
        writer.opened(1, 2, 0);
        assertEquals(List.of("b1", "b2"), take());
        assertEquals(2, writer.end());
    }
}
