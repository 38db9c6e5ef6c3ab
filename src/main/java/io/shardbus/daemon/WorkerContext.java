package io.shardbus.daemon;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;

/**
 * Context of a worker that starts.
 *
 * @param name of the set
 * @param id the worker's number and revision
 * @param node the node on which it runs
 * @param token rises with every new home of the worker, and is not below the token of any worker of an earlier
 *     revision: pass it to external stores that refuse writes with a lower token
 */
public record WorkerContext(String name, WorkerId id, NodeId node, FencingToken token) {
    /** 0 to {@link #total} - 1. */
    public int number() {
        return id.number();
    }

    /** Number of workers of the set that share the work. */
    public int total() {
        return id.total();
    }
}
