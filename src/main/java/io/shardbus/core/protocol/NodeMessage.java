package io.shardbus.core.protocol;

import io.shardbus.NodeId;
import java.util.Map;
import java.util.Set;

/** What one node says to all others, for all entity types at once. */
public sealed interface NodeMessage {
    void accept(Visitor visitor);

    /** One method for each message. */
    interface Visitor {
        void termAnnounced(TermAnnounced message);

        void abdicated(Abdicated message);

        void nodeLeaving(NodeLeaving message);
    }

    /**
     * The coordinator's node after every confirmed term, and whoever meets a lower term; it names its receiver when nobody is
     * known to reign. Answered only by who has met a higher term, with that; regions register.
     */
    record TermAnnounced(TermId term, NodeId coordinator) implements NodeMessage {
        @Override
        public void accept(Visitor visitor) {
            visitor.termAnnounced(this);
        }
    }

    /**
     * A coordinator that gave up in good order and grants nothing any more.
     *
     * @param sessions for each type whose waiting time was over, all regions that may still hold a lease
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
     * @param ended whether all its regions have ended: it holds no lease and gets none. The goodbye of a region is for the
     *     coordinator of one term; this is for whoever reigns next
     */
    record NodeLeaving(NodeId node, boolean ended) implements NodeMessage {
        @Override
        public void accept(Visitor visitor) {
            visitor.nodeLeaving(this);
        }
    }
}
