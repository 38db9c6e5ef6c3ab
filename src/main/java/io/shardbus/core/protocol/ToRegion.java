package io.shardbus.core.protocol;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Message of the coordinator to a region. Travels with the entity type and the coordinator's term; a lower term
 * is void.
 */
public sealed interface ToRegion {
    void accept(Visitor visitor);

    /** One method for each message. */
    interface Visitor {
        void registered(Registered message);

        void refused(Refused message);

        void leaseGranted(LeaseGranted message);

        void registerAgain(RegisterAgain message);

        void hostShard(HostShard message);

        void shardHomes(ShardHomes message);

        void beginHandoff(BeginHandoff message);

        void abortHandoff(AbortHandoff message);

        void stopRecorded(StopRecorded message);

        void leaveComplete(LeaveComplete message);
    }

    /**
     * The answer to {@link ToCoordinator.Register}.
     *
     * @param keep the reported shards that stay; the others have another home by now
     */
    record Registered(long attempt, Set<Integer> keep) implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.registered(this);
        }
    }

    /** The answer to a registration whose profile does not fit the cluster's; final. */
    record Refused(long attempt, String reason) implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.refused(this);
        }
    }

    /**
     * The answer to a heartbeat, and once more after every confirmed term and when the number of lost states grows.
     *
     * @param heartbeat the one it answers
     * @param millis the lease runs for so long from the moment at which that heartbeat was sent
     * @param founded whether the type's shards may have homes; the region says so in its next registrations
     * @param statesLost how many entities lost what they knew in moves, as the regions have said that have left; the
     *     region says so in its next registrations, and the number outlives the coordinator
     */
    record LeaseGranted(long attempt, long heartbeat, long millis, boolean founded, long statesLost)
            implements ToRegion {
        public LeaseGranted(long attempt, long heartbeat, long millis) {
            this(attempt, heartbeat, millis, false);
        }

        public LeaseGranted(long attempt, long heartbeat, long millis, boolean founded) {
            this(attempt, heartbeat, millis, founded, 0);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.leaseGranted(this);
        }
    }

    /** The coordinator does not know this registration, or knows it otherwise: register with a greater attempt. */
    record RegisterAgain(long attempt) implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.registerAgain(this);
        }
    }

    /**
     * A shard for this region; repeated after each heartbeat until {@link ToCoordinator.ShardHosted}.
     *
     * @param former the home that the shard had until just now, if entities there have handed over their states
     */
    record HostShard(
            long attempt,
            int shard,
            FencingToken token,
            @Nullable ShardHome former) implements ToRegion {
        public HostShard(long attempt, int shard, FencingToken token) {
            this(attempt, shard, token, null);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.hostShard(this);
        }
    }

    /** Homes of shards, to all regions when they change and to a region that asks. */
    record ShardHomes(List<ShardHome> homes) implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.shardHomes(this);
        }
    }

    /**
     * A shard will leave its home. Every participant holds its messages from now on and sends the home a Drained on the
     * ordered channel; the home stops the shard when all have. Repeated until the handoff ends, with fewer participants
     * when some left.
     *
     * @param version the number of this handoff
     * @param token the assignment that ends
     * @param homeLanes the lanes of the home
     * @param force the home stops without waiting for the participants
     */
    record BeginHandoff(
            int shard,
            FencingToken version,
            FencingToken token,
            NodeId home,
            int homeLanes,
            Set<NodeId> participants,
            boolean force)
            implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.beginHandoff(this);
        }
    }

    /** To the home: give up this handoff unless the stop has begun; repeated until HandoffAborted or ShardStopped. */
    record AbortHandoff(int shard, FencingToken version) implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.abortHandoff(this);
        }
    }

    /** The answer to {@link ToCoordinator.ShardStopped}, known to it or not. */
    record StopRecorded(int shard, FencingToken token) implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.stopRecorded(this);
        }
    }

    /** The answer to {@link ToCoordinator.Leave}: nothing is left at this region. */
    record LeaveComplete(long attempt) implements ToRegion {
        @Override
        public void accept(Visitor visitor) {
            visitor.leaveComplete(this);
        }
    }
}
