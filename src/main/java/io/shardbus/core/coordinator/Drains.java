package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.model.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that are to have no shards. A drain ends with the region that it was ordered for, so that one that is
 * started in its place may have shards. Which region that was the order does not say: another one may have been started
 * already, and its registration be under way. So the drain ends only with a region that has heard the coordinator after
 * the order; until one has, it holds for the next one, too.
 */
final class Drains {
    private static final long NO_ATTEMPT = -1;

    /**
     * A node that is to have no shards.
     *
     * @param attempt one of the region for which that holds; {@link #NO_ATTEMPT} before one has registered
     * @param granted the newest heartbeat that was granted before the order: the echo of a later one is proof
     * @param proven whether the region has heard the coordinator after the order
     */
    private record Drain(long attempt, long granted, boolean proven) {
        boolean holdsFor(Session session) {
            return holdsFor(session.attempt);
        }

        boolean holdsFor(long other) {
            return attempt == NO_ATTEMPT || ToCoordinator.areOfOneRegion(attempt, other);
        }

        /** Every grant of this session comes after the order. */
        Drain takenUpBy(Session session) {
            return new Drain(session.attempt, 0, proven && holdsFor(session));
        }

        Drain seenIn(@Nullable Session session) {
            boolean heard = session != null && session.attempt == attempt && session.echo > granted;
            return heard ? new Drain(attempt, granted, true) : this;
        }
    }

    private final Map<NodeId, Drain> drains = new HashMap<>();

    /** The node's region is to have no shards, or the one that registers next; true if it was not ordered before. */
    boolean begin(NodeId node, @Nullable Session session) {
        Drain drain = session == null
                ? new Drain(NO_ATTEMPT, 0, false)
                : new Drain(session.attempt, session.heartbeat, false);
        return drains.put(node, drain) == null;
    }

    /** The drain was taken back, or the node has left. */
    void end(NodeId node) {
        drains.remove(node);
    }

    boolean contains(NodeId node) {
        return drains.containsKey(node);
    }

    Set<NodeId> nodes() {
        return Set.copyOf(drains.keySet());
    }

    /** A region registers. */
    void registered(@Nullable Session before, Session session) {
        Drain drain = drains.get(session.node);
        if (drain == null) {
            return;
        }
        Drain seen = drain.seenIn(before);
        session.draining = !seen.proven() || seen.holdsFor(session);
        if (session.draining) {
            drains.put(session.node, seen.takenUpBy(session));
        } else {
            drains.remove(session.node);
        }
    }

    /** The session has ended, and its region may still be there. */
    void removed(@Nullable Session session) {
        if (session != null) {
            drains.computeIfPresent(session.node, (node, drain) -> drain.seenIn(session));
        }
    }

    /** The region of this attempt is no more. */
    void goodbye(NodeId node, long attempt, @Nullable Session session) {
        Drain drain = drains.get(node);
        if (drain != null && drain.seenIn(session).proven() && drain.holdsFor(attempt)) {
            drains.remove(node);
        }
    }
}
