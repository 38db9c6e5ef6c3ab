package io.shardbus.core.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.persistence.CommitBatch.Part;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One random history of a lane's commits and a store that answers late, loses connections, carries statements out after
 * their connection was lost, refuses rows, gives logs to other homes, and loses stored rows. After each step the logs
 * hold each entity's rows without a gap or a double, and each commit was told the truth.
 */
final class CommitHistory implements CommitPort<CommitHistory.Row> {
    private static final int SHARDS = 3;
    private static final int ENTITIES = 4;
    private static final FencingToken OURS = new FencingToken(1, 1, 1);

    private final Random random;
    private final List<Log> logs = new ArrayList<>();
    private final ArrayDeque<Call> calls = new ArrayDeque<>();
    private final List<Call> late = new ArrayList<>();
    private final Map<String, Entity> entities = new HashMap<>();
    private final List<Write> writes = new ArrayList<>();
    private final CommitQueue<Row> queue;
    private boolean mayRegress;
    /** Whether an entity that is told may have others decide. */
    private boolean mayAnswerAdd = true;

    private long now;
    int stored;
    int unknown;
    int regressions;

    /** A row of an entity, and of which write. */
    record Row(long write, String id, long sequence, boolean isPoison) {}

    /** What the store has of a shard. */
    private static final class Log {
        final List<Row> rows = new ArrayList<>();
        FencingToken token = OURS;
        long opening;
    }

    /** A statement: openings, or a batch. */
    private record Call(
            @Nullable List<LogKey> openings, @Nullable CommitBatch<Row> batch) {}

    private static final class Entity {
        final LogKey key;
        final String id;
        long number;
        long generation = -1;
        boolean isBusy;

        Entity(LogKey key, String id) {
            this.key = key;
            this.id = id;
        }
    }

    /** A commit that checks what it is told. */
    final class Write extends Commit<Row> {
        private final Entity entity;
        private boolean isSettled;
        private boolean isForbidden;

        Write(Entity entity, List<Row> rows) {
            super(entity.id, rows, 10 * rows.size());
            this.entity = entity;
        }

        private boolean isInLog() {
            return logs.get(entity.key.shard()).rows.containsAll(rows());
        }

        @Override
        protected void stored() {
            settle();
            assertTrue(isInLog(), "what is said to be stored is in the log");
            entity.number += rows().size();
            stored++;
            addFromAnswer();
        }

        @Override
        protected void failed(FailureCode code, String reason) {
            settle();
            entity.generation = -1;
            if (code == FailureCode.OUTCOME_UNKNOWN) {
                unknown++;
            } else {
                isForbidden = true;
                assertFalse(isInLog(), () -> "what is said not to be stored is not in the log: " + code + " " + reason);
            }
            addFromAnswer();
        }

        private void settle() {
            assertFalse(isSettled, "a commit is told its outcome once");
            isSettled = true;
            entity.isBusy = false;
        }
    }

    CommitHistory(long seed) {
        this.random = new Random(seed);
        this.mayRegress = random.nextInt(3) == 0;
        for (int shard = 0; shard < SHARDS; shard++) {
            logs.add(new Log());
            for (int i = 0; i < ENTITIES; i++) {
                String id = shard + "-" + i;
                entities.put(id, new Entity(new LogKey(shard, OURS), id));
            }
        }
        this.queue = new CommitQueue<>(this, new CommitSettings(2, 5, 100, 150, 10_000, 50, 2000));
    }

    /** Random steps, then a store without faults until all is settled. */
    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
        mayRegress = false;
        mayAnswerAdd = false;
        for (int i = 0; i < 500 && !(queue.isIdle() && calls.isEmpty()); i++) {
            now += 2000;
            answer();
            queue.flush(now);
        }
        assertTrue(queue.isIdle(), "all commits are settled once the store answers again");
        for (Write write : writes) {
            assertTrue(write.isSettled, "a commit without an outcome");
        }
    }

    private void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 4, 5 -> command();
            case 6, 7, 8, 9, 10 -> answer();
            case 11 -> {
                if (random.nextInt(4) == 0) {
                    loseConnection();
                }
            }
            case 12 -> fail(StoreTrouble.REPEAT);
            case 13 -> now += random.nextInt(3000);
            case 14 -> {
                if (!late.isEmpty()) {
                    execute(late.remove(0));
                }
            }
            default -> {
                if (random.nextInt(40) == 0) {
                    logs.get(random.nextInt(SHARDS)).token = new FencingToken(1, 1, 2);
                }
            }
        }
        queue.flush(now);
    }

    /** An entity decides on what it has read, as soon as it may. */
    private void command() {
        Entity entity = entities.get(random.nextInt(SHARDS) + "-" + random.nextInt(ENTITIES));
        if (entity.isBusy) {
            return;
        }
        if (entity.generation != queue.generation(entity.key)) {
            if (queue.refusal(entity.key) != null || !queue.isReadable(entity.key, entity.id)) {
                return;
            }
            entity.generation = queue.generation(entity.key);
            entity.number = logs.get(entity.key.shard()).rows.stream()
                    .filter(row -> row.id().equals(entity.id))
                    .count();
        }
        entity.isBusy = true;
        List<Row> rows = new ArrayList<>();
        boolean isPoison = random.nextInt(25) == 0;
        int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 8 : 2);
        for (int i = 1; i <= count; i++) {
            rows.add(new Row(writes.size(), entity.id, entity.number + i, isPoison));
        }
        Write write = new Write(entity, rows);
        writes.add(write);
        queue.add(entity.key, write);
    }

    /** What an entity does after a command may reach others of its lane at once, and have their commits sent. */
    private void addFromAnswer() {
        if (mayAnswerAdd && random.nextInt(4) == 0) {
            command();
            if (random.nextBoolean()) {
                queue.flush(now);
            }
        }
    }

    private void answer() {
        Call call = calls.poll();
        if (call == null) {
            return;
        }
        List<LogKey> openings = call.openings();
        if (openings != null) {
            for (LogKey key : openings) {
                Log log = logs.get(key.shard());
                if (raise(key)) {
                    queue.opened(key, key.shard() + 1, log.opening, log.rows.size(), now);
                } else {
                    queue.superseded(key, "another home", now);
                }
            }
            return;
        }
        CommitBatch<Row> batch = call.batch();
        if (isPoisoned(batch)) {
            queue.appendFailed(batch, StoreTrouble.ROW_REFUSED, "a row is refused", now);
        } else {
            queue.appended(batch, store(batch), now);
        }
    }

    private static boolean isPoisoned(CommitBatch<Row> batch) {
        return batch.parts().stream()
                .flatMap(part -> part.commits().stream())
                .flatMap(commit -> commit.rows().stream())
                .anyMatch(Row::isPoison);
    }

    private boolean raise(LogKey key) {
        Log log = logs.get(key.shard());
        if (log.token.isNewerThan(key.token())) {
            return false;
        }
        log.opening++;
        return true;
    }

    private Set<Integer> store(CommitBatch<Row> batch) {
        Set<Integer> taken = new HashSet<>();
        for (Part<Row> part : batch.parts()) {
            Log log = logs.get(part.key().shard());
            boolean isCurrent = log.token.equals(part.key().token())
                    && log.opening == part.opening()
                    && log.rows.size() == part.end();
            if (isCurrent) {
                taken.add(part.log());
                part.commits().forEach(commit -> store(log, commit));
            }
        }
        return taken;
    }

    private static void store(Log log, Commit<Row> commit) {
        assertFalse(((Write) commit).isForbidden, "stored after its sender was told that it was not");
        for (Row row : commit.rows()) {
            long before = log.rows.stream()
                    .filter(earlier -> earlier.id().equals(row.id()))
                    .count();
            assertEquals(before + 1, row.sequence(), "the rows of an entity follow each other");
            log.rows.add(row);
        }
    }

    private void execute(Call call) {
        List<LogKey> openings = call.openings();
        if (openings != null) {
            openings.forEach(this::raise);
        } else if (!isPoisoned(call.batch())) {
            store(call.batch());
        }
    }

    /** Some of the calls have taken effect, some do later, some never; none is answered. */
    private void loseConnection() {
        List<Call> lost = List.copyOf(calls);
        calls.clear();
        int executed = random.nextInt(lost.size() + 1);
        lost.subList(0, executed).forEach(this::execute);
        late.addAll(lost.subList(executed, executed + random.nextInt(lost.size() - executed + 1)));
        if (mayRegress && random.nextInt(3) == 0) {
            late.clear();
            Log log = logs.get(random.nextInt(SHARDS));
            int kept = random.nextInt(log.rows.size() + 1);
            while (kept > 0
                    && kept < log.rows.size()
                    && log.rows.get(kept - 1).write() == log.rows.get(kept).write()) {
                kept--; // a store loses transactions as a whole
            }
            regressions += kept < log.rows.size() ? 1 : 0;
            log.rows.subList(kept, log.rows.size()).clear();
        }
        lost.forEach(call -> failed(call, StoreTrouble.UNREACHABLE));
    }

    private void fail(StoreTrouble trouble) {
        Call call = calls.poll();
        if (call != null) {
            failed(call, trouble);
        }
    }

    private void failed(Call call, StoreTrouble trouble) {
        List<LogKey> openings = call.openings();
        if (openings != null) {
            queue.openFailed(openings, StoreTrouble.UNREACHABLE, "no answer", now);
        } else {
            queue.appendFailed(call.batch(), trouble, "no answer", now);
        }
    }

    @Override
    public void open(List<LogKey> wanted) {
        assertNotEquals(0, wanted.size());
        calls.add(new Call(wanted, null));
    }

    @Override
    public void append(CommitBatch<Row> batch) {
        calls.add(new Call(null, batch));
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
    public void threw(LogKey log, String id, Throwable failure) {
        throw new AssertionError(log + " " + id, failure);
    }

    @Override
    public void regressed(LogKey log, long confirmed, long end) {
        assertTrue(end < confirmed);
    }

    @Override
    public boolean isHosted(LogKey log) {
        return true;
    }

    @Override
    public void wakeAt(long moment) {}
}
