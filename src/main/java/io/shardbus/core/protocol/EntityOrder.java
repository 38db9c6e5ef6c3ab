package io.shardbus.core.protocol;

/** Order of an operator for one entity. Constants are only ever added. */
public enum EntityOrder {
    /** Its instance ends once what waits now is handled; the next message begins another one. */
    PASSIVATE,
    /** Its instance ends once the message in hand is handled, by force when its time is up; another one begins. */
    RESTART,
    /** The messages that wait fail, the instance ends as with a restart, and the entity is not remembered any more. */
    FORGET
}
