package io.shardbus.testkit;

import static io.shardbus.testkit.StoreProbe.check;
import static io.shardbus.testkit.StoreProbe.event;
import static io.shardbus.testkit.StoreProbe.result;
import static io.shardbus.testkit.StoreProbe.same;

import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoredType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Random histories of one log: two homes in two processes open it in turn, append at right and wrong ends, several at a
 * time, while the other one takes over; a reader reads on. A model says what each call answers, or which of two
 * outcomes agree.
 */
final class StoreHistories {
    private static final int STEPS = 12;
    private static final int IDS = 3;

    private final StoreProbe probe;
    private final Draws random;
    private final List<EventRow> stored = new ArrayList<>();
    private final List<ReadRow> read = new ArrayList<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final int shard;
    private final List<StoreHome> nodes;
    private final StoreHome[] homes = new StoreHome[2];
    private long term = 1;
    private @Nullable StoreHome owner;

    private StoreHistories(StoreProbe probe, List<StoreHome> nodes, int shard) {
        this.probe = probe;
        this.nodes = nodes;
        this.random = new Draws(shard);
        this.shard = shard;
        for (int place = 0; place < homes.length; place++) {
            homes[place] = nodes.get(place).as(shard, term++);
        }
    }

    static void run(StoreProbe probe, int histories) {
        StoredType type = probe.events();
        PersistenceStore other = probe.open();
        List<StoreHome> nodes = List.of(probe.home(type, 0, 1), probe.home(other, type, 0, 1));
        for (int seed = 1; seed <= histories; seed++) {
            try {
                new StoreHistories(probe, nodes, seed).run();
            } catch (AssertionError e) {
                throw new AssertionError("history " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private void run() {
        takeOver(homes[1]);
        for (int step = 0; step < STEPS; step++) {
            int place = homes[0].openings() == 0 ? 1 : random.nextInt(homes.length);
            switch (random.nextInt(6)) {
                case 0 -> takeOver(newHome(place));
                case 1 -> reopen(homes[place]);
                case 2 -> readOn(random.nextInt(4) + 1);
                case 3 -> takeOverMeanwhile(homes[place], newHome(1 - place));
                default -> append(homes[place]);
            }
        }
        readOn(Integer.MAX_VALUE - 1);
        same(stored.size(), read.size(), "rows that the reader has seen");
    }

    /** A newer token on the same node. */
    private StoreHome newHome(int place) {
        StoreHome home = nodes.get(place).as(shard, term++);
        homes[place] = home;
        return home;
    }

    private void takeOver(StoreHome home) {
        home.opened();
        same((long) stored.size(), home.end(), "end at the opening");
        owner = home;
    }

    private void reopen(StoreHome home) {
        boolean opened = home.open();
        same(home == owner, opened, "an opening by a home");
    }

    /** One to three batches under way at once, perhaps at a wrong end. */
    private void append(StoreHome home) {
        boolean isOwner = home == owner;
        int wrong = random.nextInt(4) == 0 ? 1 : 0;
        List<EventRow[]> batches = batches(stored.size() + wrong);
        List<CompletableFuture<Set<Integer>>> answers = begin(home, batches);
        for (int batch = 0; batch < answers.size(); batch++) {
            boolean isStored = home.stored(result(answers.get(batch)));
            same(isOwner && wrong == 0, isStored, "an append by a home");
            if (isStored) {
                keep(batches.get(batch));
            }
        }
    }

    /** The stored batches are the first ones, without a gap, and the new home sees exactly these. */
    private void takeOverMeanwhile(StoreHome home, StoreHome next) {
        List<EventRow[]> batches = batches(stored.size());
        List<CompletableFuture<Set<Integer>>> answers = begin(home, batches);
        CompletableFuture<List<OpenedLog>> opening = next.beginOpen();
        boolean wasStored = home == owner;
        for (int batch = 0; batch < answers.size(); batch++) {
            boolean isStored = home.stored(result(answers.get(batch)));
            check(wasStored || !isStored, "stored behind a refused append, or by a home that lost the log");
            wasStored = isStored;
            if (isStored) {
                keep(batches.get(batch));
            }
        }
        check(next.opened(result(opening)), "the newer home did not open the log");
        same((long) stored.size(), next.end(), "end that the newer home saw");
        owner = next;
    }

    private List<EventRow[]> batches(long end) {
        Map<String, Long> ahead = new HashMap<>(sequences);
        List<EventRow[]> batches = new ArrayList<>();
        long position = end;
        int count = random.nextInt(3) + 1;
        for (int batch = 0; batch < count; batch++) {
            EventRow[] rows = new EventRow[random.nextInt(3) + 1];
            for (int row = 0; row < rows.length; row++) {
                String id = "entity-" + shard + "-" + random.nextInt(IDS);
                rows[row] = event(id, ahead.merge(id, 1L, Long::sum), ++position);
            }
            batches.add(rows);
        }
        return batches;
    }

    private static List<CompletableFuture<Set<Integer>>> begin(StoreHome home, List<EventRow[]> batches) {
        List<CompletableFuture<Set<Integer>>> answers = new ArrayList<>();
        for (EventRow[] rows : batches) {
            answers.add(home.beginAppend(rows[0].position() - 1, rows));
        }
        return answers;
    }

    private void keep(EventRow... rows) {
        for (EventRow row : rows) {
            stored.add(row);
            sequences.put(row.id(), row.sequence());
        }
    }

    private void readOn(int limit) {
        StoreHome home = owner;
        if (home == null) {
            return;
        }
        List<ReadRow> rows = probe.await(() -> probe.reader().read(List.of(new From(home.log(), read.size())), limit))
                .getOrDefault(home.log(), List.of());
        same(Math.min(limit, stored.size() - read.size()), rows.size(), "rows behind " + read.size());
        for (ReadRow row : rows) {
            EventRow expected = stored.get(read.size());
            same(expected.position(), row.position(), "position");
            same(expected.id(), row.id(), "id");
            same(expected.sequence(), row.sequence(), "sequence number");
            same(String.valueOf(expected.payload()), String.valueOf(row.payload()), "payload");
            read.add(row);
        }
    }

    /** Numbers that follow from a seed, the same on every machine. */
    private static final class Draws {
        private static final long STEP = 0x9E3779B97F4A7C15L;
        private long state;

        Draws(long seed) {
            this.state = seed;
        }

        int nextInt(int bound) {
            state += STEP;
            long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return (int) Math.floorMod(mixed ^ (mixed >>> 31), (long) bound);
        }
    }
}
