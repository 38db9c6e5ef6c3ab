package io.shardbus.store;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Entries in the memory of one process, for tests and for a single node. */
public final class InMemoryLeaseEntries implements LeaseEntries {
    private final ConcurrentMap<String, String> entries = new ConcurrentHashMap<>();

    @Override
    public Future<Optional<String>> read(String key) {
        return Future.succeededFuture(Optional.ofNullable(entries.get(key)));
    }

    @Override
    public Future<Boolean> replace(String key, Optional<String> expected, Optional<String> next) {
        return Future.succeededFuture(apply(key, expected, next));
    }

    private boolean apply(String key, Optional<String> expected, Optional<String> next) {
        if (expected.isEmpty()) {
            return next.isEmpty() ? !entries.containsKey(key) : entries.putIfAbsent(key, next.get()) == null;
        }
        return next.isEmpty() ? entries.remove(key, expected.get()) : entries.replace(key, expected.get(), next.get());
    }
}
