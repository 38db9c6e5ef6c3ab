package io.shardbus.core.protocol;

/**
 * What a region says of itself when it registers. Shards and extractor version must be the same on all nodes.
 *
 * @param proxy whether it hosts nothing
 * @param lanes how many event loops share its shards; at least 1
 * @param minimumMembers hosting regions that must be there before the first shard is given away
 */
public record RegionProfile(
        boolean proxy, int numberOfShards, String extractorVersion, String appVersion, int lanes, int minimumMembers) {}
