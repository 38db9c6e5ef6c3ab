package io.shardbus.model;

/**
 * A message without an answer that failed: it was not delivered, or the code of its entity failed.
 *
 * @param node the node that found the failure
 * @param at milliseconds since 1970, by the clock of that node
 * @param shard of the entity
 * @param message the simple name of the message's class
 * @param code the name of the {@link FailureCode} that says why; a node of a later build may send a name that this
 *     build does not know
 * @param reason in words, {@value #LONGEST_REASON} characters at most
 */
public record DeadLetter(
        NodeId node, long at, String type, int shard, String entityId, String message, String code, String reason) {
    public static final int LONGEST_REASON = 200;
}
