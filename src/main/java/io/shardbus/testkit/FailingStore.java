package io.shardbus.testkit;

import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.vertx.core.Future;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store of remembered entities that fails while the test wants it to. Any thread. */
final class FailingStore implements RememberedEntitiesStore {
    private final RememberedEntitiesStore store;
    private volatile @Nullable Throwable failure;

    FailingStore(RememberedEntitiesStore store) {
        this.store = store;
    }

    /** @param cause null: it works again */
    void failWith(@Nullable Throwable cause) {
        failure = cause;
    }

    private <T> Future<T> unlessFailing(Supplier<Future<T>> operation) {
        Throwable present = failure;
        return present == null ? operation.get() : Future.failedFuture(present);
    }

    @Override
    public Future<Void> start() {
        return unlessFailing(store::start);
    }

    @Override
    public Future<Set<String>> open(String type, int shard, FencingToken token) {
        return unlessFailing(() -> store.open(type, shard, token));
    }

    @Override
    public Future<Void> update(String type, int shard, FencingToken token, Set<String> added, Set<String> removed) {
        return unlessFailing(() -> store.update(type, shard, token, added, removed));
    }

    @Override
    public Future<Set<Integer>> shards(String type) {
        return unlessFailing(() -> store.shards(type));
    }

    @Override
    public Future<Long> removeType(String type) {
        return unlessFailing(() -> store.removeType(type));
    }

    @Override
    public Future<Void> close() {
        return store.close();
    }
}
