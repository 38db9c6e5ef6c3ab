package io.shardbus.persistence;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoreLimits;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A store in memory whose way to it fails as a test says. */
final class UnsteadyStore implements PersistenceStore {
    private final MemoryStore store = MemoryStore.create();
    private volatile StoreLimits limits = StoreLimits.DEFAULT;
    private volatile boolean isCut;
    private volatile Loss loss = Loss.NONE;
    private volatile String failing = "";
    private volatile String throwing = "";
    private volatile int failures;
    private volatile Kind failure = Kind.UNREACHABLE;
    private volatile boolean refusesDeletion;
    private volatile boolean isHeld;
    private volatile @Nullable Kind failHeld;
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger openings = new AtomicInteger();

    /** What becomes of the next append. */
    enum Loss {
        NONE,
        /** It does not arrive. */
        CALL,
        /** It is stored, and its answer does not arrive. */
        ANSWER,
        /** The store refuses one of its rows. */
        ROW
    }

    MemoryStore behind() {
        return store;
    }

    /** No call arrives until it is cut no longer. */
    void cut(boolean now) {
        isCut = now;
    }

    /** Appends wait, and take effect in their order when they are held no longer. */
    void hold(boolean now) {
        isHeld = now;
        for (Runnable append = held.poll(); !now && append != null; append = held.poll()) {
            append.run();
        }
    }

    /** The appends that wait do not take effect, and fail so. */
    void failHeld(Kind how) {
        isHeld = false;
        failHeld = how;
        hold(false);
        failHeld = null;
    }

    void lose(Loss next) {
        loss = next;
    }

    /** The next calls of a method fail so. */
    void fail(String method, Kind how, int times) {
        failing = method;
        failure = how;
        failures = times;
    }

    /** The next call of a method throws. */
    void throwAt(String method) {
        throwing = method;
    }

    private void throwIfTold(String method) {
        if (method.equals(throwing)) {
            throwing = "";
            throw new IllegalStateException("the test says so");
        }
    }

    /** The next deletion finds the log opened anew. */
    void refuseDeletion() {
        refusesDeletion = true;
    }

    int openings() {
        return openings.get();
    }

    @Override
    public StoreConnection connect(Context lane) {
        StoreConnection connection = store.connect(lane);
        return (StoreConnection) Proxy.newProxyInstance(
                StoreConnection.class.getClassLoader(),
                new Class<?>[] {StoreConnection.class},
                (proxy, method, arguments) -> {
                    throwIfTold(method.getName());
                    if (isHeld && method.getName().equals("append")) {
                        Promise<Object> late = Promise.promise();
                        held.add(() -> {
                            Kind kind = failHeld;
                            if (kind != null) {
                                late.fail(new StoreException(kind, "the test says so"));
                                return;
                            }
                            try {
                                ((Future<?>) method.invoke(connection, arguments))
                                        .<Object>map(x -> x)
                                        .onComplete(late);
                            } catch (ReflectiveOperationException e) {
                                late.fail(e);
                            }
                        });
                        return late.future();
                    }
                    if (isCut) {
                        return failed(Kind.UNREACHABLE);
                    }
                    if (method.getName().equals("open")) {
                        openings.incrementAndGet();
                    }
                    int left = failures;
                    if (left > 0 && method.getName().equals(failing)) {
                        failures = left - 1;
                        return failed(failure);
                    }
                    if (refusesDeletion && method.getName().equals("delete")) {
                        refusesDeletion = false;
                        return Future.succeededFuture(false);
                    }
                    Loss now = method.getName().equals("append") ? loss : Loss.NONE;
                    if (now != Loss.NONE) {
                        loss = Loss.NONE;
                    }
                    if (now == Loss.CALL) {
                        return failed(Kind.UNREACHABLE);
                    }
                    if (now == Loss.ROW) {
                        return failed(Kind.ROW_REFUSED);
                    }
                    try {
                        Object answer = method.invoke(connection, arguments);
                        return now == Loss.ANSWER ? failed(Kind.UNREACHABLE) : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static <T> Future<T> failed(Kind kind) {
        return Future.failedFuture(new StoreException(kind, "the test says so"));
    }

    /** The events of an entity. */
    List<EventRow> events(StoredType type, String id) {
        return stored(type, id).events();
    }

    /** All of an entity. */
    LoadedEntity stored(StoredType type, String id) {
        return store.connect(null).load(type, List.of(id), 1000).result().get(0);
    }

    @Override
    public Future<StoreIdentity> start() {
        throwIfTold("start");
        return isCut ? failed(Kind.UNREACHABLE) : store.start();
    }

    @Override
    public Future<StoredType> register(TypeSpec type) {
        return isCut ? failed(Kind.UNREACHABLE) : store.register(type);
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
    public ReminderStore reminders() {
        return store.reminders();
    }

    @Override
    public StoreLimits limits() {
        return limits;
    }

    /** For how long commands wait from now on, of entities that start. */
    void patience(long millis) {
        limits = limits.withPatience(millis);
    }

    /** Of entities that start from now on. */
    void limits(StoreLimits next) {
        limits = next;
    }

    /** Appends that wait. */
    int held() {
        return held.size();
    }

    @Override
    public String name() {
        return "unsteady " + store.name();
    }

    @Override
    public Future<Void> close() {
        return store.close();
    }
}
