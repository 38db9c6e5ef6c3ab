package io.shardbus.model;

/** The sign by which a node noticed that a member was lost: the first one that was not refuted. */
public enum LossReason {
    /**
     * The connection between the member and the neighbour that watches it has ended: most often its process has ended.
     */
    SOCKET,
    /**
     * This node got no heartbeat of the member for the time of the failure detection: the member was frozen, or cut
     * off.
     */
    HEARTBEAT,
    /** The member and another one did not hear each other, and the member was excluded for that. */
    LINK,
    /** This node saw no sign itself: another member sent the view that no longer contains the member. */
    SUSPICION
}
