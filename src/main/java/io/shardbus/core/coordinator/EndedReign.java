package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.NodeId;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Leases that outlive an ended reign: those that it granted, and those of reigns before it that may not have run out.
 *
 * @param holders all regions to which it may have granted a lease
 * @param earlierUntil when leases of reigns before it have run out, on this node's clock; {@link #NOTHING_EARLIER} if
 *     they have
 */
public record EndedReign(Set<NodeId> holders, long earlierUntil) {
    /** No lease of a reign before it lasts. */
    public static final long NOTHING_EARLIER = LeaseTimes.NEVER;

    public EndedReign {
        // in their order, which a copy by Set.copyOf changes with each JVM
        holders = Collections.unmodifiableSet(new LinkedHashSet<>(holders));
    }

    /** The end of a reign that had opened: no leases of earlier reigns are left. */
    public EndedReign(Set<NodeId> holders) {
        this(holders, NOTHING_EARLIER);
    }

    /** Whether it had waited long enough for leases of reigns before it. */
    public boolean wasOpen() {
        return earlierUntil == NOTHING_EARLIER;
    }
}
