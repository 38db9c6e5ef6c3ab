package io.shardbus.core.protocol;

/** Order of an operator for one entity. Constants are only ever added. */
public enum EntityOrder {
    /** The instance ends when the messages that wait now are handled; the next message starts another instance. */
    PASSIVATE,
    /**
     * The instance ends after the message that it handles now, by force when its time is up; another instance starts.
     */
    RESTART,
    /** The messages that wait fail, the instance ends as with a restart, and the entity is not remembered any more. */
    FORGET
}
