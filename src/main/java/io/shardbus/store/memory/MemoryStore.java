package io.shardbus.store.memory;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Store of persistent entities in the memory of this process, for tests and the simulator: everything is lost when the
 * process ends. Nodes that share the store use the same instance. It answers at once, on the caller's thread.
 */
public final class MemoryStore implements PersistenceStore {
    private static final AtomicLong MADE = new AtomicLong();

    private final MemoryOffsets offsets = new MemoryOffsets();
    private final MemoryLogs logs = new MemoryLogs(offsets);
    private final String id;
    private volatile boolean closed;

    private MemoryStore() {
        this.id = "memory-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet();
    }

    /** A store with nothing in it. */
    public static MemoryStore create() {
        return new MemoryStore();
    }

    @Override
    public Future<StoreIdentity> start() {
        return answer(() -> new StoreIdentity(id, Math.max(logs.highestTerm(), offsets.highestTerm())));
    }

    @Override
    public Future<StoredType> register(TypeSpec type) {
        return answer(() -> logs.register(type));
    }

    @Override
    public StoreConnection connect(Context lane) {
        return new MemoryConnection(this, logs);
    }

    @Override
    public EventReader reader() {
        return new MemoryReader(this, logs);
    }

    @Override
    public OffsetStore offsets() {
        return offsets;
    }

    @Override
    public ReminderStore reminders() {
        return new MemoryReminders(this, logs);
    }

    @Override
    public String name() {
        return id;
    }

    @Override
    public Future<Void> close() {
        closed = true;
        return Future.succeededFuture();
    }

    /** The answer of a store that is open. */
    <T> Future<T> answer(Supplier<T> call) {
        if (closed) {
            return Future.failedFuture(new StoreException(StoreException.Kind.UNREACHABLE, id + " is closed"));
        }
        try {
            return Future.succeededFuture(call.get());
        } catch (StoreException e) {
            return Future.failedFuture(e);
        }
    }
}
