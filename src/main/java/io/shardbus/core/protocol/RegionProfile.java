package io.shardbus.core.protocol;

/**
 * What a region says of itself when it registers. Shards, extractor version, split brain and memory must be the same on all
 * nodes.
 *
 * @param proxy whether it hosts nothing
 * @param lanes how many event loops share its shards; at least 1
 * @param minimumMembers hosting regions that must be there before the first shard is given away
 * @param splitBrain how its node decides which side of a split goes on, in words
 */
public record RegionProfile(
        boolean proxy,
        int numberOfShards,
        String extractorVersion,
        String appVersion,
        int lanes,
        int minimumMembers,
        String splitBrain,
        Memory memory) {
    /**
     * Whether the type's entities live without being asked, and where they are remembered.
     *
     * @param store how the node keeps remembered entities of any type, in words
     */
    public record Memory(boolean remembers, String store) {}

    /** With the usual decisions about splits, and no memory. */
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
                "keep-majority",
                new Memory(false, "replicated"));
    }
}
