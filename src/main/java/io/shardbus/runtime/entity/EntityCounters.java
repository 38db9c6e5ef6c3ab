package io.shardbus.runtime.entity;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;

/** Counters of the entities of a type on one node. */
public interface EntityCounters {
    /** Code of an entity failed, and its policy did this. */
    void treated(RestartPolicy.Action action);

    /** The application's handler of failures failed itself. */
    void handlerFailed();

    /** A call of the store of the type's persistent entities failed. */
    void storeFailed(String type, String reason);

    /** A call of the store of the type's persistent entities has ended, so long after it was made. */
    default void storeAnswered(StoreCall call, boolean succeeded, long nanos) {}

    /** The store of the type's persistent entities has lost rows that it had confirmed. */
    void storeRegressed();

    /**
     * A lane has waited for the store as long as it may, and refuses commands.
     *
     * @param lane names the lane until {@link #storeReached}
     */
    void storeUnreachable(Object lane, String reason);

    /** The lane's store answers, or the lane ends. */
    void storeReached(Object lane);

    /** An entity has not ended within the stop timeout; its last code began so many milliseconds ago. */
    void stoppedByForce(String type, String entityId, int shard, StopReason reason, long millis);
}
