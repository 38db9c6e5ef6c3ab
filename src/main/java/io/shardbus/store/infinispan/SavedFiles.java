package io.shardbus.store.infinispan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.infinispan.AdvancedCache;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.manager.DefaultCacheManager;

/** The files of one start of a node, while no node runs on them. Blocks. */
final class SavedFiles implements AutoCloseable {
    private final DefaultCacheManager container;
    private final AdvancedCache<byte[], byte[]> cache;

    private SavedFiles(DefaultCacheManager container, AdvancedCache<byte[], byte[]> cache) {
        this.container = container;
        this.cache = cache;
    }

    /**
     * @throws io.shardbus.store.UnreadableRecordException if a file is damaged otherwise than by a write that was not
     * finished
     */
    static SavedFiles open(Path files) {
        UnfinishedWrites.cut(files);
        var container = localContainer();
        try {
            container.start();
            return new SavedFiles(container, RememberedCache.obtain(container, files));
        } catch (RuntimeException e) {
            container.stop();
            throw e;
        }
    }

    /** A container that is in no cluster, not started yet. */
    static DefaultCacheManager localContainer() {
        var global = new GlobalConfigurationBuilder().nonClusteredDefault();
        global.jmx().disable();
        global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
        return new DefaultCacheManager(global.build(), false);
    }

    void forEach(BiConsumer<IdBucketCodec.Key, IdBucket> reader) {
        for (var entry : cache.entrySet()) {
            IdBucketCodec.key(entry.getKey())
                    .ifPresent(key -> reader.accept(key, IdBucketCodec.decode(entry.getValue())));
        }
    }

    void remove(Predicate<IdBucketCodec.Key> meant) {
        var found = new ArrayList<byte[]>();
        for (var key : cache.keySet()) {
            if (IdBucketCodec.key(key).filter(meant).isPresent()) {
                found.add(key);
            }
        }
        found.forEach(cache::remove);
    }

    @Override
    public void close() {
        container.stop();
    }
}
