package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator knows, for operators; valid until its next event. Nothing is listed before it is asked for: a
 * table may have thousands of rows.
 */
public final class CoordinatorView {
    private final ShardTable table;
    private final @Nullable RegionProfile profile;
    private final long now;

    /**
     * A shard with a home.
     *
     * @param handoff the version of its handoff, null when it stays
     * @param handoffAge since when it is leaving, in milliseconds
     */
    public record Row(
            int shard,
            NodeId home,
            FencingToken token,
            boolean confirmed,
            @Nullable FencingToken handoff,
            long handoffAge) {}

    /** A region with a registration. */
    public record Region(NodeId node, boolean proxy, boolean leaving, boolean gone, int shards) {}

    CoordinatorView(ShardTable table, @Nullable RegionProfile profile, long now) {
        this.table = table;
        this.profile = profile;
        this.now = now;
    }

    /** 0 before a region of the type has registered. */
    public int numberOfShards() {
        return profile == null ? 0 : profile.numberOfShards();
    }

    public List<Row> rows() {
        return table.assignments().stream().map(this::row).toList();
    }

    /** The row of one shard, if it has a home. */
    public Optional<Row> row(int shard) {
        return Optional.ofNullable(table.assignment(shard)).map(this::row);
    }

    private Row row(Assignment of) {
        Handoff handoff = of.handoff;
        FencingToken version = handoff == null ? null : handoff.version;
        long age = handoff == null ? 0 : now - handoff.startedAt;
        return new Row(of.shard, of.home, of.token, of.confirmed, version, age);
    }

    public List<Region> regions() {
        return table.sessions().stream()
                .map(s -> new Region(s.node, s.profile.proxy(), s.leaving || s.draining, s.gone, s.shards.size()))
                .toList();
    }

    /** How many entities lost what they knew in moves, as regions have said that left in this reign. */
    public long statesLost() {
        return table.statesLost();
    }

    /** Nodes that are to have no shards. */
    public Set<NodeId> drained() {
        return table.drained();
    }
}
