package io.shardbus.store.infinispan;

import io.shardbus.store.LeaseEntries;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.marshall.core.MarshallableFunctions;

/**
 * Entries beside the term record, in the cache that only the side of a split with the majority may use. Read on the
 * primary owner, as the term record is, and for the same reasons.
 */
public final class InfinispanLeaseEntries implements LeaseEntries {
    /** A node may be given thousands of shards at once. */
    private static final int MOST_WAITING = 100_000;

    private final EmbeddedCacheManager manager;
    private final CacheCalls calls = new CacheCalls("shardbus-leases", MOST_WAITING, MOST_WAITING);

    public InfinispanLeaseEntries(EmbeddedCacheManager manager) {
        this.manager = manager;
    }

    @Override
    public Future<Optional<String>> read(String key) {
        return this.<Optional<byte[]>>call("read", cache -> onPrimary(cache).eval(bytes(key), find()))
                .map(found -> found.map(text -> new String(text, StandardCharsets.UTF_8)));
    }

    @Override
    public Future<Boolean> replace(String key, Optional<String> expected, Optional<String> next) {
        if (expected.isEmpty()) {
            return next.isEmpty()
                    ? read(key).map(Optional::isEmpty)
                    : call("create", cache -> cache.putIfAbsentAsync(bytes(key), bytes(next.get())))
                            .map(Objects::isNull);
        }
        byte[] before = bytes(expected.get());
        return next.isEmpty()
                ? call("remove", cache -> cache.removeAsync(bytes(key), before))
                : call("replace", cache -> cache.replaceAsync(bytes(key), before, bytes(next.get())));
    }

    /** Ends all calls; later ones fail. */
    public void close() {
        calls.close();
    }

    private <T> Future<T> call(String what, Function<AdvancedCache<byte[], byte[]>, CompletionStage<T>> call) {
        return calls.call(
                what,
                InfinispanStateStore.DEFAULT_OPERATION_TIMEOUT,
                () -> call.apply(TermCache.obtain(manager, TermCache.DEFAULT_REMOTE_TIMEOUT)));
    }

    private static ReadWriteMap<byte[], byte[]> onPrimary(AdvancedCache<byte[], byte[]> cache) {
        return ReadWriteMapImpl.create(FunctionalMapImpl.create(cache));
    }

    private static Function<ReadWriteEntryView<byte[], byte[]>, Optional<byte[]>> find() {
        return MarshallableFunctions.returnReadWriteFind();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
