package io.shardbus.core.splitbrain;

import io.shardbus.NodeId;
import java.util.Set;

/** A member of the cluster as one side of a split knows it. */
public record SplitMember(NodeId node, Set<String> roles, Status status) {
    /** How far a member has come in its life. */
    public enum Status {
        /** Seen, but not yet known as a full member; the other side may know it as one. */
        JOINING,
        /** A full member. */
        UP,
        /** On its way out; the other side may know that it has left. */
        LEAVING,
        /** Has said goodbye: it runs nothing and decides nothing. */
        DEPARTING,
        /** Known to be gone. */
        EXCLUDED
    }

    public SplitMember {
        roles = Set.copyOf(roles);
    }

    SplitMember with(Status next) {
        return new SplitMember(node, roles, next);
    }
}
