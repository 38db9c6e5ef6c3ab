package io.shardbus.core.coordinator;

import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.TermId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator knows at one moment, for operators.
 *
 * @param drained nodes that are to have no shards
 */
public record CoordinatorView(
        TermId term, int numberOfShards, List<Row> rows, List<Region> regions, Set<NodeId> drained) {
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

    static CoordinatorView of(TermId term, @Nullable RegionProfile profile, ShardTable table, long now) {
        List<Row> rows = new ArrayList<>();
        for (Assignment a : table.assignments()) {
            Handoff handoff = a.handoff;
            FencingToken version = handoff == null ? null : handoff.version;
            long age = handoff == null ? 0 : now - handoff.startedAt;
            rows.add(new Row(a.shard, a.home, a.token, a.confirmed, version, age));
        }
        List<Region> regions = new ArrayList<>();
        for (Session s : table.sessions()) {
            regions.add(new Region(s.node, s.profile.proxy(), s.leaving || s.draining, s.gone, s.shards.size()));
        }
        int numberOfShards = profile == null ? 0 : profile.numberOfShards();
        return new CoordinatorView(term, numberOfShards, rows, regions, table.drained());
    }
}
