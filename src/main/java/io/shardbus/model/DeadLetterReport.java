package io.shardbus.model;

import java.util.List;
import java.util.Set;

/**
 * The last dead letters of the nodes that answered.
 *
 * @param letters the latest first
 * @param silent the members that did not answer
 */
public record DeadLetterReport(List<DeadLetter> letters, Set<NodeId> silent) {
    public DeadLetterReport {
        letters = List.copyOf(letters);
        silent = Set.copyOf(silent);
    }
}
