package io.shardbus.reminder;

import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.runtime.reminder.DueReminders;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Worker that delivers the reminders of some parts of a type. After a round its one timer waits until the first
 * reminder is due, but at most 500 ms, because entities on other nodes may set earlier ones.
 */
final class ReminderWorker extends VerticleBase {
    static final long POLL_MS = 500;
    private static final long LONGEST_STOP_MS = 10_000;

    private final String type;
    private final DueReminders due;
    private final Promise<Void> finished = Promise.promise();
    private boolean stopping;
    private boolean isBusy;
    private long timer = -1;

    /** @param wall milliseconds since 1970 */
    ReminderWorker(
            String type,
            PersistenceStore store,
            List<Integer> parts,
            DueReminders.Delivery delivery,
            LongSupplier wall) {
        this.type = type;
        this.due = new DueReminders(
                type,
                store,
                known -> store.reminders().first(known, parts, DueReminders.MOST),
                delivery,
                wall,
                POLL_MS,
                () -> after(1));
    }

    @Override
    public Future<?> start() {
        Backlog.on(vertx).add(this, Backlog.Kind.REMINDERS, type, due::waiting);
        next();
        return Future.succeededFuture();
    }

    /** Waits up to 10 s for deliveries under way; the next worker repeats those that are not settled then. */
    @Override
    public Future<?> stop() {
        stopping = true;
        Backlog.on(vertx).remove(this);
        after(1);
        return finished.future()
                .timeout(LONGEST_STOP_MS, TimeUnit.MILLISECONDS)
                .otherwiseEmpty()
                .onComplete(ended -> {
                    finished.tryComplete();
                    vertx.cancelTimer(timer);
                });
    }

    /** Runs a round; after a failure, also one that is thrown, the next round follows. */
    private void next() {
        boolean isLast = stopping;
        isBusy = true;
        Future.succeededFuture().compose(now -> isLast ? finish() : due.round()).onComplete(ended -> {
            isBusy = false;
            if (ended.failed()) {
                due.warn("a worker of reminders waits for its store", ended.cause());
                after(POLL_MS);
            } else {
                after(due.hasAnswers() || stopping != isLast ? 1 : ended.result());
            }
        });
    }

    private Future<Long> finish() {
        return due.finish().map(isDone -> {
            if (isDone) {
                finished.tryComplete();
            }
            return POLL_MS;
        });
    }

    private void after(long millis) {
        if (isBusy || finished.future().isComplete()) {
            return;
        }
        vertx.cancelTimer(timer);
        timer = vertx.setTimer(millis, fired -> next());
    }
}
