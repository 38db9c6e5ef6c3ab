package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Commits on their way to the logs")
class CommitQueueTest {
    @Test
    @DisplayName("3,000 random histories of a store that fails: no gap, no double, and each commit is told the truth")
    void randomHistories() {
        int stored = 0;
        int unknown = 0;
        int regressions = 0;
        for (long seed = 0; seed < 3000; seed++) {
            var history = new CommitHistory(seed);
            try {
                history.run(300);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
            stored += history.stored;
            unknown += history.unknown;
            regressions += history.regressions;
        }
        assertTrue(stored > 50_000, "stored: " + stored);
        assertTrue(unknown > 100, "unknown: " + unknown);
        assertTrue(regressions > 300, "regressions: " + regressions);
    }

    /** A store that opens logs, and takes rows only while it is told to. */
    private static final class FullStore implements CommitPort<String> {
        private final CommitQueue<String> queue =
                new CommitQueue<>(this, new CommitSettings(1, 1, 1000, 10_000, 10_000, 50, 2000));
        private final Deque<Runnable> calls = new ArrayDeque<>();
        private final List<LogKey> left = new ArrayList<>();
        private final List<Integer> opened = new ArrayList<>();
        /** The greatest token of the log of each shard. */
        private final Map<Integer, FencingToken> tokens = new HashMap<>();

        private final List<List<LogKey>> openings = new ArrayList<>();
        private final List<String> told = new ArrayList<>();
        /** Of a test whose store is never idle. */
        private static final int MOST_TOLD = 100;

        private boolean isFull = true;
        private boolean isGone;
        private long now;

        void add(int shard, String name) {
            add(shard, name, 1);
        }

        void add(int shard, String name, long sequence) {
            queue.add(new LogKey(shard, new FencingToken(1, 1, sequence)), new Commit<>(name, List.of(name), 10) {
                @Override
                protected void stored() {
                    told.add(name + " stored");
                    if (name.startsWith("endless") && told.size() < MOST_TOLD) {
                        add(shard, name, sequence);
                    }
                    throwIfTold(name);
                }

                @Override
                protected void failed(FailureCode code, String reason) {
                    told.add(name + " " + code);
                    throwIfTold(name);
                }
            });
        }

        private void throwIfTold(String name) {
            if (name.startsWith("bad")) {
                throw new StackOverflowError("of " + name);
            }
        }

        void run(long until) {
            for (; now < until; now += 10) {
                queue.flush(now);
                while (!calls.isEmpty()) {
                    calls.remove().run();
                }
            }
        }

        @Override
        public void open(List<LogKey> logs) {
            calls.add(() -> {
                if (isGone) {
                    queue.openFailed(logs, StoreTrouble.UNREACHABLE, "no answer", now);
                    return;
                }
                openings.add(logs);
                for (LogKey key : logs) {
                    FencingToken known = tokens.getOrDefault(key.shard(), key.token());
                    if (known.isNewerThan(key.token())) {
                        queue.superseded(key, "another home", now);
                        continue;
                    }
                    tokens.put(key.shard(), key.token());
                    opened.add(key.shard());
                    queue.opened(key, key.shard(), opened.size(), 0, now);
                }
            });
        }

        @Override
        public void append(CommitBatch<String> batch) {
            calls.add(() -> {
                if (isFull) {
                    queue.appendFailed(batch, StoreTrouble.REPEAT, "disk full", now);
                } else {
                    queue.appended(batch, Set.of(batch.parts().get(0).log()), now);
                }
            });
        }

        @Override
        public void readable(LogKey log) {}

        @Override
        public void gaveUp(String reason) {}

        @Override
        public void troubled(boolean isTroubled) {}

        @Override
        public void superseded(LogKey log) {}

        @Override
        public void regressed(LogKey log, long confirmed, long end) {}

        @Override
        public void threw(LogKey log, String id, Throwable failure) {
            told.add(id + " threw " + failure.getMessage());
        }

        @Override
        public boolean isHosted(LogKey log) {
            return !left.contains(log);
        }

        @Override
        public void wakeAt(long moment) {}
    }

    @Test
    @DisplayName("patience runs out, and pauses grow, where a store opens logs and takes no rows")
    void fullStore() {
        var store = new FullStore();
        store.add(1, "a");
        store.add(1, "b");
        store.run(9_900);
        assertEquals(List.of(), store.told);
        assertTrue(store.opened.size() < 15, "openings: " + store.opened.size());
        store.run(13_000);
        assertEquals(2, store.told.size(), "all have failed: " + store.told);
        assertTrue(store.told.contains("b STORE_UNAVAILABLE"), "never sent: " + store.told);
        store.isFull = false;
        store.add(1, "c");
        store.run(14_000);
        assertTrue(store.told.contains("c stored"), "goes on: " + store.told);
    }

    @Test
    @DisplayName("go on when the store opens their logs, also where a read failed after the patience")
    void lateRead() {
        var store = new FullStore();
        store.isFull = false;
        store.isGone = true;
        store.add(1, "a");
        store.run(11_000);
        assertEquals(List.of("a STORE_UNAVAILABLE"), store.told);
        store.queue.readFailed("a read that was under way", store.now);
        store.isGone = false;
        store.run(15_000);
        store.add(1, "b");
        store.run(16_000);
        assertTrue(store.told.contains("b stored"), "goes on: " + store.told);
    }

    @Test
    @DisplayName("that fill half of the room leave each entity one command at a time, until some are settled")
    void room() {
        var store = new FullStore();
        store.add(1, "a");
        store.run(100);
        assertTrue(store.queue.hasRoom());
        for (int i = 0; i < 499; i++) {
            store.add(1, "more");
        }
        assertFalse(store.queue.hasRoom(), "5,000 of 10,000 bytes");
        store.isFull = false;
        store.run(5_000);
        assertTrue(store.queue.hasRoom());
    }

    @Test
    @DisplayName("of an entity that throws an Error keeps no other one from being told")
    void throwing() {
        var store = new FullStore();
        store.isFull = false;
        store.add(1, "bad");
        store.add(1, "a");
        store.add(2, "b");
        store.run(1000);
        assertEquals(List.of("bad stored", "bad threw of bad", "b stored", "a stored"), store.told);
        store.told.clear();
        store.isFull = true;
        store.add(1, "bad");
        store.add(1, "a");
        store.run(20_000);
        assertEquals(
                List.of("bad STORE_UNAVAILABLE", "bad threw of bad", "a STORE_UNAVAILABLE"),
                store.told.stream()
                        .sorted(Comparator.comparing(told -> told.startsWith("a")))
                        .toList());
    }

    @Test
    @DisplayName("the log of a shard that has left is not opened again")
    void leftShard() {
        var store = new FullStore();
        store.isFull = false;
        store.add(1, "a");
        store.add(2, "b");
        store.run(1000);
        assertEquals(List.of("a stored", "b stored"), store.told);
        store.left.add(new LogKey(1, new FencingToken(1, 1, 1)));
        store.opened.clear();
        store.queue.readFailed("connection lost", store.now);
        store.run(2000);
        assertEquals(List.of(2), store.opened);
    }

    @Test
    @DisplayName("states that were read before a regression are known on other threads as outdated")
    void generations() {
        var store = new FullStore();
        store.isFull = false;
        store.add(1, "a");
        var generations = store.queue.generations(new LogKey(1, new FencingToken(1, 1, 1)));
        long before = generations.getAsLong();
        store.run(1000);
        assertEquals(before, generations.getAsLong());
        store.queue.readFailed("connection lost", store.now);
        store.run(2000);
        assertEquals(before + 1, generations.getAsLong(), "the log now ends at 0");
    }

    @Test
    @DisplayName("the depth counts what waits and what is under way, until it is told what became of it")
    void depth() {
        var store = new FullStore();
        assertEquals(0, store.queue.depth());
        store.add(1, "a");
        store.add(2, "b");
        store.run(100);
        assertEquals(2, store.queue.depth());
        store.isFull = false;
        store.run(10_000);
        assertEquals(0, store.queue.depth());
        assertEquals(2, store.told.size());
    }

    @Test
    @DisplayName("a log whose batches are always full holds up no other one")
    void turns() {
        var store = new FullStore();
        store.isFull = false;
        store.add(1, "endless a");
        store.add(1, "endless b");
        store.add(2, "c");
        store.add(3, "d");
        store.run(1000);
        assertEquals(List.of("endless a stored", "c stored", "d stored", "endless b stored"), store.told.subList(0, 4));
    }

    @Test
    @DisplayName(
            "of a shard that came back while the store was away open its log once in a call, the newer token first")
    void cameBack() {
        var store = new FullStore();
        store.add(1, "a");
        store.run(20);
        store.add(1, "b", 2);
        store.isFull = false;
        store.openings.clear();
        store.run(1000);
        LogKey before = new LogKey(1, new FencingToken(1, 1, 1));
        LogKey now = new LogKey(1, new FencingToken(1, 1, 2));
        assertEquals(List.of(List.of(now), List.of(before)), store.openings);
        assertEquals(
                List.of("b stored", "a OUTCOME_UNKNOWN"),
                store.told.stream().sorted(Comparator.reverseOrder()).toList());
    }
}
