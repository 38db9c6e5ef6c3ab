package io.shardbus.core.persistence;

/** Kind of a failed call of the store. */
public enum StoreTrouble {
    /** It may have taken effect. */
    UNREACHABLE,
    /** It has not, and may succeed when it is repeated. */
    REPEAT,
    /** It has not, since one of its rows is refused. */
    ROW_REFUSED,
    /** It has not, and will not before an operator has mended something. */
    UNUSABLE
}
