package io.shardbus.store;

import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembered entities in the memory of one process, for a single node, tests and the simulator. It answers at once, on
 * the caller's thread. Closing one node's store leaves the content to those that share it.
 */
public final class InMemoryRememberedEntities implements RememberedEntitiesStore {
    private final Map<Key, Content> contents;
    private volatile boolean closed;

    private record Key(String type, int shard) {}

    /** Of one shard: changed by the thread that holds its place in the map. */
    private record Content(FencingToken seen, Set<String> ids) {
        Content raised(Key key, FencingToken token) {
            if (seen.isNewerThan(token)) {
                throw new StaleTokenException(key.type(), key.shard(), seen, token);
            }
            return new Content(token, ids);
        }
    }

    public InMemoryRememberedEntities() {
        this.contents = new ConcurrentHashMap<>();
    }

    /** The store of one more node, with the same content. */
    public InMemoryRememberedEntities(InMemoryRememberedEntities shared) {
        this.contents = shared.contents;
    }

    @Override
    public Future<Void> start() {
        return answer(() -> null);
    }

    @Override
    public Future<Set<String>> open(String type, int shard, FencingToken token) {
        return answer(() -> {
            Set<String> found = new HashSet<>();
            contents.compute(new Key(type, shard), (key, present) -> {
                Content content = orEmpty(present).raised(key, token);
                found.addAll(content.ids());
                return content;
            });
            return found;
        });
    }

    @Override
    public Future<Void> update(String type, int shard, FencingToken token, Set<String> added, Set<String> removed) {
        return answer(() -> {
            contents.compute(new Key(type, shard), (key, present) -> {
                Content content = orEmpty(present).raised(key, token);
                content.ids().addAll(added);
                content.ids().removeAll(removed);
                return content;
            });
            return null;
        });
    }

    private static Content orEmpty(@Nullable Content present) {
        return present == null ? new Content(FencingToken.NONE, new HashSet<>()) : present;
    }

    @Override
    public Future<Set<Integer>> shards(String type) {
        return answer(() -> {
            Set<Integer> shards = new TreeSet<>();
            contents.keySet().stream()
                    .filter(key -> key.type().equals(type))
                    .forEach(key -> contents.computeIfPresent(key, (same, content) -> {
                        if (!content.ids().isEmpty()) {
                            shards.add(key.shard());
                        }
                        return content;
                    }));
            return shards;
        });
    }

    @Override
    public Future<Long> removeType(String type) {
        return answer(() -> {
            AtomicLong removed = new AtomicLong();
            contents.keySet().stream()
                    .filter(key -> key.type().equals(type))
                    .forEach(key -> contents.computeIfPresent(key, (same, content) -> {
                        removed.addAndGet(content.ids().size());
                        return null;
                    }));
            return removed.get();
        });
    }

    @Override
    public Future<Void> close() {
        closed = true;
        return Future.succeededFuture();
    }

    private <T extends @Nullable Object> Future<T> answer(Supplier<T> action) {
        if (closed) {
            return Future.failedFuture(new IllegalStateException("the store of remembered entities is closed"));
        }
        try {
            return Future.succeededFuture(action.get());
        } catch (StaleTokenException e) {
            return Future.failedFuture(e);
        }
    }
}
