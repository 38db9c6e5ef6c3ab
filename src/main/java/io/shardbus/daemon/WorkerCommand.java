package io.shardbus.daemon;

import io.shardbus.InternalMessage;

/** Commands of the nodes of a set to its workers; clients of the event bus cannot send them. */
enum WorkerCommand implements InternalMessage {
    /** Start the worker, unless it runs. The answer says whether the agreed state wants it to run. */
    RUN,
    /** Stop the worker; answered when it has stopped, or its stop has timed out. */
    STOP
}
