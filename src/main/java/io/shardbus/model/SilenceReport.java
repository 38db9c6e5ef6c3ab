package io.shardbus.model;

import java.util.List;
import java.util.Set;

/**
 * The last waits for homes, as the senders of the nodes that answered saw them.
 *
 * @param silences the latest first
 * @param silent the members that did not answer
 */
public record SilenceReport(List<ShardSilence> silences, Set<NodeId> silent) {
    public SilenceReport {
        silences = List.copyOf(silences);
        silent = Set.copyOf(silent);
    }
}
