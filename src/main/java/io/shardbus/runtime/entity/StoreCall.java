package io.shardbus.runtime.entity;

/** Call of a region to the store of its persistent entities. */
public enum StoreCall {
    /** Takes logs over. */
    OPEN,
    /** Stores events or states. */
    APPEND,
    SNAPSHOT,
    /** Reads entities, or looks for newer rows of them. */
    LOAD,
    DELETE
}
