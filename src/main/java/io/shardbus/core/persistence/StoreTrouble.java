package io.shardbus.core.persistence;

/** Kind of a failed call of the store. */
public enum StoreTrouble {
    /** It may have taken effect. */
    UNREACHABLE,
    /** The batch was not stored, and may succeed when it is repeated. */
    REPEAT,
    /** The batch was not stored, as one of its rows is refused. */
    ROW_REFUSED,
    /** The batch was not stored, and will not be before an operator has repaired the store. */
    UNUSABLE
}
