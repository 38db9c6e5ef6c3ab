package io.shardbus.model;

/** The sign by which a node noticed that a member was lost: the first one that was not refuted. */
public enum LossReason {
    /** The connection of a neighbour that watched it ended: most often its process has ended. */
    SOCKET,
    /** No heartbeat of it came here for the time of the failure detection: it was frozen, or cut off. */
    HEARTBEAT,
    /** It and another member did not hear each other, and it was excluded for that. */
    LINK,
    /** No sign of its own: this node heard it from another member, with the view without it. */
    SUSPICION
}
