package io.shardbus.core.protocol;

import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Message of one node to all others, for all entity types at once. */
public sealed interface NodeMessage {
    void accept(Visitor visitor);

    /** One method for each message. */
    interface Visitor {
        void termAnnounced(TermAnnounced message);

        void abdicated(Abdicated message);

        void nodeLeaving(NodeLeaving message);

        void seatsAsked(SeatsAsked message);

        void seatAnswered(SeatAnswered message);
    }

    /**
     * The coordinator's node after every confirmed term, and each node that meets a lower term; it names its receiver
     * when no other is known to reign. Only a node that has met a higher term answers, with that term; regions
     * register.
     *
     * @param missing the nodes without which the coordinator's side goes on, or may, for members that never saw them;
     *     null if the sender does not say
     */
    record TermAnnounced(
            TermId term, NodeId coordinator, @Nullable Set<NodeId> missing) implements NodeMessage {
        public TermAnnounced {
            missing = missing == null ? null : Set.copyOf(missing);
        }

        /** Without a word about nodes that are missing. */
        public TermAnnounced(TermId term, NodeId coordinator) {
            this(term, coordinator, null);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.termAnnounced(this);
        }
    }

    /**
     * A coordinator that gave up in good order and grants nothing any more.
     *
     * @param sessions for each type, all regions that may still hold a lease, of this term or of one before; without
     *     the types of which it awaited leases that it could not name
     */
    record Abdicated(TermId term, Map<String, Set<NodeId>> sessions) implements NodeMessage {
        @Override
        public void accept(Visitor visitor) {
            visitor.abdicated(this);
        }
    }

    /**
     * A node about to leave in good order: its going needs no decision.
     *
     * @param ended whether all its regions have ended: it holds no lease and gets none. The goodbye of a region is for
     *     the coordinator of one term; this is for the next coordinator
     */
    record NodeLeaving(NodeId node, boolean ended) implements NodeMessage {
        @Override
        public void accept(Visitor visitor) {
            visitor.nodeLeaving(this);
        }
    }

    /**
     * A node that wants to found a cluster asks every member, three rounds in each attempt; answered by
     * {@link SeatAnswered}.
     *
     * @param round 0 asks for presence, 1 for a pledge to take no part in another founding for now, 2 for a final
     *     agreement
     * @param seats the seats that the cluster is to have
     */
    record SeatsAsked(NodeId node, TermId attempt, int round, Set<String> seats) implements NodeMessage {
        public SeatsAsked {
            seats = Set.copyOf(seats);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.seatsAsked(this);
        }
    }

    /**
     * A member's answer to a node that wants to found a cluster.
     *
     * @param seat the seat of the member, empty if it holds none
     * @param given whether it agrees to what the round asks for
     * @param fresh whether it has never heard of a term, and so cannot hold a lease
     * @param seats the seats that the member is configured for
     */
    record SeatAnswered(
            NodeId node, TermId attempt, int round, String seat, boolean given, boolean fresh, Set<String> seats)
            implements NodeMessage {
        public SeatAnswered {
            seats = Set.copyOf(seats);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.seatAnswered(this);
        }
    }
}
