package io.shardbus.store;

import io.shardbus.wire.WireVersion;

/**
 * A record that is whole, but of builds that this one cannot work with: their nodes must stop before this one may run.
 */
public final class IncompatibleRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param found the version of the formats between those nodes */
    public IncompatibleRecordException(int found) {
        super("the cluster's term record is of nodes with wire version " + found
                + ", this build of Shardbus has wire version " + WireVersion.CURRENT
                + ": stop all nodes of the other build before you start one of this");
    }
}
