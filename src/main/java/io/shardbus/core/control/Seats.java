package io.shardbus.core.control;

import io.shardbus.model.Charter;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * The seats of a cluster, as one node is configured. A seat is a place that one process holds at a time: an address
 * with a port, or a name. Only a process that holds a seat claims a term; a cluster is founded by all seats together.
 *
 * @param own the seat of this process; empty if it holds none
 * @param names all seats; empty for {@link Kind#ALONE} and {@link Kind#HOST}
 * @param ownAdded whether the list left this process out, so that it may as well hold no seat
 */
public record Seats(Kind kind, String own, Set<String> names, boolean ownAdded) {
    /** Kind of seats. */
    public enum Kind {
        /** No other process can be there. */
        ALONE,
        /** Every process of this host and of this cluster's name holds one. */
        HOST,
        /** They are listed. */
        LISTED
    }

    /** A process that no other one can meet. */
    public static final Seats ALONE = new Seats(Kind.ALONE, "", Set.of(), false);

    public Seats {
        names = Collections.unmodifiableSet(new TreeSet<>(names));
    }

    /** The processes of one host. */
    public static Seats ofHost(String own) {
        return new Seats(Kind.HOST, own, Set.of(), false);
    }

    /** Exactly these. */
    public static Seats listed(String own, Set<String> names) {
        return new Seats(Kind.LISTED, names.contains(own) ? own : "", names, false);
    }

    /**
     * These and the node's own seat, for lists in which each node names only the others; a node that no other node
     * lists holds no seat.
     */
    public static Seats listedWithOwn(String own, Set<String> names) {
        Set<String> all = new TreeSet<>(names);
        boolean added = !own.isEmpty() && all.add(own);
        return new Seats(Kind.LISTED, own, all, added);
    }

    /** Whether a cluster with these seats is the one that this node is configured for. */
    boolean fits(Set<String> others) {
        if (others.equals(names)) {
            return true;
        }
        Set<String> without = new TreeSet<>(names);
        without.remove(own);
        return ownAdded && others.equals(without);
    }

    /** Whether this process holds a seat in a cluster. */
    boolean holdsOneOf(Charter charter) {
        return kind == Kind.HOST ? charter.seats().isEmpty() : charter.seats().contains(own);
    }

    /** Whether this process may found a cluster. */
    boolean mayFound() {
        return kind != Kind.ALONE && mayClaim();
    }

    /** Whether this process may ever claim a term. */
    public boolean mayClaim() {
        return kind == Kind.ALONE || !own.isEmpty();
    }
}
