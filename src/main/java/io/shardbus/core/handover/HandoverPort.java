package io.shardbus.core.handover;

import io.shardbus.FencingToken;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.core.entity.StateLoss;

/** What the states of a lane need of the lane. */
public interface HandoverPort {
    /** Sends on the ordered channel to a lane of another node. */
    void send(PeerLane to, FrameItem item);

    /** All has come that will come: the shard may be at home here. */
    void ready(int shard, FencingToken token);

    /** No instance gets these states. */
    void lost(StateLoss loss);
}
