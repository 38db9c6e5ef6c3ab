package io.shardbus.core.hosting;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import org.jspecify.annotations.Nullable;

/**
 * The lane as the shards that are at home on it see it: its time, its lease, its turns, and the way to askers and other
 * lanes.
 */
public interface HostingLane {
    LaneSettings settings();

    HostingPort port();

    /** The moment of the call under way, in elapsed milliseconds. */
    long now();

    /** Number of times that the lease was lost; a shard belongs to the stay in which it came here. */
    long stay();

    /** Whether code of a shard that is hosted since that stay may begin now; to be asked right before it does. */
    boolean mayRun(long since);

    /** Whether the lease under which a shard of that stay is hosted holds at this moment. */
    boolean holdsLease(long since);

    /** Whether entity code of this lane is on the stack of the lane's thread. */
    boolean isRunning();

    /** Entity code of this shard runs on the lane's thread from now on; -1: it has returned. */
    void running(int shard);

    /** The cell wants a turn in this burst. */
    void ready(EntityCell cell);

    /** The cell wants a turn at this moment. */
    void wakeAt(EntityCell cell, long moment);

    /** The message was handled; an ask gets its answer. */
    void answered(Envelope envelope, @Nullable Object value);

    /** The message was not handled: an ask fails, a tell is a dead letter. */
    void failed(Envelope envelope, Failure failure);

    /** The shard does not leave: what its entities have sent to each other, and what had to wait, comes back. */
    void stays(int shard);

    void send(PeerLane to, FrameItem item);

    /** Everything has ended after {@link HostedShards#stopAll}. */
    void allStopped();
}
