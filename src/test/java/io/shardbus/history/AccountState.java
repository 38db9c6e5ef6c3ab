package io.shardbus.history;

/**
 * An account as a node of examples/persistence answers it.
 *
 * @param sequenceNumber of its last event
 * @param term of the token of the home that answered, as {@code sequence}
 */
public record AccountState(
        String id, long balance, long sequenceNumber, String node, String incarnation, long term, long sequence) {
    boolean hasOlderTokenThan(AccountState other) {
        return term < other.term || (term == other.term && sequence < other.sequence);
    }
}
