package io.shardbus.membership;

import io.shardbus.model.NodeId;
import io.shardbus.store.UnreadableRecordException;
import io.shardbus.store.infinispan.TermCache;
import io.shardbus.wire.WireVersion;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.CacheMode;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.conflict.MergePolicy;
import org.infinispan.context.Flag;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.partitionhandling.PartitionHandling;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicated cache of the nodes' attributes, by node. Every side of a split reads and writes it; a merge keeps the
 * entries of both sides. Reads are of the local replica.
 */
final class NodesCache {
    private static final Logger LOG = LoggerFactory.getLogger(NodesCache.class);
    private static final String NAME = "shardbus.nodes";
    private static final long REMOTE_TIMEOUT_SECONDS = 5;

    private final AdvancedCache<byte[], byte[]> cache;
    private final AdvancedCache<byte[], byte[]> replica;
    /** Members with another wire version that were named in the log. */
    private final Set<NodeId> strangers = new HashSet<>();

    private NodesCache(AdvancedCache<byte[], byte[]> cache) {
        this.cache = cache.withFlags(Flag.IGNORE_RETURN_VALUES);
        this.replica = cache.withFlags(Flag.CACHE_MODE_LOCAL);
    }

    /** Defines the cache; to be called before the manager starts, as for {@link TermCache#define}. */
    static void define(EmbeddedCacheManager manager) {
        if (manager.getCacheConfiguration(NAME) == null) {
            var builder = new ConfigurationBuilder();
            builder.clustering()
                    .cacheMode(CacheMode.REPL_SYNC)
                    .remoteTimeout(REMOTE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .partitionHandling()
                    .whenSplit(PartitionHandling.ALLOW_READ_WRITES)
                    .mergePolicy(MergePolicy.PREFERRED_NON_NULL);
            builder.locking().lockAcquisitionTimeout(REMOTE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            builder.encoding().mediaType(MediaType.APPLICATION_OCTET_STREAM_TYPE);
            manager.defineConfiguration(NAME, builder.build());
        }
    }

    /** Blocks until this node has joined the cache. */
    static NodesCache obtain(EmbeddedCacheManager manager) {
        define(manager);
        return new NodesCache(manager.<byte[], byte[]>getCache(NAME).getAdvancedCache());
    }

    void addListener(Object listener) {
        cache.addListener(listener);
    }

    void removeListener(Object listener) {
        cache.removeListener(listener);
    }

    /** Begins to publish the attributes; logs a failure, and the caller's next check publishes them again. */
    void put(NodeId node, NodeAttributes attributes) {
        var unused = cache.putAsync(key(node), NodeAttributesCodec.encode(attributes))
                .whenComplete((written, failure) -> {
                    if (failure != null) {
                        LOG.warn("attributes of {} not published, retrying: {}", node, failure.toString());
                    }
                });
    }

    /** Removes a node's attributes; completes with true when all members have removed them. */
    CompletableFuture<Boolean> remove(NodeId node) {
        return cache.removeAsync(key(node)).thenApply(removed -> true);
    }

    boolean holds(NodeId node, NodeAttributes attributes) {
        return Arrays.equals(replica.get(key(node)), NodeAttributesCodec.encode(attributes));
    }

    /** Nodes that have an entry here and are not among the members. */
    Set<NodeId> absent(List<NodeId> members) {
        var absent = new TreeSet<NodeId>();
        replica.keySet().forEach(key -> absent.add(node(key)));
        members.forEach(absent::remove);
        return absent;
    }

    /** The known attributes of the members, without those that this build cannot read, as of a later release. */
    Map<NodeId, NodeAttributes> of(List<NodeId> members) {
        var known = new HashMap<NodeId, NodeAttributes>();
        strangers.retainAll(members);
        for (var member : members) {
            var bytes = replica.get(key(member));
            if (bytes != null) {
                decode(member, bytes, known);
            }
        }
        return Map.copyOf(known);
    }

    /** The first of the members whose attributes are known here: one without sharding publishes none. */
    Optional<NodeId> first(List<NodeId> members) {
        var known = of(members);
        return members.stream().filter(known::containsKey).findFirst();
    }

    private void decode(NodeId member, byte[] bytes, Map<NodeId, NodeAttributes> known) {
        try {
            int wire = NodeAttributesCodec.wireVersion(bytes);
            if (wire == WireVersion.CURRENT) {
                known.put(member, NodeAttributesCodec.decode(bytes));
            } else if (strangers.add(member)) {
                LOG.error(
                        "node {} runs a build of Shardbus with wire version {}, this node one with wire version {}: the"
                                + " two cannot work together. The members of the version that came first go on, the"
                                + " others host nothing: stop those",
                        member,
                        wire,
                        WireVersion.CURRENT);
            }
        } catch (UnreadableRecordException e) {
            LOG.debug("ignoring unreadable attributes of {}: {}", member, e.getMessage());
        }
    }

    private static byte[] key(NodeId node) {
        return node.value().getBytes(StandardCharsets.UTF_8);
    }

    private static NodeId node(byte[] key) {
        return new NodeId(new String(key, StandardCharsets.UTF_8));
    }
}
