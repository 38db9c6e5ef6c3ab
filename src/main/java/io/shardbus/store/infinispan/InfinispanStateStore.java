package io.shardbus.store.infinispan;

import io.shardbus.model.TermRecord;
import io.shardbus.spi.StateStore;
import io.shardbus.store.IncompatibleRecordException;
import io.shardbus.store.TermRecordCodec;
import io.shardbus.store.UnreadableRecordException;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.marshall.core.MarshallableFunctions;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryCreated;
import org.infinispan.notifications.cachelistener.annotation.CacheEntryModified;
import org.infinispan.notifications.cachelistener.event.CacheEntryCreatedEvent;
import org.infinispan.notifications.cachelistener.event.CacheEntryModifiedEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store on the caches of a cluster, replicated to every member, in memory: it lasts as long as one member does. The
 * side of a split that has no majority of the last stable members can neither read nor write.
 *
 * <p>Cache calls run on a few threads of the store's own. Futures complete on one of those, on a thread of Infinispan
 * or on a timer thread: callbacks must not block. The cache manager belongs to the caller and must run from before
 * {@link #start} until after {@link #close}.
 */
public final class InfinispanStateStore implements StateStore {
    /** Timeout of one operation, the wait for a free thread included. */
    public static final Duration DEFAULT_OPERATION_TIMEOUT = Duration.ofSeconds(3);

    /** Joining a cache waits for its content; after a crash that may take until the crash is noticed. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final byte[] KEY = "term".getBytes(StandardCharsets.UTF_8);

    private static final Logger LOG = LoggerFactory.getLogger(InfinispanStateStore.class);

    private final EmbeddedCacheManager manager;
    private final Duration remoteTimeout;
    private final Duration operationTimeout;
    private final CacheCalls calls = new CacheCalls("shardbus-store");
    private final ReplicaEvents events = new ReplicaEvents();
    private volatile @Nullable Caches caches;
    private volatile Consumer<TermRecord> sighted = record -> {};

    /** The two views of the one cache: for writing, and for reading on the primary owner. */
    private record Caches(AdvancedCache<byte[], byte[]> cache, ReadWriteMap<byte[], byte[]> onPrimary) {
        static Caches of(AdvancedCache<byte[], byte[]> cache) {
            return new Caches(cache, ReadWriteMapImpl.create(FunctionalMapImpl.create(cache)));
        }
    }

    public InfinispanStateStore(EmbeddedCacheManager manager) {
        this(manager, TermCache.DEFAULT_REMOTE_TIMEOUT, DEFAULT_OPERATION_TIMEOUT);
    }

    /**
     * @param remoteTimeout how long a cache waits for the answers of other nodes, at least 1 ms
     * @param operationTimeout after how long an operation fails though the cache goes on; greater than
     *     {@code remoteTimeout}, or every slow answer is an unknown outcome
     */
    public InfinispanStateStore(EmbeddedCacheManager manager, Duration remoteTimeout, Duration operationTimeout) {
        this.manager = Objects.requireNonNull(manager, "manager");
        this.remoteTimeout = remoteTimeout;
        this.operationTimeout = operationTimeout;
        if (remoteTimeout.toMillis() < 1 || operationTimeout.compareTo(remoteTimeout) <= 0) {
            throw new IllegalArgumentException("operationTimeout (" + operationTimeout
                    + ") must be greater than remoteTimeout (" + remoteTimeout + "), and that at least 1 ms");
        }
    }

    @Override
    public Future<Void> start() {
        return calls.run("start", START_TIMEOUT, () -> {
            var started = Caches.of(TermCache.obtain(manager, remoteTimeout));
            started.cache().addListener(events);
            caches = started;
        });
    }

    @Override
    public void watchReplica(Consumer<TermRecord> watcher) {
        sighted = watcher;
    }

    /**
     * Reads with a functional command: it is carried out on the primary owner, and what changes nothing is not sent on
     * to the backups, so that a frozen backup does not hold it up. An identity {@code compute} would be a write.
     */
    @Override
    public Future<@Nullable TermRecord> readTerm() {
        return this.<Optional<byte[]>>call("readTerm", on -> on.onPrimary().eval(KEY, find()))
                .map(found -> found.map(TermRecordCodec::decode).orElse(null));
    }

    @Override
    public Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next) {
        var written = TermRecordCodec.encode(next);
        if (expected == null) {
            return call("replaceTerm", on -> on.cache().putIfAbsentAsync(KEY, written))
                    .map(Objects::isNull)
                    .compose(this::onlyIfSettled);
        }
        var replaced = TermRecordCodec.encode(expected);
        return call("replaceTerm", on -> on.cache().replaceAsync(KEY, replaced, written))
                .compose(this::onlyIfSettled);
    }

    /**
     * Infinispan writes without the members that have just left the view, and until it has counted those that remain, a
     * side without a majority does so too. What was written meanwhile may be lost: its outcome is unknown.
     */
    private Future<Boolean> onlyIfSettled(boolean written) {
        var started = caches;
        return !written || started != null && TermCache.isSettled(manager, started.cache())
                ? Future.succeededFuture(written)
                : Future.failedFuture(
                        new IllegalStateException("members were lost, and the cache has not dealt with it yet"));
    }

    @Override
    public Future<Void> close() {
        sighted = record -> {};
        caches = null;
        calls.close();
        return Future.succeededFuture();
    }

    private <T> Future<T> call(String name, CacheCall<T> call) {
        var started = caches;
        if (started == null) {
            return Future.failedFuture(new IllegalStateException(name + ": the store is not started, or closed"));
        }
        return calls.call(name, operationTimeout, () -> call.on(started));
    }

    /** Only passes the call on: Infinispan waits for it while it writes the entry. */
    @Listener
    final class ReplicaEvents {
        @CacheEntryCreated
        public void created(CacheEntryCreatedEvent<byte[], byte[]> event) {
            show(event.isPre(), event.getKey(), event.getValue());
        }

        @CacheEntryModified
        public void modified(CacheEntryModifiedEvent<byte[], byte[]> event) {
            show(event.isPre(), event.getKey(), event.getNewValue());
        }

        private void show(boolean before, byte[] key, byte @Nullable [] value) {
            if (!before && value != null && Arrays.equals(key, KEY)) {
                try {
                    sighted.accept(TermRecordCodec.decode(value));
                } catch (UnreadableRecordException | IncompatibleRecordException e) {
                    // thrown from here it would fail the write, which may be that of a cluster of another build
                    LOG.debug("this node's replica has a term record that it cannot read", e);
                }
            }
        }
    }

    @FunctionalInterface
    private interface CacheCall<T> {
        CompletionStage<T> on(Caches caches);
    }

    private static Function<ReadWriteEntryView<byte[], byte[]>, Optional<byte[]>> find() {
        return MarshallableFunctions.returnReadWriteFind();
    }
}
