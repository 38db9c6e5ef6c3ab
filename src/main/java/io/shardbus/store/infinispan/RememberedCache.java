package io.shardbus.store.infinispan;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.conflict.MergePolicy;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.PartitionHandling;
import org.infinispan.persistence.sifs.configuration.SoftIndexFileStoreConfigurationBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The caches that hold remembered ids, one for each mode. All of it is in the memory of every node; partition handling
 * refuses the side without the majority. In a container that is in no cluster they are local.
 */
public final class RememberedCache {
    static final String REPLICATED = "shardbus.remembered";
    static final String DURABLE = "shardbus.durable";

    /**
     * Name pattern that guards the cache with files on nodes that have not started sharding, and do not know the
     * directory yet.
     */
    private static final String DURABLE_EVERYWHERE = "shardbus.durabl*";

    private static final long REMOTE_TIMEOUT_MILLIS = TermCache.DEFAULT_REMOTE_TIMEOUT.toMillis();

    private RememberedCache() {}

    /** Defines the caches before the manager starts, as {@link TermCache#define} does and for the same reason. */
    public static void define(EmbeddedCacheManager manager) {
        var configuration = configuration(CacheMode.REPL_SYNC, null);
        defineOnce(manager, REPLICATED, configuration);
        // only a template is not started with the manager
        defineOnce(
                manager,
                DURABLE_EVERYWHERE,
                new ConfigurationBuilder().read(configuration).template(true).build());
    }

    /** The caches of remembered ids that run on this node. */
    public static List<AdvancedCache<byte[], byte[]>> running(EmbeddedCacheManager manager) {
        return List.of(REPLICATED, DURABLE).stream()
                .filter(manager::isRunning)
                .map(name -> manager.<byte[], byte[]>getCache(name).getAdvancedCache())
                .toList();
    }

    /**
     * The cache, defined on first use. Blocks until this node has joined it and has its content.
     *
     * @param files the directory of its files; null for a cache in memory
     */
    static AdvancedCache<byte[], byte[]> obtain(EmbeddedCacheManager manager, @Nullable Path files) {
        var name = files == null ? REPLICATED : DURABLE;
        var clustered = manager.getCacheManagerConfiguration().transport().transport() != null;
        defineOnce(manager, name, configuration(clustered ? CacheMode.REPL_SYNC : CacheMode.LOCAL, files));
        var found = manager.getCacheConfiguration(name);
        if (clustered) {
            TermCache.requireSafe(name, found);
        }
        if (files != null && found.persistence().stores().isEmpty()) {
            throw new IllegalStateException("the Infinispan configuration defines the cache " + name
                    + " without files. Remove it from the file: it is defined in code");
        }
        return manager.<byte[], byte[]>getCache(name).getAdvancedCache();
    }

    /** Leaves the cache with files on this node, so that its files are closed. */
    static void end(EmbeddedCacheManager manager) {
        if (manager.isRunning(DURABLE)) {
            manager.getCache(DURABLE).stop();
        }
        if (isDefined(manager, DURABLE)) {
            manager.undefineConfiguration(DURABLE);
        }
    }

    private static Configuration configuration(CacheMode mode, @Nullable Path files) {
        var builder = new ConfigurationBuilder();
        builder.clustering().cacheMode(mode);
        if (mode.isClustered()) {
            builder.clustering()
                    .remoteTimeout(REMOTE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                    .partitionHandling()
                    .whenSplit(PartitionHandling.DENY_READ_WRITES)
                    .mergePolicy(MergePolicy.PREFERRED_NON_NULL);
        }
        builder.locking().lockAcquisitionTimeout(REMOTE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        builder.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
        if (files != null) {
            addFiles(builder, files);
        }
        return builder.build();
    }

    /** Every write is forced to the disk before it is answered. */
    private static void addFiles(ConfigurationBuilder builder, Path files) {
        builder.persistence()
                .addStore(SoftIndexFileStoreConfigurationBuilder.class)
                .dataLocation(files.resolve("data").toString())
                .indexLocation(files.resolve("index").toString())
                .syncWrites(true)
                .purgeOnStartup(false);
    }

    private static void defineOnce(EmbeddedCacheManager manager, String name, Configuration configuration) {
        if (isDefined(manager, name)) {
            return;
        }
        try {
            manager.defineConfiguration(name, configuration);
        } catch (CacheConfigurationException e) {
            if (!isDefined(manager, name)) {
                throw e;
            }
        }
    }

    private static boolean isDefined(EmbeddedCacheManager manager, String name) {
        return manager.getCacheConfigurationNames().contains(name);
    }
}
