package io.shardbus.core.protocol;

import io.shardbus.NodeId;

/**
 * The one record of the cluster: who reigns. Only a compare-and-set on it that returned true gives authority.
 *
 * @param beat counts the confirmations of the reign; {@link #RELEASED} when the owner gave up in good order
 */
public record TermRecord(long term, NodeId owner, long incarnation, long beat) {
  /** The beat of a record whose owner gave up in good order. */
  public static final long RELEASED = -1;

  public TermId termId() {
    return new TermId(term, incarnation);
  }

  public boolean isReleased() {
    return beat == RELEASED;
  }
}
