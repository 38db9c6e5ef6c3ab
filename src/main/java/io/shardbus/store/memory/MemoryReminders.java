package io.shardbus.store.memory;

import io.shardbus.persistence.spi.ReminderStore;
import io.vertx.core.Future;
import java.util.List;

/** Reminders of a {@link MemoryStore}. */
final class MemoryReminders implements ReminderStore {
    private final MemoryStore store;
    private final MemoryLogs logs;

    MemoryReminders(MemoryStore store, MemoryLogs logs) {
        this.store = store;
        this.logs = logs;
    }

    @Override
    public Future<List<Reminder>> first(int type, List<Integer> parts, int limit) {
        return store.answer(() -> logs.reminders(type, parts, limit));
    }

    @Override
    public Future<List<Reminder>> of(int type, String id) {
        return store.answer(() -> logs.reminders(type, id));
    }

    @Override
    public Future<Void> settle(int type, List<Settled> settled) {
        return store.answer(() -> {
                    logs.settle(type, settled);
                    return true;
                })
                .mapEmpty();
    }
}
