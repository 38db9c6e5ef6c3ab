package io.shardbus.store.infinispan;

import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.marshall.core.MarshallableFunctions;
import org.jspecify.annotations.Nullable;

/**
 * Texts in the cache of the term record, which only the side of a split with the majority may use. They are in the
 * memory of all members, and last as long as one member does. As for the term record, reads go to the primary owner,
 * and a write during which members were lost has an unknown outcome.
 */
public final class InfinispanRecords implements RecordStore {
    /** A node may be given thousands of shards at once, each with a lease of its own. */
    private static final int MOST_LEASES_WAITING = 100_000;

    private final EmbeddedCacheManager manager;
    private final CacheCalls calls;

    /** @param manager belongs to the caller, and must run as long as this is used */
    public InfinispanRecords(EmbeddedCacheManager manager) {
        this(manager, new CacheCalls("shardbus-records"));
    }

    private InfinispanRecords(EmbeddedCacheManager manager, CacheCalls calls) {
        this.manager = manager;
        this.calls = calls;
    }

    /** Records for the leases of shards, of which many may be read and written at once. */
    public static InfinispanRecords ofLeases(EmbeddedCacheManager manager) {
        return new InfinispanRecords(
                manager, new CacheCalls("shardbus-leases", MOST_LEASES_WAITING, MOST_LEASES_WAITING));
    }

    @Override
    public Future<@Nullable String> read(String name) {
        return this.<Optional<byte[]>>call(
                        "read " + name,
                        cache -> ReadWriteMapImpl.create(FunctionalMapImpl.create(cache))
                                .eval(bytes(name), find()))
                .map(found -> found.map(text -> new String(text, StandardCharsets.UTF_8))
                        .orElse(null));
    }

    @Override
    public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
        if (expected == null && next == null) {
            return read(name).map(Objects::isNull);
        }
        byte[] key = bytes(name);
        Future<Boolean> written;
        if (expected == null) {
            byte[] value = bytes(Objects.requireNonNull(next));
            written = this.<byte[]>call("create " + name, cache -> cache.putIfAbsentAsync(key, value))
                    .map(Objects::isNull);
        } else if (next == null) {
            written = call("remove " + name, cache -> cache.removeAsync(key, bytes(expected)));
        } else {
            written = call("replace " + name, cache -> cache.replaceAsync(key, bytes(expected), bytes(next)));
        }
        return written.compose(done -> done ? onlyIfSettled(name) : Future.succeededFuture(false));
    }

    private Future<Boolean> onlyIfSettled(String name) {
        return this.<Boolean>call(
                        "settle " + name,
                        cache -> CompletableFuture.completedFuture(TermCache.isSettled(manager, cache)))
                .compose(settled -> settled
                        ? Future.succeededFuture(true)
                        : Future.failedFuture(new IllegalStateException(
                                "members were lost, and the cache has not dealt with it yet")));
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

    private static Function<ReadWriteEntryView<byte[], byte[]>, Optional<byte[]>> find() {
        return MarshallableFunctions.returnReadWriteFind();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
