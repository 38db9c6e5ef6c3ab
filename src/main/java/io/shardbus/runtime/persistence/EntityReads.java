package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.LogKey;
import io.shardbus.core.persistence.ReadOrder;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.entity.HostedContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The entities of a lane that are to be read: those whose logs are open, in batches, and so many batches at a time that
 * other work of the lane is not held up; those for which messages wait come first, by {@link ReadOrder}.
 */
final class EntityReads<L> {
    private static final int BATCH = 64;
    /** Batch size of ids whose read has failed once; after a second failure an id is read alone. */
    private static final int SMALL_BATCH = 8;

    private final LaneLogs<?, L> logs;
    private final int batchesAtOnce;
    private final Map<LogKey, List<Reading<L>>> waiting = new HashMap<>();
    private final ReadOrder<Reading<L>> ready = new ReadOrder<>();
    private int underWay;

    private record Reading<L>(LogKey key, String id, HostedContext of, Promise<L> promise, Attempts attempts) {
        int batch() {
            return switch (attempts.failures()) {
                case 0 -> BATCH;
                case 1 -> SMALL_BATCH;
                default -> 1;
            };
        }
    }

    /** @param batchesAtOnce batches that may be under way */
    EntityReads(LaneLogs<?, L> logs, int batchesAtOnce) {
        this.logs = logs;
        this.batchesAtOnce = batchesAtOnce;
    }

    Future<L> add(LogKey key, String id, HostedContext of) {
        var reading = new Reading<L>(key, id, of, Promise.promise(), new Attempts());
        waiting.computeIfAbsent(key, first -> new ArrayList<>()).add(reading);
        look(key);
        return reading.promise().future();
    }

    /** The log has opened, has failed, or has confirmed something. */
    void look(LogKey key) {
        List<Reading<L>> of = waiting.remove(key);
        if (of == null) {
            return;
        }
        CodedFailure refusal = logs.refusal(key);
        if (refusal != null) {
            of.forEach(reading -> reading.promise().tryFail(refusal));
            return;
        }
        List<Reading<L>> later = new ArrayList<>();
        for (Reading<L> reading : of) {
            if (logs.isReadable(key, reading.id())) {
                LaneLogs.inTurn(ready, reading, reading.of());
            } else {
                later.add(reading);
            }
        }
        if (!later.isEmpty()) {
            waiting.merge(key, later, (there, more) -> {
                there.addAll(more);
                return there;
            });
        }
    }

    /** Reads what can be read. */
    void flush() {
        while (underWay < batchesAtOnce && !ready.isEmpty()) {
            List<Reading<L>> batch = new ArrayList<>();
            Set<String> ids = new HashSet<>();
            int most = BATCH;
            while (!ready.isEmpty()
                    && batch.size() < Math.min(most, ready.next().batch())) {
                Reading<L> next = ready.take();
                next.of().whenWanted(null);
                CodedFailure refusal = logs.refusal(next.key());
                if (refusal != null) {
                    next.promise().tryFail(refusal);
                } else if (!logs.isReadable(next.key(), next.id()) || !ids.add(next.id())) {
                    putBack(next);
                } else {
                    batch.add(next);
                    most = Math.min(most, next.batch());
                }
            }
            if (batch.isEmpty()) {
                return;
            }
            underWay++;
            logs.read(batch.stream().map(Reading::id).toList()).onComplete(result -> {
                if (result.succeeded()) {
                    logs.readSucceeded();
                    succeeded(batch, result.result());
                } else {
                    logs.readFailed(result.cause());
                    batch.forEach(reading -> reading.attempts()
                            .failed(logs, result.cause(), reading.promise()::tryFail, () -> again(reading)));
                    ended();
                }
            });
        }
    }

    private void ended() {
        underWay--;
        lookAll();
        flush();
    }

    /**
     * Gives each entity what was read of it; those behind the end of a full answer are read again. The batch ends when
     * its entities have applied their events, so that no more answers are held than may be under way.
     */
    private void succeeded(List<Reading<L>> batch, List<L> read) {
        batch.subList(Math.min(read.size(), batch.size()), batch.size()).forEach(this::putBack);
        Iterator<L> rows = read.iterator();
        Iterator<Reading<L>> readings = batch.iterator();
        logs.replays().add(() -> {
            if (readings.hasNext() && rows.hasNext()) {
                complete(readings.next(), rows.next());
                return true;
            }
            logs.replays().add(() -> {
                ended();
                return false;
            });
            return false;
        });
    }

    /** What throws at one entity must not keep the others, nor the batch, from their ends. */
    private void complete(Reading<L> reading, L row) {
        try {
            reading.promise().tryComplete(row);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            logs.readFailed(e);
        }
    }

    private void again(Reading<L> reading) {
        putBack(reading);
        look(reading.key());
        flush();
    }

    private void putBack(Reading<L> reading) {
        waiting.computeIfAbsent(reading.key(), first -> new ArrayList<>()).add(reading);
    }

    private void lookAll() {
        List.copyOf(waiting.keySet()).forEach(this::look);
    }
}
