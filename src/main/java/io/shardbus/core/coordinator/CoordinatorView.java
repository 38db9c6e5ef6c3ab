package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardMove;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * View of a coordinator's state, for operators; valid until its next event. Nothing is listed before it is asked for: a
 * table may have thousands of rows.
 */
public final class CoordinatorView {
    /** The reason why no shard moves after a shutdown of the whole cluster was announced. */
    public static final String CLUSTER_STOPS = "the whole cluster is about to stop, and nothing moves";

    private final ShardTable table;
    private final @Nullable RegionProfile profile;
    private final MoveLog moves;
    private final int homeless;
    private final Orders orders;
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

    CoordinatorView(
            ShardTable table, @Nullable RegionProfile profile, MoveLog moves, int homeless, Orders orders, long now) {
        this.orders = orders;
        this.table = table;
        this.profile = profile;
        this.moves = moves;
        this.homeless = homeless;
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

    /** Shards on their way, then those that wait for their turn, in its order. */
    public List<ShardMove> moves() {
        return moves.present(now);
    }

    /**
     * A region that could have a shard.
     *
     * @param against why it gets no shard now; empty if it may get one
     */
    public record Candidate(NodeId node, int shards, String appVersion, List<String> against) {}

    /** The regions of the type, those that cannot have shards now among them. */
    public List<Candidate> candidates() {
        return table.sessions().stream()
                .map(session -> new Candidate(
                        session.node,
                        session.shards.size(),
                        session.profile.appVersion(),
                        orders.against(session, now)))
                .toList();
    }

    /** For how long the shard is not chosen to move, as it was and stayed, in milliseconds; 0 if it may be. */
    public long rests(int shard) {
        Assignment assignment = table.assignment(shard);
        return assignment == null ? 0 : Math.max(0, assignment.restUntil - now);
    }

    /** Whether no shard moves, as the whole cluster is about to stop. */
    public boolean areMovesForbidden() {
        return orders.areMovesForbidden();
    }

    /** Whether no round of rebalancing begins by itself, by an operator's order. */
    public boolean isPaused() {
        return orders.isPaused();
    }

    /** The nodes to which operators have pinned shards. */
    public Map<Integer, NodeId> pins() {
        return Map.copyOf(orders.pins());
    }

    /** Nodes that get no more shards, by an operator's order. */
    public Set<NodeId> cordoned() {
        return Set.copyOf(table.cordoned());
    }

    /** Number of shards that are wanted and have no home. */
    public int homeless() {
        return homeless;
    }

    /** Number of entities that lost their state in moves, as reported by the regions that left in this reign. */
    public long statesLost() {
        return table.statesLost();
    }

    /** Drained nodes that no other node relieves now, each with the number of shards that stay there until one does. */
    public Map<NodeId, Integer> stranded() {
        return table.sessions().stream()
                .filter(session -> orders.stranded(session) > 0)
                .collect(Collectors.toUnmodifiableMap(session -> session.node, orders::stranded));
    }

    /** Nodes that are to have no shards. */
    public Set<NodeId> drained() {
        return table.drained();
    }
}
