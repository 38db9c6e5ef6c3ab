package io.shardbus.core.routing;

import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import org.jspecify.annotations.Nullable;

/** Turns frames into what the network carries. Called on the lane alone, one frame at a time. */
public interface FrameWriter {
    void begin(PeerLane to, FrameHead head);

    /**
     * Adds an item; a failure means that it cannot be encoded or is too large, and that the frame is as before. What
     * users' codecs throw is such a failure, errors of the virtual machine aside.
     */
    @Nullable
    Failure append(FrameItem item);

    /** Whether the frame has reached its size. */
    boolean isFull();

    /**
     * Sends the frame; the result can be sent again by {@link #repeat}. It never throws: a frame that cannot leave is
     * one that was lost, and is repeated.
     */
    Object send();

    /** Sends a frame once more, unchanged. */
    void repeat(PeerLane to, Object sent);

    /** Size of the frame that was sent last, in bytes; 0 where frames have none. */
    default int bytes() {
        return 0;
    }
}
