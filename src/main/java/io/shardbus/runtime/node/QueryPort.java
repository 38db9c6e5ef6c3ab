package io.shardbus.runtime.node;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;

/** Puts a query to a node: over the event bus, or here. */
interface QueryPort {
    <A extends QueryAnswer> Future<A> ask(NodeId node, Query<A> query);
}
