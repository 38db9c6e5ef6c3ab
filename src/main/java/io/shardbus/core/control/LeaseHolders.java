package io.shardbus.core.control;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes on which a region may hold a lease of this reign or of one before. The term record carries them to the
 * successor, which need not wait for leases once each of these nodes has registered with it or is proven dead.
 *
 * <p>No view can tell the successor: a predecessor that was cut off may have granted to nodes that came to its side
 * only. So a reign grants only to regions that a confirmed write of its record lists, and the record that a claim
 * replaces lists all members.
 *
 * <p>Nodes may differ in how long their leases last, if only by mistake. So the record carries that too: the longest of
 * this reign and of those before whose leases may not have run out.
 */
public final class LeaseHolders {
    private static final long PRESENT = Long.MAX_VALUE;
    /** More nodes than leave within a few lease times; a bound for what arrives from other nodes. */
    private static final int MOST_FAREWELLS = 1_000;

    private final LeaseTimes times;
    private final Set<NodeId> dead = new HashSet<>();
    /** All nodes that may hold a lease, and since when each is out of the view and gets no more leases. */
    private final Map<NodeId, Long> lastGrant = new HashMap<>();

    /** Nodes that have left and hold nothing, and when that was heard. */
    private final Map<NodeId, Long> farewells = new LinkedHashMap<>();

    private boolean listing;
    private @Nullable Set<NodeId> inherited;
    private @Nullable Set<NodeId> listed;
    private long completeFrom = LeaseTimes.NEVER;
    /** The longest times of this reign's leases and, until these have run out, of those of earlier reigns. */
    private LeaseTimes longest;
    /** Leases of earlier reigns have run out as soon as one of this reign has that was granted at this moment. */
    private long waitFrom = LeaseTimes.NEVER;

    LeaseHolders(LeaseTimes times) {
        this.times = times;
        this.longest = times;
    }

    /**
     * From now on this node's records list the nodes that may hold leases, so that a successor need not wait for
     * others.
     */
    public void list() {
        listing = true;
    }

    /** The process of a node is gone. */
    void provenDead(NodeId node) {
        dead.add(node);
    }

    /** A node leaves and all its regions have ended: it holds no lease of any term, and gets none. */
    public void left(NodeId node, long now) {
        farewells.putIfAbsent(node, now);
        if (farewells.size() > MOST_FAREWELLS) {
            farewells.remove(farewells.keySet().iterator().next());
        }
    }

    /** Whether the node has left without a lease. */
    boolean hasLeft(NodeId node) {
        return farewells.containsKey(node);
    }

    /** Nodes that left without a lease, with the time of their goodbye; for each coordinator that begins here. */
    public Map<NodeId, Long> farewells() {
        return new LinkedHashMap<>(farewells);
    }

    /** Sets the present members: other nodes get no grants. */
    void viewChanged(Collection<NodeId> members, long now) {
        Long last = Math.max(now, waitFrom);
        lastGrant.replaceAll((node, since) -> since == PRESENT && !members.contains(node) ? last : since);
        lastGrant.values().removeIf(since -> hasRunOut(since, now));
        members.forEach(member -> lastGrant.put(member, PRESENT));
        dead.retainAll(lastGrant.keySet());
        dead.removeAll(members);
    }

    /** Postpones the ends of leases by so many milliseconds: the clock gained them, and they may not have passed. */
    void postpone(long millis) {
        lastGrant.replaceAll((node, since) -> since == PRESENT ? PRESENT : Long.valueOf(since + millis));
        waitFrom = waitFrom == LeaseTimes.NEVER ? waitFrom : waitFrom + millis;
        completeFrom = completeFrom == LeaseTimes.NEVER || completeFrom == Long.MAX_VALUE
                ? completeFrom
                : completeFrom + millis;
    }

    /** The lease holders in a claim's record, in place of those in the record that it replaces. */
    @Nullable
    Set<NodeId> claim(@Nullable TermRecord replaced, Collection<NodeId> members, long now) {
        return begin(replaced, replaced == null ? null : replaced.holders(), members, now);
    }

    /**
     * Like {@link #claim} for a cluster that is founded anew: the nodes that hold leases may be of another cluster than
     * the record.
     */
    @Nullable
    Set<NodeId> found(@Nullable TermRecord replaced, Collection<NodeId> members, long now) {
        return begin(replaced, null, members, now);
    }

    private @Nullable Set<NodeId> begin(
            @Nullable TermRecord replaced, @Nullable Set<NodeId> before, Collection<NodeId> members, long now) {
        inherited = before == null ? null : without(before, dead);
        listed = null;
        longest = times.orThoseOf(replaced);
        waitFrom = longerThanOwn(now);
        lastGrant.clear();
        if (before != null) {
            before.forEach(node -> lastGrant.put(node, waitFrom));
        }
        members.forEach(member -> lastGrant.put(member, PRESENT));
        completeFrom = before == null ? Long.MAX_VALUE : LeaseTimes.NEVER;
        return next(now);
    }

    /**
     * The claim took hold.
     *
     * @param granted when leases of earlier terms were granted at the latest
     * @return these have run out a lease time of this node and a margin after this moment
     */
    long begun(long granted) {
        waitFrom = longerThanOwn(granted);
        lastGrant.replaceAll((node, since) -> since == PRESENT ? PRESENT : Long.valueOf(waitFrom));
        if (completeFrom != LeaseTimes.NEVER) {
            completeFrom = waitFrom + times.runOut();
        }
        return waitFrom;
    }

    private long longerThanOwn(long granted) {
        return granted + longest.runOut() - times.runOut();
    }

    /** Duration of the leases that may not have run out, for the next record. */
    long leaseMillis() {
        return longest.lease();
    }

    /** The lease holders in the next record; null as long as leases of unknown holders may not have run out. */
    @Nullable
    Set<NodeId> next(long now) {
        lastGrant.values().removeIf(since -> hasRunOut(since, now));
        longest = hasRunOut(waitFrom, now) ? times : longest;
        return listing && now >= completeFrom ? without(lastGrant.keySet(), dead) : null;
    }

    private boolean hasRunOut(long since, long now) {
        return since != PRESENT && now >= since + times.runOut();
    }

    /** A write is on its way: a node that it does not list may be unknown to the successor from now on. */
    void sent(TermRecord record) {
        Set<NodeId> next = record.holders();
        if (next != null) {
            listed = listed == null ? next : without(listed, without(listed, next));
        }
    }

    /** A write took hold. */
    void written(TermRecord record) {
        listed = record.holders();
    }

    /** The members of the view that this node's reign may grant leases. */
    public Set<NodeId> grantable(Collection<NodeId> members) {
        Set<NodeId> allowed = new LinkedHashSet<>(members);
        if (listed != null) {
            allowed.retainAll(listed);
        }
        return allowed;
    }

    /** The possible holders of leases of a term before this node's; null if they are not known. */
    public @Nullable Set<NodeId> inherited() {
        return inherited;
    }

    private static Set<NodeId> without(Collection<NodeId> nodes, Set<NodeId> others) {
        Set<NodeId> left = new TreeSet<>(nodes);
        left.removeAll(others);
        return left;
    }
}
