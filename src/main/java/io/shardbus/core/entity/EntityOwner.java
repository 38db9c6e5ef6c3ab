package io.shardbus.core.entity;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.StopReason;
import org.jspecify.annotations.Nullable;

/** Port of a cell to the shard and the lane that it lives on. Called on the lane alone, but for {@link #isLost}. */
public interface EntityOwner {
    /** The message was handled; an ask gets this answer. */
    void answered(Envelope envelope, @Nullable Object value);

    /** The message was not handled, or its handling failed. */
    void failed(Envelope envelope, Failure failure);

    /** Run the cell's mailbox soon. */
    void ready(EntityCell cell);

    /**
     * Whether an instance may start: the lease is valid, and a remembered id is stored. If not, the cell is started or
     * stopped later.
     */
    default boolean mayStart(EntityCell cell) {
        return mayRun();
    }

    /** Whether code of an instance may begin at this very moment. */
    boolean mayRun();

    /** Whether what an instance answers at this moment still counts: no other instance can have begun elsewhere. */
    boolean holdsLease();

    /**
     * Whether the shard may be at home elsewhere, though the region has its lease; any thread. True before any of its
     * messages fail for that.
     */
    boolean isLost();

    /** Whether code of an entity of this lane is on the stack: another one must wait for its turn. */
    boolean isRunning();

    /** Marks that code of this cell begins or ends on the stack. */
    void running(@Nullable EntityCell cell);

    /** There are so many more live instances, or fewer: 1, 0 or -1. */
    void live(int change);

    /** There are so many more messages in mailboxes that wait for their turn, or fewer. */
    default void waiting(int change) {}

    /** Messages that have ended now were in hand for so many microseconds; may be an estimate. */
    default void busy(long micros) {}

    /** There is one more cell with messages that its code has put aside, or one fewer: 1 or -1. */
    default void stashing(int change) {}

    /** An instance of the cell is about to start. */
    void starting(EntityCell cell);

    /** An instance begins to be passivated: a policy chose it, or it asked for that itself. */
    default void passivating() {}

    /**
     * The cell has ended and may be forgotten, if it is still the one under its id.
     *
     * @param reason why it was asked to; null if it ended by itself
     */
    void ended(EntityCell cell, @Nullable StopReason reason);

    /** The cell's stop, or its pause after a failure, must be looked at again at this moment. */
    void wakeAt(EntityCell cell, long moment);

    int mailboxSize();

    long stopTimeout();

    long now();

    /**
     * The state that the entity's instance at the former home has handed over; null if it has not, or an instance has
     * had it.
     */
    default @Nullable EntityState takeState(EntityCell cell) {
        return null;
    }

    /** The entity's instance ends for a move and hands this over. */
    default void giveState(EntityState state) {}

    /**
     * An instance that may stay has been asked for its state.
     *
     * @param known the state; null for none
     * @param refusal why it could not give one; null if it could
     */
    default void offered(EntityCell cell, @Nullable EntityState known, @Nullable String refusal) {}

    /** An instance has the state, which has so many bytes. */
    default void stateTaken(int bytes) {}

    /** No instance gets the state. */
    default void stateLost(StateLoss loss) {}
}
