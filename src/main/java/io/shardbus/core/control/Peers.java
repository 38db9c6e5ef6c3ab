package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The status of each node that this one has seen: the one place that says which nodes are here, which left with a
 * goodbye, which vanished, and which of those are proven dead. Single owner; moments are elapsed milliseconds.
 */
public final class Peers {
    /** More nodes than leave within a few lease times. */
    static final int MOST_DEPARTED = 512;

    private final long leasesLast;
    /** Nodes that are out of the view are in the order in which they left it. */
    private final Map<NodeId, PeerStatus> peers = new LinkedHashMap<>();

    /**
     * Difference between a new view and the one before.
     *
     * @param gone out of the view now
     * @param come in the view now, and not before
     * @param vanished those of the gone that had said no goodbye
     */
    public record Change(Set<NodeId> gone, Set<NodeId> come, Set<NodeId> vanished) {}

    /** @param leasesLast how long a node that is out of the view may hold a lease, in milliseconds */
    public Peers(long leasesLast) {
        this.leasesLast = leasesLast;
    }

    public PeerStatus status(NodeId node) {
        return peers.getOrDefault(node, PeerStatus.UNSEEN);
    }

    /** These are the members now. */
    public Change viewChanged(Collection<NodeId> members, long now) {
        Set<NodeId> present = new LinkedHashSet<>(members);
        Set<NodeId> gone = new LinkedHashSet<>();
        Set<NodeId> vanished = new LinkedHashSet<>();
        List.copyOf(peers.keySet()).stream()
                .filter(node -> status(node).member() && !present.contains(node))
                .forEach(node -> {
                    PeerStatus next = status(node).outOfView(now + leasesLast);
                    peers.remove(node);
                    peers.put(node, next);
                    gone.add(node);
                    if (next.isLost()) {
                        vanished.add(node);
                    }
                });
        Set<NodeId> come = new LinkedHashSet<>();
        for (NodeId node : present) {
            if (!status(node).member()) {
                come.add(node);
                peers.put(node, status(node).joined());
            }
        }
        forgetOldest();
        return new Change(gone, come, vanished);
    }

    /** The node said that it leaves. */
    public void saidGoodbye(NodeId node) {
        peers.put(node, status(node).withGoodbye());
        forgetOldest();
    }

    /** Marks a lost node as dead. Returns false if the node was not lost. */
    public boolean provenDead(NodeId node) {
        boolean news = status(node).isLost();
        if (news) {
            peers.put(node, status(node).provenDead());
        }
        return news;
    }

    /** Whether the loss of a node is to be decided. */
    public boolean isUndecided(long now) {
        return peers.values().stream().anyMatch(status -> status.isUndecided(now));
    }

    /** Postpones the ends of leases by so many milliseconds: the clock gained them, and they may not have passed. */
    public void postpone(long millis) {
        peers.replaceAll((node, status) -> status.postponed(millis));
    }

    private void forgetOldest() {
        List<NodeId> departed = new ArrayList<>();
        peers.forEach((node, status) -> {
            if (!status.member()) {
                departed.add(node);
            }
        });
        int tooMany = Math.max(0, departed.size() - MOST_DEPARTED);
        departed.subList(0, tooMany).forEach(peers::remove);
    }
}
