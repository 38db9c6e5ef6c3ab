package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.RestartPolicy.Action;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;

/**
 * The code of one entity, as its cell runs it: one call at a time, on the lane. Each call that begins something is
 * answered to the cell on the lane, at once or later.
 */
public interface EntityCode {
    /** Makes an instance and prepares it; ends with {@link EntityCell#begun} or {@link EntityCell#startFailed}. */
    void beginStart(StartReason reason);

    /** A message has come for the instance that starts. */
    default void wanted() {}

    /** Gives the instance a message; ends with {@link EntityCell#handled}, perhaps after {@link EntityCell#decided}. */
    void beginReceive(Envelope envelope);

    /** Looks at the instance between two messages; ends with {@link EntityCell#turnEnded}. */
    void beginTurn();

    /** Asks the instance for its state, though it may stay; ends with {@link EntityCell#offered}. */
    void beginOffer();

    /**
     * Ends the instance; ends with {@link EntityCell#stopped}.
     *
     * @param offered whether it has given its state, and the state is still valid
     */
    void beginStop(StopReason reason, boolean offered);

    /** A call of this code, or what follows from its end, has thrown; the cell ends the call as a failure next. */
    void broken(Throwable fault);

    /** Forgets the instance, its timers, and code of it that still runs. */
    void discard();

    /**
     * Whether code of the instance occupies a thread of its own right now: the shard must not be given up before it
     * returns.
     */
    boolean occupiesThread();

    /** Whether something of its own will come soon for which the instance must not be passivated. */
    default boolean isAwaited() {
        return false;
    }

    /** The policy for the failure that the cell was told last. */
    RestartPolicy restartPolicy();

    /** The instance's code failed, so often in a row; its message has failed, the policy acts next. */
    default void failureTreated(Action action, int inARow) {}

    /** The message that is taken up next has waited so many milliseconds. */
    default void waited(long millis) {}

    /**
     * The instance has not ended in its time, and is ended without its consent next; its last code began so many
     * milliseconds ago.
     */
    default void overtime(StopReason reason, long millis) {}

    /** Location of the entity: the answer to a start request. */
    Object location();
}
