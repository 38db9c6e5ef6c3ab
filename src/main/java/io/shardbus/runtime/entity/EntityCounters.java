package io.shardbus.runtime.entity;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;

/** What is counted of the entities of a type on one node. */
public interface EntityCounters {
    /** Code of an entity failed, and its policy did this. */
    void treated(RestartPolicy.Action action);

    /** The application's handler of failures failed itself. */
    void handlerFailed();

    /** A call of the store of the type's persistent entities failed. */
    void storeFailed(String type, String reason);

    /** An entity has not ended within the stop timeout; its last code began so many milliseconds ago. */
    void stoppedByForce(String entity, int shard, StopReason reason, long millis);
}
