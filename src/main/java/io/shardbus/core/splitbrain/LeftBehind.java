package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The nodes without which this side went on, and which have not come back: those that this node has lost itself, and
 * those of which other members told it because it joined later. They may have met other nodes since.
 */
final class LeftBehind {
    private static final int MOST = 512;
    /** So many of the latest are sent to other nodes. */
    private static final int MOST_TOLD = 64;

    private final Set<NodeId> own = new LinkedHashSet<>();
    private final Set<NodeId> told = new LinkedHashSet<>();

    boolean isEmpty() {
        return own.isEmpty() && told.isEmpty();
    }

    Set<NodeId> all() {
        Set<NodeId> all = new LinkedHashSet<>(told);
        all.addAll(own);
        return all;
    }

    /** The latest nodes, which joining members are told. */
    Set<NodeId> latestWith(Collection<NodeId> lost) {
        Set<NodeId> all = all();
        all.addAll(lost);
        return all.stream().skip(Math.max(0, all.size() - MOST_TOLD)).collect(Collectors.toSet());
    }

    /** This node's side goes on without these. */
    void add(Collection<NodeId> lost) {
        own.addAll(lost);
        keepLatest(own);
    }

    /** @param all whether the list replaces earlier ones */
    void tell(Collection<NodeId> nodes, boolean all) {
        if (all) {
            told.clear();
        }
        told.addAll(nodes);
        keepLatest(told);
    }

    private static void keepLatest(Set<NodeId> nodes) {
        while (nodes.size() > MOST) {
            nodes.remove(nodes.iterator().next());
        }
    }

    /** Whether the node was among them; it is not any more. */
    boolean remove(NodeId node) {
        boolean wasTold = told.remove(node);
        return own.remove(node) || wasTold;
    }

    void clear() {
        own.clear();
        told.clear();
    }
}
