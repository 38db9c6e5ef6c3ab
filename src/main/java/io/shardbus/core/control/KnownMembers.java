package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The nodes whose messages are believed: the members of the view, and the {@value #MOST_DEPARTED} that left it last. A
 * node that left may have sent its goodbye just before, or be cut off and come back. A node that joins is heard once
 * the view shows it here; what it sends earlier is repeated. Immutable.
 */
public final class KnownMembers {
    /** More than the members that may be cut off from each other, and still live, at one time. */
    static final int MOST_DEPARTED = 512;

    /** Before the first view. */
    public static final KnownMembers NONE = new KnownMembers(Set.of(), Set.of());

    private final Set<NodeId> members;
    private final Set<NodeId> departed;

    private KnownMembers(Set<NodeId> members, Set<NodeId> departed) {
        this.members = members;
        this.departed = departed;
    }

    /** The view has changed to these members. */
    public KnownMembers viewChanged(Collection<NodeId> next) {
        Set<NodeId> present = Set.copyOf(next);
        Set<NodeId> gone = new LinkedHashSet<>(departed);
        gone.removeAll(members);
        members.stream().sorted().forEach(gone::add);
        gone.removeAll(present);
        while (gone.size() > MOST_DEPARTED) {
            gone.remove(gone.iterator().next());
        }
        return new KnownMembers(present, gone);
    }

    /** The nodes whose messages were believed before, and are not any more. */
    public Set<NodeId> forgottenSince(KnownMembers before) {
        if (before == this) {
            return Set.of();
        }
        Set<NodeId> gone = new LinkedHashSet<>(before.members);
        gone.addAll(before.departed);
        gone.removeIf(this::contains);
        return gone;
    }

    /** Whether a message of the node is believed. */
    public boolean contains(NodeId node) {
        return members.contains(node) || departed.contains(node);
    }
}
