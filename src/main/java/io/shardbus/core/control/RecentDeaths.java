package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The lost members that are proven dead since this node last took part in its cluster for certain. Before they died
 * they may have gone on without this node, together with others that were lost. It took part at a moment if the term of
 * its own reign, or of the coordinator that granted it a lease as to a member, was confirmed by a write that was sent
 * then: nodes that were dead before cannot have left it behind later. Single owner; moments are elapsed milliseconds.
 */
final class RecentDeaths {
    private static final int MOST = 512;

    private final Map<NodeId, Long> provenAt = new LinkedHashMap<>();

    /** The first proof of a death counts. */
    void proven(NodeId node, long now) {
        provenAt.putIfAbsent(node, now);
        if (provenAt.size() > MOST) {
            provenAt.remove(provenAt.keySet().iterator().next());
        }
    }

    /** The clock gained time that may not have passed: the proofs may be that much nearer to what is sent next. */
    void postpone(long gained) {
        provenAt.replaceAll((node, proof) -> proof + gained);
    }

    /** A write that was sent at that moment, or later, confirmed the term of a reign that this node takes part in. */
    void tookPart(long sent) {
        provenAt.values().removeIf(proof -> proof < sent);
    }

    /** All seats hold to a founding with this side: no other can have gone on. */
    void clear() {
        provenAt.clear();
    }

    /**
     * Whether no other node is missing than this one. Alone it cannot have gone on: of the members that had the caches,
     * this node among them, one is half at most.
     *
     * @param missing the nodes without which this side is, or went on earlier
     */
    boolean isAlone(NodeId node, Collection<NodeId> missing) {
        return Stream.concat(missing.stream(), provenAt.keySet().stream()).allMatch(node::equals);
    }
}
