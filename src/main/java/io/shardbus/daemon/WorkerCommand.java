package io.shardbus.daemon;

import io.shardbus.InternalMessage;

/** Commands of the nodes of a set to its workers; clients of the event bus cannot send them. */
enum WorkerCommand implements InternalMessage {
    /** Start the worker, unless it runs. Answered with whether it is wanted. */
    RUN,
    /** Stop it; answered when it has, or its time for that is over. */
    STOP
}
