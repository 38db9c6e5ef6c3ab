package io.shardbus;

/** Thread model of an entity: the event loop of its shard, or a worker thread. One message at a time in every case. */
public enum ExecutionModel {
    /** On its shard's event loop: the code must not block. */
    EVENT_LOOP,
    /** On a worker thread: the code may block. */
    WORKER,
    /** On a virtual thread: the code may block. Needs Java 21 or later; refused at start elsewhere. */
    VIRTUAL_THREAD
}
