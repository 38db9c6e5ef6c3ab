package io.shardbus.core.protocol;

/**
 * What a region says of itself when it registers. Shards, extractor version, split brain and memory must be the same on all nodes.
 *
 * @param proxy whether it hosts nothing
 * @param lanes how many event loops share its shards; at least 1
 * @param minimumMembers hosting regions that must be there before the first shard is given away
 * @param splitBrain how its node decides which side of a split goes on, in words
 * @param memory how it remembers its entities, in words; {@link #NO_MEMORY} if it does not
 */
public record RegionProfile(
        boolean proxy,
        int numberOfShards,
        String extractorVersion,
        String appVersion,
        int lanes,
        int minimumMembers,
        String splitBrain,
        String memory) {
    public static final String NO_MEMORY = "none";

    /** With the usual decisions about splits, and no memory. */
    public RegionProfile(
            boolean proxy,
            int numberOfShards,
            String extractorVersion,
            String appVersion,
            int lanes,
            int minimumMembers) {
        this(proxy, numberOfShards, extractorVersion, appVersion, lanes, minimumMembers, "keep-majority", NO_MEMORY);
    }

    /** Whether its entities live without being asked. */
    public boolean remembers() {
        return !memory.equals(NO_MEMORY);
    }
}
