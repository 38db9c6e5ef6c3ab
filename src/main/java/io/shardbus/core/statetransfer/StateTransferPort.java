package io.shardbus.core.statetransfer;

import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.FencingToken;

/** Port of a lane's state transfers to the lane. */
public interface StateTransferPort {
    /** Sends on the ordered channel to a lane of another node. */
    void send(PeerLane to, FrameItem item);

    /** All has come that will come: the shard may be at home here. */
    void ready(int shard, FencingToken token);

    /** No instance gets these states. */
    void lost(StateLoss loss);
}
