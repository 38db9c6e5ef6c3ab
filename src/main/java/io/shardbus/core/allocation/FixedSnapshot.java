package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** An immutable snapshot, for rules that answer later than they are asked, and for tests. */
public final class FixedSnapshot implements AllocationSnapshot {
    private final Map<NodeId, Homes> homes;
    private final Set<Integer> inHandoff;
    private final Set<Integer> resting;
    private final boolean memberUnreachable;
    private final boolean memberJoining;

    private record Homes(RegionInfo region, SortedSet<Integer> shards) {}

    private FixedSnapshot(Builder builder) {
        homes = Collections.unmodifiableMap(new LinkedHashMap<>(builder.homes));
        inHandoff = Set.copyOf(builder.inHandoff);
        resting = Set.copyOf(builder.resting);
        memberUnreachable = builder.memberUnreachable;
        memberJoining = builder.memberJoining;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Copies {@code live} as it is at this moment; takes time in proportion to the number of shards. */
    public static FixedSnapshot copyOf(AllocationSnapshot live) {
        if (live instanceof FixedSnapshot fixed) {
            return fixed;
        }
        Builder copy = builder()
                .inHandoff(live.inHandoff())
                .resting(live.resting())
                .memberUnreachable(live.memberUnreachable())
                .memberJoining(live.memberJoining());
        live.regions().forEach(node -> copy.region(live.region(node), live.shardsOf(node)));
        return copy.build();
    }

    @Override
    public Set<NodeId> regions() {
        return homes.keySet();
    }

    @Override
    public RegionInfo region(NodeId region) {
        return homesOf(region).region();
    }

    @Override
    public SortedSet<Integer> shardsOf(NodeId region) {
        return homesOf(region).shards();
    }

    @Override
    public int count(NodeId region) {
        return homesOf(region).shards().size();
    }

    @Override
    public Set<Integer> inHandoff() {
        return inHandoff;
    }

    @Override
    public Set<Integer> resting() {
        return resting;
    }

    @Override
    public boolean memberUnreachable() {
        return memberUnreachable;
    }

    @Override
    public boolean memberJoining() {
        return memberJoining;
    }

    private Homes homesOf(NodeId region) {
        Homes found = homes.get(region);
        if (found == null) {
            throw new NoSuchElementException("no region " + region + " among " + homes.keySet());
        }
        return found;
    }

    /** Collects the regions in the order they are named. */
    public static final class Builder {
        private final Map<NodeId, Homes> homes = new LinkedHashMap<>();
        private Set<Integer> inHandoff = Set.of();
        private Set<Integer> resting = Set.of();
        private boolean memberUnreachable;
        private boolean memberJoining;

        private Builder() {}

        /** Adds a region that is home to {@code shards}; a region named again is replaced. */
        public Builder region(RegionInfo region, Collection<Integer> shards) {
            homes.put(region.node(), new Homes(region, Collections.unmodifiableSortedSet(new TreeSet<>(shards))));
            return this;
        }

        /** The shards that are leaving their home; none unless set. */
        public Builder inHandoff(Set<Integer> shards) {
            inHandoff = Set.copyOf(shards);
            return this;
        }

        /** The shards that would not move now; none unless set. */
        public Builder resting(Set<Integer> shards) {
            resting = Set.copyOf(shards);
            return this;
        }

        /** False unless set. */
        public Builder memberUnreachable(boolean unreachable) {
            memberUnreachable = unreachable;
            return this;
        }

        /** False unless set. */
        public Builder memberJoining(boolean joining) {
            memberJoining = joining;
            return this;
        }

        public FixedSnapshot build() {
            return new FixedSnapshot(this);
        }
    }
}
