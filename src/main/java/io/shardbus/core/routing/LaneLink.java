package io.shardbus.core.routing;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.ConnectionReport.Flow;
import io.shardbus.model.ConnectionReport.Outbox;

/**
 * Traffic of a lane with one lane of another node, at one moment.
 *
 * @param carries whether the lane has sent more to it than greetings and acknowledgements
 * @param heardMillis how long ago a frame came last; -1 for never
 * @param roundTripMillis from a frame to its acknowledgement; -1 where it is not known
 */
public record LaneLink(
        PeerLane peer,
        boolean carries,
        Flow sent,
        Flow received,
        Outbox outbox,
        long heardMillis,
        long roundTripMillis) {}
