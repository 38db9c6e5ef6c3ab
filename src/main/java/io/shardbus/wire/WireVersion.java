package io.shardbus.wire;

/**
 * The number of the formats between nodes. It changes only with a break: nodes with different numbers refuse each
 * other. A change that can be skipped by a node that does not know it is a new field, kind, question or header, and
 * changes nothing here.
 */
public final class WireVersion {
    /** Wire version of this build. */
    public static final int CURRENT = 2;

    /** Wire version of the builds whose formats had no numbered fields. */
    public static final int WITHOUT_FIELDS = 1;

    private WireVersion() {}
}
