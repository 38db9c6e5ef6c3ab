package io.shardbus.core.protocol;

import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import java.util.List;

/**
 * Message of a region to the coordinator. Travels with the entity type, the sender and the term that the sender
 * believes in.
 */
public sealed interface ToCoordinator {
    /**
     * The registrations of one region count in these bits of an attempt; above them its node counts the regions of the
     * type.
     */
    int ATTEMPT_BITS = 32;

    /**
     * First attempt number of a region.
     *
     * @param region number of the region among those that its node has started; a later region has a higher number
     */
    static long firstAttempt(long region) {
        return region << ATTEMPT_BITS;
    }

    /** Whether two attempts of a node are those of one region, and not of another that was started in its place. */
    static boolean areOfOneRegion(long attempt, long other) {
        return attempt >>> ATTEMPT_BITS == other >>> ATTEMPT_BITS;
    }

    void accept(Visitor visitor);

    /** Whether it may be the first that a coordinator hears of a type. */
    default boolean mayComeFirst() {
        return false;
    }

    /** One method for each message. */
    interface Visitor {
        void register(Register message);

        void heartbeat(Heartbeat message);

        void getShardHomes(GetShardHomes message);

        void shardHosted(ShardHosted message);

        void shardStopped(ShardStopped message);

        void handoffAborted(HandoffAborted message);

        void leave(Leave message);

        void goodbye(Goodbye message);
    }

    /**
     * A region without a valid registration: at start, after its lease ran out, on a new term. Repeated with back-off
     * until {@link ToRegion.Registered} or {@link ToRegion.Refused}. It promises to refuse lower terms from now on.
     *
     * @param attempt grows with every registration of the region; lower ones are void
     * @param shards all that it is home of
     * @param heartbeat counts as a heartbeat of this number
     * @param founded whether a coordinator has told it that the type's shards may have homes: its profile is the
     *     cluster's
     * @param ending shards that it has lost while their code still runs here: it cannot take them
     * @param statesLost the largest number that a coordinator has told it in {@link ToRegion.LeaseGranted}
     */
    record Register(
            long attempt,
            RegionProfile profile,
            List<ShardReport> shards,
            long heartbeat,
            boolean founded,
            List<ShardReport> ending,
            long statesLost)
            implements ToCoordinator {
        public Register(long attempt, RegionProfile profile, List<ShardReport> shards, long heartbeat) {
            this(attempt, profile, shards, heartbeat, false, List.of());
        }

        public Register(
                long attempt,
                RegionProfile profile,
                List<ShardReport> shards,
                long heartbeat,
                boolean founded,
                List<ShardReport> ending) {
            this(attempt, profile, shards, heartbeat, founded, ending, 0);
        }

        @Override
        public boolean mayComeFirst() {
            return true;
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.register(this);
        }
    }

    /**
     * A registered region, every tenth of a lease. Answered by {@link ToRegion.LeaseGranted} or
     * {@link ToRegion.RegisterAgain}.
     *
     * @param echo the number of the newest heartbeat for which a grant came back: proof that both ways are open
     * @param shards all that it is home of
     * @param ending shards that it has lost while their code still runs here: it cannot take them
     */
    record Heartbeat(long attempt, long number, long echo, List<ShardReport> shards, List<ShardReport> ending)
            implements ToCoordinator {
        public Heartbeat(long attempt, long number, long echo, List<ShardReport> shards) {
            this(attempt, number, echo, shards, List.of());
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.heartbeat(this);
        }
    }

    /**
     * A region with messages for shards without a known home; repeated with back-off, and with the next registration.
     * Answered by {@link ToRegion.ShardHomes}, as soon as there is one.
     */
    record GetShardHomes(long attempt, List<Integer> shards) implements ToCoordinator {
        @Override
        public void accept(Visitor visitor) {
            visitor.getShardHomes(this);
        }
    }

    /**
     * A region that took a shard. Its loss is repaired by the next heartbeat, which lists the shard.
     *
     * @param heartbeat the last heartbeat sent before: older ones do not list the shard yet
     */
    record ShardHosted(long attempt, int shard, FencingToken token, long heartbeat) implements ToCoordinator {
        @Override
        public void accept(Visitor visitor) {
            visitor.shardHosted(this);
        }
    }

    /**
     * A home whose entities of the shard have all ended; repeated until {@link ToRegion.StopRecorded}.
     *
     * @param states whether entities have handed over their states: the next home is to ask for them
     */
    record ShardStopped(int shard, FencingToken token, boolean states) implements ToCoordinator {
        public ShardStopped(int shard, FencingToken token) {
            this(shard, token, false);
        }

        /** Stopped shards are reported before the registration. */
        @Override
        public boolean mayComeFirst() {
            return true;
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.shardStopped(this);
        }
    }

    /**
     * A home that will not stop the shard in this handoff; the answer to {@link ToRegion.AbortHandoff}.
     *
     * @param cause what held the handoff up; {@link HoldUp#NONE} of an earlier build
     */
    record HandoffAborted(int shard, FencingToken version, HoldUp cause) implements ToCoordinator {
        public HandoffAborted(int shard, FencingToken version) {
            this(shard, version, HoldUp.NONE);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.handoffAborted(this);
        }
    }

    /** A region that wants to end in good order; repeated until {@link ToRegion.LeaveComplete}. */
    record Leave(long attempt) implements ToCoordinator {
        @Override
        public void accept(Visitor visitor) {
            visitor.leave(this);
        }
    }

    /**
     * A region that has stopped everything: its shards are free at once. Not answered; a lost one costs a lease time.
     *
     * @param statesLost how many entities lost what they knew in moves that this region has seen fail; its own count
     *     ends with it
     */
    record Goodbye(long attempt, long statesLost) implements ToCoordinator {
        public Goodbye(long attempt) {
            this(attempt, 0);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.goodbye(this);
        }
    }
}
