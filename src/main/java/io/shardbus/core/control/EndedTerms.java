package io.shardbus.core.control;

import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The leases that may still run of the last few terms, by entity type: of terms of this node that ended, and of terms
 * that another node gave up in good order. The next reign waits for these leases only.
 *
 * <p>A statement about a term counts if its sender is the owner of that term's record, and has released it or said
 * goodbye: any member, or a client that forges one, can send a statement, and a coordinator that goes on or crashes has
 * done neither.
 */
public final class EndedTerms {
    /** More nodes than had leases of one reign, and are not members any more. */
    static final int MOST_DEPARTED = KnownMembers.MOST_DEPARTED;

    private static final int REMEMBERED = 16;

    /** A node's statement that it gave up a term. */
    private record Statement(NodeId by, TermId term) {}

    private final Map<TermId, Map<String, EndedReign>> own = new LinkedHashMap<>();
    private final Map<Statement, Map<String, EndedReign>> told = new LinkedHashMap<>();

    /**
     * A node says that it gave up a term: it lists the holders of leases only for types of which it knew all. What it
     * says again can add holders and leave out types, no more. A type with more holders than nodes can be known counts
     * as left out, also if the node names them one after the other: the next reign waits for the leases of all.
     *
     * @param members how many nodes are in the view
     * @return the types that have too many holders
     */
    public Set<String> abdicated(NodeId by, TermId ended, Map<String, Set<NodeId>> leaseHolders, int members) {
        var statement = new Statement(by, ended);
        Map<String, EndedReign> before = told.get(statement);
        Map<String, EndedReign> types = new LinkedHashMap<>();
        Set<String> impossible = new TreeSet<>();
        leaseHolders.forEach((type, holders) -> {
            EndedReign earlier = before == null ? new EndedReign(Set.of()) : before.get(type);
            if (earlier != null) {
                Set<NodeId> all = new LinkedHashSet<>(earlier.holders());
                all.addAll(holders);
                if (all.size() > members + MOST_DEPARTED) {
                    impossible.add(type);
                } else {
                    types.put(type, new EndedReign(all));
                }
            }
        });
        put(told, statement, types);
        return impossible;
    }

    /** A term of this node has ended. */
    public void remember(TermId ended, Map<String, EndedReign> types) {
        put(own, ended, types);
    }

    private static <K> void put(Map<K, Map<String, EndedReign>> reigns, K key, Map<String, EndedReign> types) {
        if (reigns.size() >= REMEMBERED && !reigns.containsKey(key)) {
            reigns.remove(reigns.keySet().iterator().next());
        }
        reigns.put(key, types);
    }

    /** The clock gained time that may not have passed: it is not known any more how long ago earlier moments were. */
    public void forgetMoments() {
        own.replaceAll((term, types) -> {
            Map<String, EndedReign> open = new LinkedHashMap<>(types);
            open.values().removeIf(ended -> !ended.wasOpen());
            return open;
        });
    }

    /** The leases that the term before a reign has left; empty when nothing is known of it. */
    public Map<String, EndedReign> before(ElectionCommand.Begin reign) {
        return of(reign.predecessor(), reign.givenUpBy());
    }

    /** @param givenUpBy the owner of the term, if it gave up in good order; else null */
    Map<String, EndedReign> of(TermId term, @Nullable NodeId givenUpBy) {
        Map<String, EndedReign> mine = own.get(term);
        if (mine != null || givenUpBy == null) {
            return mine == null ? Map.of() : mine;
        }
        return told.getOrDefault(new Statement(givenUpBy, term), Map.of());
    }
}
