package io.shardbus.store.infinispan;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.infinispan.AdvancedCache;
import org.infinispan.context.Flag;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.marshall.core.MarshallableFunctions;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.jspecify.annotations.Nullable;

/** Buckets in a running cache. */
final class BucketCache {
    private static final byte[] LIFE = "life".getBytes(StandardCharsets.UTF_8);
    private static final int TAKEN_AT_ONCE = 128;
    private static final long TAKING_SECONDS = 30;

    private final EmbeddedCacheManager manager;
    private final AdvancedCache<byte[], byte[]> cache;
    /** All content is in memory: what is not there is not in the files either, and need not be looked for in them. */
    private final AdvancedCache<byte[], byte[]> inMemory;

    private final ReadWriteMap<byte[], byte[]> onPrimary;
    private final String life;

    private BucketCache(EmbeddedCacheManager manager, AdvancedCache<byte[], byte[]> cache, String life) {
        this.manager = manager;
        this.cache = cache;
        this.inMemory = cache.withFlags(Flag.SKIP_CACHE_LOAD);
        this.onPrimary = ReadWriteMapImpl.create(FunctionalMapImpl.create(cache));
        this.life = life;
    }

    /** Blocks. The first node of a life of the cluster gives it a name: its own, which no other start of a node has. */
    static BucketCache join(EmbeddedCacheManager manager, AdvancedCache<byte[], byte[]> cache) {
        var own = manager.getAddress() == null
                ? cache.getName()
                : manager.getAddress().toString();
        var present = cache.putIfAbsent(LIFE, own.getBytes(StandardCharsets.UTF_8));
        return new BucketCache(manager, cache, present == null ? own : new String(present, StandardCharsets.UTF_8));
    }

    /** Name of this life of the cluster in {@link IdBucket#writes}. */
    String life() {
        return life;
    }

    /**
     * Replaces a bucket by what follows from it. Begins with what this node has, which is nearly always right; when it
     * is not, goes on with what the primary owner has, where alone it is decided.
     */
    CompletionStage<IdBucket> change(byte[] key, Function<IdBucket, IdBucket> next, Attempts attempts) {
        return replace(key, inMemory.get(key), next, attempts, Attempts.MOST);
    }

    private CompletionStage<IdBucket> replace(
            byte[] key, byte @Nullable [] found, Function<IdBucket, IdBucket> next, Attempts attempts, int left) {
        var before = found == null ? IdBucket.EMPTY : IdBucketCodec.decode(found);
        var after = next.apply(before);
        if (after.equals(before)) {
            return CompletableFuture.completedFuture(before);
        }
        attempts.requireOpen();
        var bytes = IdBucketCodec.encode(after);
        CompletionStage<Boolean> replaced = found == null
                ? inMemory.putIfAbsentAsync(key, bytes).thenApply(Objects::isNull)
                : inMemory.replaceAsync(key, found, bytes);
        return replaced.thenCompose(done -> {
            if (done) {
                return CompletableFuture.completedFuture(after);
            }
            if (left == 0) {
                throw new ConcurrentModificationException(
                        "remembered ids changed at each of " + Attempts.MOST + " tries");
            }
            return onPrimary
                    .eval(key, find())
                    .thenCompose(present -> replace(key, present.orElse(null), next, attempts, left - 1));
        });
    }

    /** Removes a bucket; the number of ids that went with it. */
    CompletionStage<Integer> remove(byte[] key) {
        return cache.removeAsync(key).thenApply(removed -> removed == null ? 0 : IdBucketCodec.size(removed));
    }

    void forEachOf(String type, BiConsumer<IdBucketCodec.Key, byte[]> reader) {
        for (var entry : inMemory.entrySet()) {
            IdBucketCodec.key(entry.getKey())
                    .filter(key -> key.type().equals(type))
                    .ifPresent(key -> reader.accept(key, entry.getValue()));
        }
    }

    /**
     * Blocks until each saved bucket is in the cache or known to be older than what is there. Nodes that start together
     * have much the same: each begins with what is decided here, goes on at a place of its own, and finds in the cache
     * what others have brought by then.
     */
    void takeBack(Map<IdBucketCodec.Key, IdBucket> saved) {
        var attempts = new Attempts();
        var underWay = new ArrayList<CompletableFuture<IdBucket>>();
        for (var entry : inTurn(saved)) {
            underWay.add(change(entry.getKey().bytes(), present -> present.mergedWith(entry.getValue()), attempts)
                    .toCompletableFuture()
                    .orTimeout(TAKING_SECONDS, TimeUnit.SECONDS));
            if (underWay.size() == TAKEN_AT_ONCE) {
                underWay.forEach(CompletableFuture::join);
                underWay.clear();
            }
        }
        underWay.forEach(CompletableFuture::join);
        if (!isSettled()) {
            throw notSettled();
        }
    }

    private List<Map.Entry<IdBucketCodec.Key, IdBucket>> inTurn(Map<IdBucketCodec.Key, IdBucket> saved) {
        var entries = new ArrayList<>(saved.entrySet());
        Collections.rotate(entries, Objects.hashCode(manager.getAddress()));
        var own = new ArrayList<Map.Entry<IdBucketCodec.Key, IdBucket>>();
        var others = new ArrayList<Map.Entry<IdBucketCodec.Key, IdBucket>>();
        // asked once for each: members may join meanwhile
        entries.forEach(entry -> (isPrimary(entry.getKey().bytes()) ? own : others).add(entry));
        own.addAll(others);
        return own;
    }

    /** Whether a write of this key is decided on this node: it goes nowhere else first. */
    private boolean isPrimary(byte[] key) {
        var distribution = cache.getDistributionManager();
        return distribution == null
                || distribution.getCacheTopology().getDistribution(key).isPrimary();
    }

    /**
     * Infinispan writes without the members that have just left the view, and until it has counted those that remain, a
     * side without a majority does so too, and reads. The outcome of what was done meanwhile is unknown.
     */
    <T> Future<T> ifSettled(T outcome) {
        return isSettled() ? Future.succeededFuture(outcome) : Future.failedFuture(notSettled());
    }

    private static IllegalStateException notSettled() {
        return new IllegalStateException("members were lost, and the cache has not dealt with it yet");
    }

    /** Asks in this order: a cache that becomes unavailable says so before it drops the members that were lost. */
    private boolean isSettled() {
        var distribution = cache.getDistributionManager();
        if (distribution == null) {
            return true;
        }
        var counted = distribution.getCacheTopology().getActualMembers();
        var present = manager.getMembers();
        return present.containsAll(counted) && cache.getAvailability() == AvailabilityMode.AVAILABLE;
    }

    private static Function<ReadWriteEntryView<byte[], byte[]>, Optional<byte[]>> find() {
        return MarshallableFunctions.returnReadWriteFind();
    }
}
