package io.shardbus.model;

/**
 * A message without an answer that failed: it was not delivered, or the code of its entity failed.
 *
 * @param node where that was found
 * @param at milliseconds since 1970, by the clock of that node
 * @param shard of the entity
 * @param message the simple name of the message's class
 * @param code why, the name of a {@link FailureCode}; a node of a later build may name one that is not known here
 * @param reason in words, {@value #LONGEST_REASON} characters at most
 */
public record DeadLetter(
        NodeId node, long at, String type, int shard, String entityId, String message, String code, String reason) {
    public static final int LONGEST_REASON = 200;
}
