package io.shardbus.model;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A member of the cluster as one side of a split knows it.
 *
 * @param options the options by which the member itself decides about splits; null if they are not known
 */
public record SplitMember(
        NodeId node,
        Set<String> roles,
        Status status,
        @Nullable SafetyOptions options) {
    /** Phase of a member's life. */
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

    /** A member that has not told its options. */
    public SplitMember(NodeId node, Set<String> roles, Status status) {
        this(node, roles, status, SafetyOptions.NONE);
    }

    public SplitMember with(Status next) {
        return new SplitMember(node, roles, next, options);
    }
}
