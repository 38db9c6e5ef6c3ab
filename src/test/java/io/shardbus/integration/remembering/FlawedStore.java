package io.shardbus.integration.remembering;

import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A store in memory that fails in one of several ways while it is told to. What is late holds up what comes after it,
 * as the port demands.
 */
final class FlawedStore implements RememberedEntitiesStore {
    /** How operations go. */
    enum Flaw {
        NONE,
        NO_ANSWER,
        ERROR,
        THROWN,
        NO_FUTURE,
        NULL_ID,
        ENDED,
        LATE,
        VERY_LATE
    }

    private final Vertx vertx;
    private final InMemoryRememberedEntities content;
    private final InMemoryRememberedEntities ended;
    private volatile Flaw flaw = Flaw.NONE;
    private Future<?> last = Future.succeededFuture();

    FlawedStore(Vertx vertx) {
        this.vertx = vertx;
        this.content = new InMemoryRememberedEntities();
        this.ended = new InMemoryRememberedEntities(content);
        ended.close();
    }

    void fail(Flaw how) {
        flaw = how;
    }

    void repair() {
        flaw = Flaw.NONE;
    }

    @SuppressWarnings("NullAway")
    private <T> Future<T> flawed(Supplier<Future<T>> operation, Supplier<Future<T>> atItsEnd) {
        return switch (flaw) {
            case NONE -> inOrder(operation);
            case NO_ANSWER -> Promise.<T>promise().future();
            case ERROR -> Future.failedFuture("the store fails");
            case THROWN -> throw new IllegalStateException("the store fails");
            case NO_FUTURE -> null;
            case NULL_ID -> inOrder(operation).map(FlawedStore::withNull);
            case ENDED -> atItsEnd.get();
            case LATE -> inOrder(() -> vertx.timer(200).compose(fired -> operation.get()));
            case VERY_LATE -> inOrder(() -> vertx.timer(600).compose(fired -> operation.get()));
        };
    }

    /** A set with null among its elements; fails where the answer is no set. */
    @SuppressWarnings("unchecked")
    private static <T> T withNull(T answer) {
        Set<Object> flawed = new HashSet<>((Set<Object>) answer);
        flawed.add(null);
        return (T) flawed;
    }

    private synchronized <T> Future<T> inOrder(Supplier<Future<T>> operation) {
        Future<T> mine = last.transform(done -> operation.get());
        last = mine;
        return mine;
    }

    @Override
    public Future<Void> start() {
        return content.start();
    }

    @Override
    public Future<Set<String>> open(String type, int shard, FencingToken token) {
        return flawed(() -> content.open(type, shard, token), () -> ended.open(type, shard, token));
    }

    @Override
    public Future<Void> update(String type, int shard, FencingToken token, Set<String> added, Set<String> removed) {
        return flawed(
                () -> content.update(type, shard, token, added, removed),
                () -> ended.update(type, shard, token, added, removed));
    }

    @Override
    public Future<Set<Integer>> shards(String type) {
        return flawed(() -> content.shards(type), () -> ended.shards(type));
    }

    @Override
    public Future<Long> removeType(String type) {
        return content.removeType(type);
    }

    @Override
    public Future<Void> close() {
        return content.close();
    }
}
