package io.shardbus.reminder;

import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.runtime.reminder.DueReminders;
import io.vertx.core.Vertx;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** The one worker of a type's reminders, on time that the simulator moves. */
public final class SimulatedReminderWorker {
    private final ReminderWorker worker;

    /** @param wall milliseconds since 1970 */
    public SimulatedReminderWorker(
            String type, PersistenceStore store, DueReminders.Delivery delivery, LongSupplier wall, Vertx vertx) {
        var all = IntStream.range(0, ReminderStore.PARTS).boxed().toList();
        this.worker = new ReminderWorker(type, store, all, delivery, wall);
        worker.init(vertx, vertx.getOrCreateContext());
    }

    public void start() {
        worker.start();
    }

    /** Begins to stop: what is under way goes on. */
    public void stop() {
        worker.stop();
    }
}
