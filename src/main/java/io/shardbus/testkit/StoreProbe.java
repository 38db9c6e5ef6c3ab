package io.shardbus.testkit;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.testkit.EventStoreContract.StoreFactory;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store under test with a type that no check used before, and two homes that write to it. */
final class StoreProbe implements AutoCloseable {
    private static final int SECONDS = 30;
    private static final int SHARDS = 16;
    private static final AtomicInteger NEXT = new AtomicInteger();

    final Vertx vertx = Vertx.vertx();
    private final StoreFactory factory;
    private final List<PersistenceStore> stores = new ArrayList<>();

    StoreProbe(StoreFactory factory) {
        this.factory = factory;
        open();
    }

    /** A store of another process. */
    PersistenceStore open() {
        PersistenceStore store = factory.open(vertx);
        stores.add(store);
        await(store::start);
        return store;
    }

    /** The store of this check. */
    PersistenceStore store() {
        return stores.get(0);
    }

    EventReader reader() {
        return store().reader();
    }

    OffsetStore offsets() {
        return store().offsets();
    }

    boolean breakConnections() {
        return factory.breakConnections();
    }

    /** A type that is not in the store. */
    TypeSpec newSpec(TypeSpec.Model model) {
        String name;
        do {
            name = "contract-" + NEXT.incrementAndGet();
        } while (find(name) != null);
        return new TypeSpec(name, model, SHARDS, "ids");
    }

    @Nullable
    Integer find(String name) {
        return await(() -> reader().type(name));
    }

    StoredType register(TypeSpec spec) {
        return await(() -> store().register(spec));
    }

    /** A type of events that is new in the store. */
    StoredType events() {
        return register(newSpec(TypeSpec.Model.EVENTS));
    }

    StoredType states() {
        return register(newSpec(TypeSpec.Model.STATE));
    }

    /** A home of a shard, with a connection of its own to the store of this check. */
    StoreHome home(StoredType type, int shard, long term) {
        return home(store(), type, shard, term);
    }

    StoreHome home(PersistenceStore store, StoredType type, int shard, long term) {
        return new StoreHome(this, store, type, shard, new FencingToken(term, 1, 1));
    }

    <T extends @Nullable Object> T await(Supplier<Future<T>> call) {
        return await(vertx.getOrCreateContext(), call);
    }

    /** Makes a call on a lane and waits for its answer. */
    <T extends @Nullable Object> T await(Context lane, Supplier<Future<T>> call) {
        return result(begin(lane, call));
    }

    /** Makes a call on a lane; what the store throws is its answer. */
    <T extends @Nullable Object> CompletableFuture<T> begin(Context lane, Supplier<Future<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        lane.runOnContext(ignored -> UserCode.call(call).onComplete(answer::complete, answer::completeExceptionally));
        return answer;
    }

    static <T extends @Nullable Object> T result(CompletableFuture<T> answer) {
        try {
            return answer.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The kind of failure with which a call was refused. */
    static StoreException.Kind refusal(CompletableFuture<?> answer) {
        Object found;
        try {
            found = result(answer);
        } catch (AssertionError e) {
            return kind(e);
        }
        throw new AssertionError("was not refused: " + found);
    }

    /** The kind of the store's failure. */
    static StoreException.Kind kind(AssertionError failed) {
        if (failed.getCause() instanceof StoreException refused) {
            return refused.kind();
        }
        throw failed;
    }

    static void same(Object expected, @Nullable Object found, String what) {
        if (!Objects.equals(expected, found)) {
            throw new AssertionError(what + ": expected " + expected + ", found " + found);
        }
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    /** An event with content that identifies it. */
    static EventRow event(String id, long sequence, long position) {
        return event(id, sequence, position, Buffer.buffer(id + "/" + sequence));
    }

    static EventRow event(String id, long sequence, long position, @Nullable Buffer payload) {
        return new EventRow(id, sequence, position, "added", 2, 7, payload, null, Set.of());
    }

    static StateRow state(String id, long revision, long position) {
        return new StateRow(id, revision, position, 2, 7, Buffer.buffer(id + "/" + revision), null);
    }

    @Override
    public void close() {
        stores.forEach(store -> await(store::close));
        CompletableFuture<Void> ended = new CompletableFuture<>();
        vertx.close().onComplete(ended::complete, ended::completeExceptionally);
        result(ended);
    }
}
