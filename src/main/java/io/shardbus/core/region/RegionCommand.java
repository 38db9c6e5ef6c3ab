package io.shardbus.core.region;

import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.StopReason;
import java.util.List;

/**
 * Command of a region; a list of them is executed in its order. Those for lanes reach every lane in the order in which
 * they are given.
 */
public sealed interface RegionCommand {
    void accept(Visitor visitor);

    /** One method for each command. */
    interface Visitor {
        void send(Send command);

        void hostShard(HostShard command);

        void fetchStates(FetchStates command);

        void dropShard(DropShard command);

        void stopShard(StopShard command);

        void wantLease(WantLease command);

        void showHomes(ShowHomes command);

        void beginHandoff(ForwardHandoff command);

        void abortHandoff(AbortHandoff command);

        void cancelHandoffs(CancelHandoffs command);

        void extendLease(ExtendLease command);

        void stopAll(StopAll command);

        void statusChanged(StatusChanged command);
    }

    /** Send a message to the coordinator of the present term. */
    record Send(ToCoordinator message) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.send(this);
        }
    }

    /** The shard's lane hosts the shard from now on. */
    record HostShard(int shard, FencingToken token) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.hostShard(this);
        }
    }

    /** The shard's lane fetches the states of its entities from the former home, and reports when they have come. */
    record FetchStates(int shard, FencingToken token, ShardHome former) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.fetchStates(this);
        }
    }

    /** The shard's lane stops the shard without a word to the coordinator: it has another home. */
    record DropShard(int shard, FencingToken token) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.dropShard(this);
        }
    }

    /** The shard's lane stops the shard, whose external lease is lost, and reports when it has stopped. */
    record StopShard(int shard, FencingToken token) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.stopShard(this);
        }
    }

    /**
     * Acquire the external lease of a shard, without a time limit, and report when it is held; or release it, as the
     * shard does not start. The lease of a shard that has started is released when its lane has ended it.
     */
    record WantLease(int shard, boolean wanted) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.wantLease(this);
        }
    }

    /** The shards' lanes learn where the shards are. */
    record ShowHomes(List<ShardHome> homes) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.showHomes(this);
        }
    }

    /**
     * The shard's lane holds its messages, says Drained to the home, and stops the shard in time if it is the home.
     *
     * @param mayStay whether the home may keep the shard if an entity delays the handoff; false where the region leaves
     */
    record ForwardHandoff(BeginHandoff message, boolean mayStay) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.beginHandoff(this);
        }
    }

    /** The shard's lane aborts the handoff unless its stop has begun. */
    record AbortHandoff(int shard, FencingToken version) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.abortHandoff(this);
        }
    }

    /** All lanes abort all handoffs whose stop has not begun: their coordinator is gone. */
    record CancelHandoffs() implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.cancelHandoffs(this);
        }
    }

    /** All lanes may run entities until this moment. */
    record ExtendLease(long until) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.extendLease(this);
        }
    }

    /** All lanes stop all shards and forget all homes; each answers when its last entity has ended. */
    record StopAll(StopReason reason) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.stopAll(this);
        }
    }

    /** The region has come to another status; the text says why. */
    record StatusChanged(RegionStatus status, String reason) implements RegionCommand {
        @Override
        public void accept(Visitor visitor) {
            visitor.statusChanged(this);
        }
    }
}
