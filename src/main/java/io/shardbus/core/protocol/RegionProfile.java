package io.shardbus.core.protocol;

import io.shardbus.model.SharedStore;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Profile of a region, which it registers with. Shards, extractor version, role, safety, memory and store must be the
 * same on all nodes.
 *
 * @param proxy whether it hosts nothing
 * @param lanes how many event loops share its shards; at least 1
 * @param minimumMembers hosting regions that must be there before the first shard is given away
 * @param role which nodes host the type, empty for all; null where the region does not say, as a proxy need not and
 *     earlier builds do not
 * @param persistence where the type's entities are stored; null where the region does not say, as proxies, types
 *     without a store and earlier builds do not
 */
public record RegionProfile(
        boolean proxy,
        int numberOfShards,
        String extractorVersion,
        String appVersion,
        int lanes,
        int minimumMembers,
        Safety safety,
        Memory memory,
        @Nullable String role,
        @Nullable SharedStore persistence) {
    /** The most shards that a type may have. */
    public static final int MOST_SHARDS = 65_536;

    /**
     * Options that keep an entity from having two live instances, and do so only if all nodes have the same.
     *
     * @param splitBrain how its node decides which side of a split goes on, in words
     * @param leaseMillis how long authority and grants last
     */
    public record Safety(String splitBrain, long leaseMillis) {
        /** In words, by the keys of the options. */
        public Map<String, String> options() {
            return Map.of("splitBrain", splitBrain, "leaseDurationMs", Long.toString(leaseMillis));
        }
    }

    /**
     * Remembering of the type's entities, and its store.
     *
     * @param store how the node keeps remembered entities of any type, in words
     */
    public record Memory(boolean remembers, String store) {}

    /** Of a region that does not say its role. */
    public RegionProfile(
            boolean proxy,
            int numberOfShards,
            String extractorVersion,
            String appVersion,
            int lanes,
            int minimumMembers,
            Safety safety,
            Memory memory) {
        this(proxy, numberOfShards, extractorVersion, appVersion, lanes, minimumMembers, safety, memory, null, null);
    }

    /** The same region, whose entities are stored there; null where it does not say. */
    public RegionProfile storedIn(@Nullable SharedStore store) {
        return new RegionProfile(
                proxy,
                numberOfShards,
                extractorVersion,
                appVersion,
                lanes,
                minimumMembers,
                safety,
                memory,
                role,
                store);
    }

    /** With the usual decisions about splits, and without remembered entities. */
    public RegionProfile(
            boolean proxy,
            int numberOfShards,
            String extractorVersion,
            String appVersion,
            int lanes,
            int minimumMembers) {
        this(
                proxy,
                numberOfShards,
                extractorVersion,
                appVersion,
                lanes,
                minimumMembers,
                new Safety("keep-majority", 8000),
                new Memory(false, "replicated"));
    }
}
