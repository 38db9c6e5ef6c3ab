package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The nodes without which this side went on, and which have not come back since: those of which this node knows itself,
 * and those of which other members told it, as it joined them later. They may have met others since.
 */
final class LeftBehind {
    private static final int MOST = 512;
    /** Of these the latest are told. */
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

    /** What members that join are to know. */
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

    /** @param all whether what was told before is void */
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
