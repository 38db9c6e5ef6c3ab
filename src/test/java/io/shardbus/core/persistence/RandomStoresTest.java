package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The commits of a lane against a store whose calls are delayed, lost before or after they took effect, and interrupted
 * by another home; in a random order from a seed.
 */
@DisplayName("The commits of a lane")
class RandomStoresTest {
    private static final int SHARDS = 3;
    private static final int SEEDS = 1000;
    private static final CommitSettings SETTINGS = new CommitSettings(2, 4, 1000, 10_000, 500, 50, 200);

    /** What the store has of a log. */
    private static final class Log {
        private FencingToken token = FencingToken.NONE;
        private long opening;
        private final List<String> rows = new ArrayList<>();
    }

    private static final class World implements CommitPort<String> {
        private final Random random;
        private final CommitQueue<String> queue = new CommitQueue<>(this, SETTINGS);
        private final Map<Integer, Log> logs = new LinkedHashMap<>();
        /** Calls of the connection, in order; each takes effect and is answered in one step. */
        private final Deque<Runnable> calls = new ArrayDeque<>();
        /** What was answered as stored, as not stored, and as unknown. */
        private final Set<String> stored = new HashSet<>();

        private final Set<String> refused = new HashSet<>();
        private final Set<String> unknown = new HashSet<>();
        private final Set<LogKey> superseded = new HashSet<>();
        private final Map<Integer, FencingToken> tokens = new HashMap<>();
        private long now;
        private int commits;
        private boolean isUnsteady = true;

        World(long seed) {
            random = new Random(seed);
        }

        Log log(int shard) {
            return logs.computeIfAbsent(shard, first -> new Log());
        }

        LogKey key(int shard) {
            return new LogKey(shard, tokens.computeIfAbsent(shard, first -> new FencingToken(1, 1, 1)));
        }

        void add() {
            int shard = random.nextInt(SHARDS);
            String name = shard + "/" + commits++;
            List<String> rows = new ArrayList<>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                rows.add(name + "#" + i);
            }
            queue.add(key(shard), new Commit<>("entity", rows, 10) {
                @Override
                protected void stored() {
                    assertTrue(stored.add(name), "answered once");
                    assertTrue(log(shard).rows.containsAll(rows), name + " is answered as stored and is not");
                    addFromAnswer();
                }

                @Override
                protected void failed(FailureCode code, String reason) {
                    assertTrue((code == FailureCode.OUTCOME_UNKNOWN ? unknown : refused).add(name), "answered once");
                    addFromAnswer();
                }
            });
        }

        /** What an entity does after a command may reach others of its lane at once, and have their commits sent. */
        private void addFromAnswer() {
            if (isUnsteady && random.nextInt(4) == 0) {
                add();
                if (random.nextBoolean()) {
                    queue.flush(now);
                }
            }
        }

        @Override
        public void open(List<LogKey> keys) {
            calls.add(() -> {
                if (isLost()) {
                    queue.openFailed(keys, StoreTrouble.UNREACHABLE, "lost", now);
                    return;
                }
                boolean isAnswered = !isLost();
                for (LogKey key : keys) {
                    Log log = log(key.shard());
                    if (!log.token.isNewerThan(key.token())) {
                        log.token = key.token();
                        log.opening++;
                    }
                }
                if (!isAnswered) {
                    queue.openFailed(keys, StoreTrouble.UNREACHABLE, "lost", now);
                    return;
                }
                for (LogKey key : keys) {
                    Log log = log(key.shard());
                    if (log.token.equals(key.token())) {
                        queue.opened(key, key.shard(), log.opening, log.rows.size(), now);
                    } else {
                        queue.superseded(key, "another home", now);
                    }
                }
            });
        }

        @Override
        public void append(CommitBatch<String> batch) {
            calls.add(() -> {
                if (isLost()) {
                    breakConnection(batch);
                    return;
                }
                boolean isAnswered = !isLost();
                boolean isRefused = isUnsteady && isAnswered && random.nextInt(20) == 0;
                if (isRefused) {
                    StoreTrouble trouble = random.nextBoolean() ? StoreTrouble.REPEAT : StoreTrouble.ROW_REFUSED;
                    queue.appendFailed(batch, trouble, "refused", now);
                    return;
                }
                Set<Integer> done = new HashSet<>();
                for (CommitBatch.Part<String> part : batch.parts()) {
                    Log log = log(part.key().shard());
                    boolean holds = log.token.equals(part.key().token()) && log.opening == part.opening();
                    if (holds && log.rows.size() == part.end()) {
                        part.commits().forEach(commit -> log.rows.addAll(commit.rows()));
                        done.add(part.log());
                    }
                }
                if (isAnswered) {
                    queue.appended(batch, done, now);
                } else {
                    breakConnection(batch);
                }
            });
        }

        /** All that is under way fails; what was sent may still arrive before the next opening. */
        private void breakConnection(CommitBatch<String> batch) {
            queue.appendFailed(batch, StoreTrouble.UNREACHABLE, "lost", now);
        }

        private boolean isLost() {
            return isUnsteady && random.nextInt(8) == 0;
        }

        @Override
        public void readable(LogKey log) {}

        @Override
        public void gaveUp(String reason) {}

        @Override
        public void troubled(boolean isTroubled) {}

        @Override
        public void superseded(LogKey log) {
            superseded.add(log);
        }

        @Override
        public void threw(LogKey log, String id, Throwable failure) {
            throw new AssertionError(log + " " + id, failure);
        }

        @Override
        public void regressed(LogKey log, long confirmed, long end) {
            throw new AssertionError("the store has lost nothing: " + confirmed + ", " + end);
        }

        @Override
        public boolean isHosted(LogKey log) {
            return true;
        }

        @Override
        public void wakeAt(long moment) {}

        void step() {
            now += random.nextInt(100);
            switch (random.nextInt(6)) {
                case 0, 1 -> add();
                case 2, 3, 4 -> answerOne();
                default -> queue.flush(now);
            }
            if (isUnsteady && random.nextInt(200) == 0) {
                // another home opens the log, and this one may get it again
                int shard = random.nextInt(SHARDS);
                Log log = log(shard);
                FencingToken next = new FencingToken(1, 1, log.token.sequence() + 1);
                log.token = next;
                log.opening++;
                if (random.nextBoolean()) {
                    tokens.put(shard, new FencingToken(1, 1, next.sequence() + 1));
                }
            }
        }

        private void answerOne() {
            Runnable call = calls.poll();
            if (call != null) {
                call.run();
            }
        }

        void calm() {
            isUnsteady = false;
            for (int i = 0; i < 200 && !(queue.isIdle() && calls.isEmpty()); i++) {
                now += 1000;
                queue.flush(now);
                while (!calls.isEmpty()) {
                    answerOne();
                }
            }
        }

        void judge() {
            assertTrue(queue.isIdle(), "something waits for ever");
            assertEquals(commits, stored.size() + refused.size() + unknown.size(), "each commit is answered");
            Set<String> rows = new HashSet<>();
            Set<String> names = new HashSet<>();
            for (Log log : logs.values()) {
                int before = -1;
                for (String row : log.rows) {
                    assertTrue(rows.add(row), row + " is stored twice");
                    String name = row.substring(0, row.indexOf('#'));
                    names.add(name);
                    int number = Integer.parseInt(name.substring(2));
                    assertTrue(number >= before, name + " is stored behind a later one");
                    before = number;
                }
            }
            assertTrue(names.containsAll(stored), "what was answered is stored");
            assertTrue(refused.stream().noneMatch(names::contains), "what was refused is not stored");
        }
    }

    @Test
    @DisplayName("are stored once if they are answered, and never if they are refused")
    void randomStores() {
        int stored = 0;
        int unknown = 0;
        int refused = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            var world = new World(seed);
            try {
                for (int i = 0; i < 150; i++) {
                    world.step();
                }
                world.calm();
                world.judge();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            stored += world.stored.size();
            unknown += world.unknown.size();
            refused += world.refused.size();
        }
        assertTrue(stored > SEEDS * 10, "most are stored: " + stored);
        assertTrue(unknown > 100 && refused > 100, "each outcome occurs: " + unknown + ", " + refused);
    }
}
