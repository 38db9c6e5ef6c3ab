package io.shardbus.core.splitbrain;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides for one node whether its side of a cluster may use the caches. Infinispan counts the members of a side, but
 * forgets goodbyes when its own coordinator leaves, and takes nodes that leave one soon after the other for the larger
 * part of a split. A node that said goodbye runs no entity and does not coordinate. So if only such nodes are missing
 * from the last topology, there is no other side, and this side makes its caches available again. It does the same
 * when the split-brain strategy has decided that it goes on without the missing members, and makes the caches
 * unavailable when it has stopped in favour of these.
 */
public final class CacheClaim {
    private static final int REMEMBERED = 1000;

    private final Set<NodeId> said = new LinkedHashSet<>();
    private final Set<NodeId> givenUp = new LinkedHashSet<>();
    private final Yielding yielding = new Yielding();
    private final MergeTime merge = new MergeTime();

    /**
     * A cache as Infinispan shows it.
     *
     * @param available whether this side may use it
     * @param topology the nodes of its last topology
     * @param present those of them that it counts as alive
     */
    public record Cache(boolean available, Set<NodeId> topology, Set<NodeId> present) {}

    /** What a node is to do with a cache of its side. */
    public enum Verdict {
        /** The side may use it. */
        AVAILABLE,
        /** The side may not use it. */
        UNAVAILABLE,
        /** The node makes it available: no other side can go on with it. */
        CLAIM
    }

    /** Call it once a second. */
    public void secondPassed() {
        yielding.secondPassed();
        merge.secondPassed();
    }

    /** Two sides of the cluster have met: Infinispan has some time to unite their caches. */
    public void merged() {
        merge.begin();
    }

    /** The node left in good order, or is dead. */
    public void said(NodeId member) {
        said.add(member);
        yielding.gone(member);
        if (said.size() > REMEMBERED) {
            said.remove(said.iterator().next());
        }
    }

    /** The split-brain strategy has decided that this side goes on without these nodes; until one is back. */
    public void goOnWithout(Collection<NodeId> lost) {
        givenUp.addAll(lost);
    }

    /** This side had stopped and takes part again, or all seats have agreed that it goes on. */
    public void rejoined() {
        yielding.end();
    }

    /**
     * This side has stopped in favour of the lost members. Returns whether its caches are to be unavailable: not if one
     * of these is back, as it shares its caches with this side.
     */
    public boolean yieldTo(Set<NodeId> lost, Collection<NodeId> members) {
        if (members.stream().anyMatch(lost::contains)) {
            return false;
        }
        yielding.yieldTo(lost);
        return true;
    }

    /** The members that have not said goodbye: one that has ended its sharding may keep its attributes. */
    public List<NodeId> staying(List<NodeId> members) {
        return members.stream().filter(member -> !said.contains(member)).toList();
    }

    /**
     * Looks at the members and at the cache of the term record.
     *
     * @param acts whether this node acts for its side
     */
    public Verdict look(Cache cache, List<NodeId> members, boolean acts) {
        if (givenUp.removeAll(members)) {
            // seen before the merge is announced
            merge.begin();
        }
        boolean yields = yielding.goesOn(members, cache.available());
        if (cache.available()) {
            return Verdict.AVAILABLE;
        }
        return !yields && acts && onlyTheGoneAreMissing(cache, members) ? Verdict.CLAIM : Verdict.UNAVAILABLE;
    }

    /** Whether the acting node makes another cache available, after that of the term record. */
    public boolean follows(Cache cache, List<NodeId> members) {
        return !cache.available() && onlyTheGoneAreMissing(cache, members);
    }

    private boolean onlyTheGoneAreMissing(Cache cache, List<NodeId> members) {
        return new MissingNodes(cache.topology(), cache.present(), members)
                .areGone(node -> said.contains(node) || givenUp.contains(node), !merge.isOver());
    }
}
