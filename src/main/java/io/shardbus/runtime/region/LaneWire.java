package io.shardbus.runtime.region;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.transport.direct.LaneLinks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** By which ways the frames of a lane go and come, and how many. On the lane alone. */
final class LaneWire {
    private @Nullable LaneLinks links;
    private long busSent;
    private long busSentBytes;
    private long directSent;
    private long directSentBytes;
    private long busReceived;
    private long busReceivedBytes;
    private long directReceived;
    private long directReceivedBytes;

    /** @param opened null where the lane has no connections of its own */
    void links(@Nullable LaneLinks opened) {
        links = opened;
    }

    void sent(int bytes, boolean direct) {
        if (direct) {
            directSent++;
            directSentBytes += bytes;
        } else {
            busSent++;
            busSentBytes += bytes;
        }
    }

    void received(int bytes, boolean direct) {
        if (direct) {
            directReceived++;
            directReceivedBytes += bytes;
        } else {
            busReceived++;
            busReceivedBytes += bytes;
        }
    }

    /** Whether frames to the peer leave by a connection of the lane's own. */
    boolean isDirect(PeerLane peer) {
        return links != null && links.isOpen(peer);
    }

    /** By name; those that are 0, too. */
    Map<String, Long> counts() {
        return Map.of(
                "frames_sent_bus", busSent,
                "frames_sent_direct", directSent,
                "frames_received_bus", busReceived,
                "frames_received_direct", directReceived,
                "bytes_sent_bus", busSentBytes,
                "bytes_sent_direct", directSentBytes,
                "bytes_received_bus", busReceivedBytes,
                "bytes_received_direct", directReceivedBytes);
    }
}
