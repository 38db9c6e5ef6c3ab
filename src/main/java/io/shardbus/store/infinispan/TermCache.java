package io.shardbus.store.infinispan;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.CacheConfigurationException;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.Configuration;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.conflict.MergePolicy;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.AvailabilityMode;
import org.infinispan.partitionhandling.PartitionHandling;

/**
 * The replicated cache that holds the term record. Its partition handling refuses the side without the majority, so
 * that its availability is also the answer to "may this side of the cluster act".
 */
public final class TermCache {
    public static final String NAME = "shardbus.term";

    /** Time that one node waits for the answer of the others. */
    public static final Duration DEFAULT_REMOTE_TIMEOUT = Duration.ofMillis(2500);

    private TermCache() {}

    /**
     * The cache, defined on first use. Blocks until this node has joined it and has its content.
     *
     * @param remoteTimeout that of the first call on this node takes effect
     * @throws IllegalStateException if the cluster's own configuration defines a cache of this name that is less safe
     */
    public static AdvancedCache<byte[], byte[]> obtain(EmbeddedCacheManager manager, Duration remoteTimeout) {
        if (manager.getCacheConfiguration(NAME) == null) {
            define(manager, configuration(remoteTimeout));
        }
        requireSafe(NAME, manager.getCacheConfiguration(NAME));
        return manager.<byte[], byte[]>getCache(NAME).getAdvancedCache();
    }

    /**
     * Defines the cache before the manager starts. A cache is guarded by the first member of the view, by the
     * configuration that it has there when the first node joins the cache: if it has none yet, the cache is never
     * refused to a minority.
     */
    public static void define(EmbeddedCacheManager manager) {
        if (manager.getCacheConfiguration(NAME) == null) {
            define(manager, configuration(DEFAULT_REMOTE_TIMEOUT));
        }
    }

    private static Configuration configuration(Duration remoteTimeout) {
        var millis = remoteTimeout.toMillis();
        var builder = new ConfigurationBuilder();
        builder.clustering()
                .cacheMode(CacheMode.REPL_SYNC)
                .remoteTimeout(millis, TimeUnit.MILLISECONDS)
                .partitionHandling()
                .whenSplit(PartitionHandling.DENY_READ_WRITES)
                .mergePolicy(MergePolicy.PREFERRED_NON_NULL);
        builder.locking().lockAcquisitionTimeout(millis, TimeUnit.MILLISECONDS);
        builder.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
        return builder.build();
    }

    /** The store and the membership may both be first. */
    private static void define(EmbeddedCacheManager manager, Configuration configuration) {
        try {
            manager.defineConfiguration(NAME, configuration);
        } catch (CacheConfigurationException e) {
            if (manager.getCacheConfiguration(NAME) == null) {
                throw e;
            }
        }
    }

    /**
     * Whether all members that the cache counts are there, so that what it has written is agreed. Asks in this order: a
     * cache that becomes unavailable says so before it drops the members that were lost.
     */
    static boolean isSettled(EmbeddedCacheManager manager, AdvancedCache<byte[], byte[]> cache) {
        var counted = cache.getDistributionManager().getCacheTopology().getActualMembers();
        var present = manager.getMembers();
        return present.containsAll(counted) && cache.getAvailability() == AvailabilityMode.AVAILABLE;
    }

    static void requireSafe(String name, Configuration found) {
        var clustering = found.clustering();
        var whenSplit = clustering.partitionHandling().whenSplit();
        if (clustering.cacheMode() != CacheMode.REPL_SYNC || whenSplit != PartitionHandling.DENY_READ_WRITES) {
            throw new IllegalStateException("the Infinispan configuration defines the cache " + name + " as "
                    + clustering.cacheMode() + " with " + whenSplit + "; it must be REPL_SYNC with DENY_READ_WRITES. "
                    + "Remove it from the file: it is defined in code");
        }
    }
}
