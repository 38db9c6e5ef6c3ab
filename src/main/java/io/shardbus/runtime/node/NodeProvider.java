package io.shardbus.runtime.node;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardingProvider;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Vertx;
import java.util.Optional;

/** Gives {@link ClusterSharding} the nodes of this process. */
public final class NodeProvider implements ShardingProvider {
    @Override
    public ClusterSharding create(Vertx vertx, ShardingOptions options) {
        return ShardingNode.of(vertx, options);
    }

    @Override
    public Optional<ClusterSharding> find(Vertx vertx) {
        return ShardingNode.find(vertx);
    }
}
