package io.shardbus.core.region;

/** Status of a region at its coordinator. */
public enum RegionStatus {
    /** No coordinator is known, or it has not answered yet. */
    REGISTERING,
    /** Accepted, and the lease is valid. */
    REGISTERED,
    /** The lease ran out; entities are being stopped. */
    LAPSED,
    /** Its configuration does not fit the cluster's. Final. */
    REFUSED,
    /** Ended in good order. Final. */
    LEFT;

    boolean isFinal() {
        return this == REFUSED || this == LEFT;
    }
}
