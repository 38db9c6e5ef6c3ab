package io.shardbus.model;

/** The sign by which a node noticed that a member was lost: the first one that was not refuted. */
public enum LossReason {
    /** Its connection to the neighbour that watches it ended: most often its process has ended. */
    SOCKET,
    /** This node got no heartbeat from it for the time of the failure detection: it was frozen, or cut off. */
    HEARTBEAT,
    /** It and another member did not hear each other, and it was excluded for that. */
    LINK,
    /** This node had no sign itself: another member sent the view without the lost one. */
    SUSPICION
}
