package io.shardbus.store;

import io.shardbus.model.TermRecord;
import io.shardbus.spi.StateStore;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A store in the memory of one process, for tests and for a single node. Nodes of one process that are given the same
 * instance agree on its content. It answers at once, on the caller's thread, and never fails. Closing it does nothing,
 * because other nodes may still use it.
 */
public final class InMemoryStateStore implements StateStore {
    private final AtomicReference<@Nullable TermRecord> term = new AtomicReference<>();

    @Override
    public Future<Void> start() {
        return Future.succeededFuture();
    }

    @Override
    public Future<@Nullable TermRecord> readTerm() {
        return Future.succeededFuture(term.get());
    }

    @Override
    public Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next) {
        Objects.requireNonNull(next, "next");
        var current = term.get();
        while (Objects.equals(current, expected)) {
            if (term.compareAndSet(current, next)) {
                return Future.succeededFuture(true);
            }
            current = term.get();
        }
        return Future.succeededFuture(false);
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
