package io.shardbus.core.routing;

import io.shardbus.core.hosting.HostingPort;
import io.shardbus.core.hosting.Lease;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.FailureCode;
import java.util.List;

/**
 * Port of a lane to all that is outside. Called on the lane alone; the calls to the region's control must keep
 * their order.
 */
public interface LanePort extends HostingPort {
    /** Whether a lane of another node that has not spoken before may do so; one that may not is not answered. */
    default boolean admits(PeerLane peer) {
        return true;
    }

    /** Elapsed milliseconds, read now. */
    long now();

    /** The region's lease as it is now: what its control has granted or taken is seen at once. */
    Lease lease();

    /** To the control: homes of these shards are wanted. */
    void homesWanted(List<Integer> shards);

    /**
     * To the control: the lease ran out and work was refused for it.
     *
     * @param stay number of lease losses that the lane had executed before
     */
    void lapseSeen(long stay);

    /** To the control: everything has ended after stopAll. */
    void allStopped();

    /** Senders to this shard are to wait, as too much waits on the way to it; or need no longer. */
    void writeQueueFull(int shard, boolean full);

    /** A tell that will not be executed, or whose outcome is unknown. */
    void deadLetter(Envelope envelope, Failure reason);

    void count(FailureCode kind);

    /** Code that the lane called has thrown; the lane has gone on. */
    void fault(Throwable fault);

    /** Messages for a shard have waited for its home, and none waits any more; see {@link HomeWait}. */
    default void wasSilent(Silence silence) {}
}
