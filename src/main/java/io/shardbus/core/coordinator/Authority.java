package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Authority of one reign in time: until when it may grant leases, and from when on it may assign shards that no
 * region reported.
 */
final class Authority {
    private final LeaseTimes times;
    private final long waitFrom;
    private final Map<NodeId, Long> deaths = new HashMap<>();
    private final Map<NodeId, Long> farewells = new HashMap<>();
    private @Nullable Set<NodeId> holders;
    /** End of the leases that nodes other than the holders may have. */
    private long othersUntil = EndedReign.NOTHING_EARLIER;

    private long confirmSent;
    private boolean open;
    private boolean undecided;

    /**
     * @param waitFrom leases of earlier terms have run out a lease time and a margin after this moment
     * @param confirmSent when the last confirmed write of the term was sent
     */
    Authority(LeaseTimes times, long waitFrom, long confirmSent) {
        this.times = times;
        this.waitFrom = waitFrom;
        this.confirmSent = confirmSent;
    }

    long end() {
        return confirmSent + times.lease();
    }

    void confirmed(long sentAt) {
        confirmSent = Math.max(confirmSent, sentAt);
    }

    /**
     * Only these nodes may hold leases of terms before, from the given moment on; a second answer to the question can
     * only rule out more. Of two answers with a moment the earlier one counts: each is right by itself.
     */
    void holdersKnown(Set<NodeId> nodes, long until) {
        Set<NodeId> known = new HashSet<>(nodes);
        if (holders != null && until == othersUntil) {
            known.retainAll(holders);
        }
        if (holders == null || until <= othersUntil) {
            holders = known;
            othersUntil = until;
        }
    }

    /** Leases that outlive the reign, for the next one; its knowledge of earlier leases holds on. */
    EndedReign ended(Set<NodeId> granted) {
        if (open) {
            return new EndedReign(granted);
        }
        if (holders == null || othersUntil >= opensAt()) {
            return new EndedReign(granted, opensAt());
        }
        Set<NodeId> all = new HashSet<>(granted);
        all.addAll(holders);
        return new EndedReign(all, othersUntil);
    }

    /** The process of a node outside the view is gone. */
    void provenDead(NodeId node, long now) {
        deaths.putIfAbsent(node, now);
    }

    /**
     * A node said at this moment that it leaves and holds no lease: its own word, which counts while it is a member,
     * too.
     */
    void left(NodeId node, long heardAt) {
        farewells.putIfAbsent(node, heardAt);
    }

    /**
     * A node in the view is alive, so a proof of its death is discarded. An open reign awaits the leases of its own
     * regions only: it forgets the other nodes that are gone, of which a long reign has many.
     */
    void viewChanged(Set<NodeId> members, ShardTable table) {
        deaths.keySet().removeAll(members);
        if (open) {
            Predicate<NodeId> needed = node -> members.contains(node) || table.session(node) != null;
            deaths.keySet().removeIf(needed.negate());
            farewells.keySet().removeIf(needed.negate());
        }
    }

    /** Whether the node is known to hold no lease any more, of any reign. */
    boolean isOver(NodeId node) {
        return isConfirmedSince(deaths.get(node)) || isConfirmedSince(farewells.get(node));
    }

    /**
     * A proof, or a node's own word, counts once the term was confirmed by a write that was sent after it: then no
     * newer term can have begun while the node lived, and none has a report of its shards which it might give away
     * itself.
     */
    private boolean isConfirmedSince(@Nullable Long moment) {
        return moment != null && confirmSent >= moment;
    }

    /** While the loss of a member is not decided, its shards stay where they are. */
    void lossUndecided(boolean isUndecided) {
        undecided = isUndecided;
    }

    boolean isOpen() {
        return open;
    }

    /**
     * Opens when earlier leases have run out, or when all nodes that may hold one have registered here, said goodbye,
     * left, or are dead.
     */
    boolean tryToOpen(ShardTable table, Registrations registrations) {
        open |= !times.awaitPredecessors() || confirmSent >= opensAt();
        open |= holders != null
                && confirmSent >= othersUntil
                && holders.stream()
                        .allMatch(
                                node -> table.session(node) != null || registrations.saidGoodbye(node) || isOver(node));
        return open;
    }

    /** Longest remaining time of earlier leases; at least 1 while the reign is not open. */
    long opensIn(long now) {
        return open ? 0 : Math.max(1, opensAt() - now);
    }

    private long opensAt() {
        return waitFrom + times.lease() + times.margin();
    }

    /**
     * Whether the time to open or to free a region's shards has come, and only a confirmation sent since is missing.
     */
    boolean awaitsConfirmation(ShardTable table, long now) {
        return (!open && now >= opensAt() && confirmSent < opensAt())
                || (!open && now >= othersUntil && confirmSent < othersUntil)
                || Stream.of(deaths, farewells)
                        .flatMap(ended -> ended.values().stream())
                        .anyMatch(since -> confirmSent < since)
                || table.sessions().stream().anyMatch(session -> awaitsConfirmation(session, now));
    }

    private boolean awaitsConfirmation(Session session, long now) {
        long freeAt = freeAt(session);
        return session.gone && now >= freeAt && confirmSent < freeAt;
    }

    /** The moment at which the shards of a lost region are free, if nothing proves its death before. */
    long freeAt(Session session) {
        long grace = times.awaitPredecessors() ? waitFrom + times.lease() : LeaseTimes.NEVER;
        return Math.max(session.grantEnd, grace) + times.margin();
    }

    /** Whether all leases of a region, of this term and of earlier ones, have run out while this reign lasted. */
    boolean outlives(Session session, long now) {
        if (isOver(session.node)) {
            return true;
        }
        long freeAt = freeAt(session);
        boolean over = now >= freeAt && !undecided;
        return over && (session.shards.isEmpty() || confirmSent >= freeAt);
    }
}
