package io.shardbus.daemon;

import io.shardbus.InternalMessage;

/** Commands of the nodes of a set to its workers; event-bus clients cannot send them. */
enum WorkerCommand implements InternalMessage {
    /** Keep-alive: start the worker unless it runs. Answered with whether the agreed state wants it to run. */
    RUN,
    /** Stop the worker, as the set is rescaled; answered with true when it has stopped, or its stop has timed out. */
    STOP
}
