package io.shardbus.core.hosting;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.passivation.LanePassivation;
import io.shardbus.core.remember.RememberPort;
import io.shardbus.core.statetransfer.StateTransferSettings;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Port of the shards at home on a lane to all that is outside the core. Called on the lane alone; the calls to the
 * region's control must keep their order.
 */
public interface HostingPort {
    /** The passivation of the lane's entities; asked for once. */
    default LanePassivation passivation() {
        return LanePassivation.none();
    }

    /** The factory of cells for a shard that has come here, by their ids; they have no instance yet. */
    Function<String, EntityCell> cells(EntityOwner owner, int shard, FencingToken token);

    /**
     * To the control: the shard has stopped for a handoff.
     *
     * @param states whether its entities have handed something over
     */
    void shardStopped(int shard, FencingToken token, boolean states);

    /** To the control: what entities have handed over has come as far as it will; the shard may be at home here. */
    default void statesFetched(int shard, FencingToken token) {}

    /** Whether this node is the only member: nothing that entities hand over is fetched from here. */
    default boolean isAlone() {
        return false;
    }

    /** The bounds of what entities hand over. */
    default StateTransferSettings stateTransfer() {
        return StateTransferSettings.NOTHING;
    }

    /** Counts the outcome of so many entities' state transfers. */
    default void count(StateTransferOutcome outcome, int entities) {}

    /** An instance has a state of so many bytes that another one has handed over. */
    default void stateTaken(int bytes) {
        count(StateTransferOutcome.TAKEN, 1);
    }

    /** No instance gets these states. */
    default void stateLost(StateLoss loss) {
        count(loss.outcome(), loss.entities());
    }

    /** To the control: the last entity has ended of a shard that was dropped, whose end the coordinator is not told. */
    default void shardDropped(int shard, FencingToken token) {}

    /** To the control: the handoff was given up and the shard stays. */
    void handoffAborted(int shard, FencingToken version, HoldUp cause);

    /**
     * A shard cannot leave because an entity has been at one message, or at its start, for so long.
     *
     * @param stays whether the shard stays for it; if not, the region's leave waits
     */
    default void heldUp(int shard, String entityId, long millis, boolean stays) {}

    /**
     * An entity of the shard has been at one message, or at its start while messages wait, for longer than an ask
     * waits; once for each.
     */
    default void notAnswering(int shard, String entityId, long millis) {}

    /** The number of such entities changed by this much. */
    default void notAnswering(int change) {}

    /** A shard stays because an entity cannot take along what it knows; 0 bytes where their number is not known. */
    default void moveDeclined(int shard, String entityId, long bytes, String reason) {}

    /** A shard stays because these nodes have not drained for its handoff in so many milliseconds. */
    default void undrained(int shard, Set<NodeId> nodes, long millis) {}

    /** An instance is passivated, by a policy or by its own wish. */
    default void entityPassivated() {}

    /** The way to the store of remembered entities; null where they are not remembered. */
    default @Nullable RememberPort memory() {
        return null;
    }
}
