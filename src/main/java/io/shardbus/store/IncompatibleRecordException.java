package io.shardbus.store;

import io.shardbus.wire.WireVersion;

/**
 * An intact record of a build that this build cannot share a cluster with: stop the nodes of that build before this
 * node starts.
 */
public final class IncompatibleRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param found the wire version of those nodes */
    public IncompatibleRecordException(int found) {
        super("the cluster's term record is of nodes with wire version " + found
                + ", this build of Shardbus has wire version " + WireVersion.CURRENT
                + ": stop all nodes of the other build before you start one of this");
    }
}
