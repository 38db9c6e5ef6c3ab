package io.shardbus.delivery;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;

/** A store in memory that keeps back the answer to an append that it has stored. */
final class HeldStore implements PersistenceStore {
    private final MemoryStore store = MemoryStore.create();
    private final AtomicReference<Promise<Void>> next = new AtomicReference<>();

    private final Promise<Object> answer = Promise.promise();

    /** The next append is stored, and its writer never hears of it; completes when it is stored. */
    Future<Void> holdNext() {
        Promise<Void> stored = Promise.promise();
        next.set(stored);
        return stored.future();
    }

    /** The writer hears that its answer is lost. */
    void release() {
        answer.fail(new StoreException(StoreException.Kind.UNREACHABLE, "the answer was kept back"));
    }

    @Override
    public StoreConnection connect(Context lane) {
        StoreConnection connection = store.connect(lane);
        return (StoreConnection) Proxy.newProxyInstance(
                StoreConnection.class.getClassLoader(),
                new Class<?>[] {StoreConnection.class},
                (proxy, method, arguments) -> {
                    Promise<Void> held = method.getName().equals("append") ? next.getAndSet(null) : null;
                    Object result = method.invoke(connection, arguments);
                    if (held == null) {
                        return result;
                    }
                    ((Future<?>) result).<Void>mapEmpty().onComplete(held);
                    return answer.future();
                });
    }

    @Override
    public ReminderStore reminders() {
        return store.reminders();
    }

    @Override
    public Future<StoreIdentity> start() {
        return store.start();
    }

    @Override
    public Future<StoredType> register(TypeSpec type) {
        return store.register(type);
    }

    @Override
    public EventReader reader() {
        return store.reader();
    }

    @Override
    public OffsetStore offsets() {
        return store.offsets();
    }

    @Override
    public String name() {
        return "held " + store.name();
    }

    @Override
    public Future<Void> close() {
        return store.close();
    }
}
