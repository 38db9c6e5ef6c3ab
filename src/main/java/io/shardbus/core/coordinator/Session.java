package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A region as its coordinator knows it: one registration, its lease, and the shards that it is home of. */
final class Session {

    final NodeId node;
    final long attempt;
    final RegionProfile profile;
    final TreeSet<Integer> shards = new TreeSet<>();
    Set<Integer> kept = Set.of();
    /** Shards that its node cannot start now: their earlier code still runs there. */
    private Set<Integer> ending = Set.of();

    long grantEnd = LeaseTimes.NEVER;
    long heartbeat;
    long heartbeatAt = LeaseTimes.NEVER;
    long echo;
    long echoAt = LeaseTimes.NEVER;
    /** Whether the node had a region before this registration, in this reign. */
    boolean again;

    boolean leaving;
    boolean draining;
    /** Whether the region gets no more shards, and keeps those that it has. */
    boolean cordoned;

    boolean gone;
    /** The moment at which the region was gone; valid while it is gone. */
    long goneSince;

    Session(NodeId node, long attempt, RegionProfile profile) {
        this.node = node;
        this.attempt = attempt;
        this.profile = profile;
    }

    boolean hosts() {
        return !profile.proxy() && !gone;
    }

    /** Whether there is such a shard, and the region hosts shards. */
    boolean mayHost(int shard) {
        return !profile.proxy() && shard >= 0 && shard < profile.numberOfShards();
    }

    /** The region lists the shards whose earlier code has not ended on its node. */
    void ending(List<ShardReport> reports) {
        ending = reports.stream().map(ShardReport::shard).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the shard cannot be started on its node now. */
    boolean isEnding(int shard) {
        return ending.contains(shard);
    }

    /** Whether it may be given shards: both ways between it and the coordinator were open a moment ago. */
    boolean accepts(long now, LeaseTimes times) {
        return hosts() && !leaving && !draining && !cordoned && now - echoAt <= 3 * times.heartbeatInterval();
    }

    /** Whether it was not heard of for longer than any lease that it was granted. */
    boolean isSilent(long now, LeaseTimes times) {
        return now > Math.max(grantEnd, heartbeatAt) + times.margin();
    }

    void heard(long number, long now) {
        if (number > heartbeat) {
            heartbeat = number;
            heartbeatAt = now;
        }
    }

    void echoed(long number, long now) {
        if (number > echo) {
            echo = number;
            echoAt = now;
        }
    }
}
