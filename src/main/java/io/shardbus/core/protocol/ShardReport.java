package io.shardbus.core.protocol;

import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A shard that a region is home of, under the token with which it was given. */
public record ShardReport(int shard, FencingToken token) {
    /** All shards of a table, in its order. */
    public static List<ShardReport> listOf(Map<Integer, FencingToken> shards) {
        List<ShardReport> reports = new ArrayList<>(shards.size());
        shards.forEach((shard, token) -> reports.add(new ShardReport(shard, token)));
        return reports;
    }
}
