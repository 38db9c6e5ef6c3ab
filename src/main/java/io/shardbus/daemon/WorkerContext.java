package io.shardbus.daemon;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;

/**
 * Context of a new worker: its id, its node and its fencing token.
 *
 * @param name of the set
 * @param id the worker's number and revision
 * @param node the node on which it runs
 * @param token rises with every new home of the worker, and no worker of an earlier revision has had a higher one: pass
 *     it to external stores, which refuse writes with a lower token
 */
public record WorkerContext(String name, WorkerId id, NodeId node, FencingToken token) {
    /** 0 to {@link #total} - 1. */
    public int number() {
        return id.number();
    }

    /** Number of workers that share the work. */
    public int total() {
        return id.total();
    }
}
