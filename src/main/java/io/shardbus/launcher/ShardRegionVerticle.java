package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import org.jspecify.annotations.Nullable;

/**
 * A region that is deployed by configuration alone:
 *
 * <pre>{@code
 * {
 *   "type": "counter",                          // the name of the entity type
 *   "messageClass": "com.example.Message",      // as for EntityType
 *   "entityClass": "com.example.Counter",       // a public Entity with a public constructor: (String id) or ()
 *   "metricsClass": "com.example.Metrics",      // optional: a public ShardingMetrics with a public constructor without parameters
 *   "role": "backend",                          // optional: nodes without the role are proxies
 *   "numberOfShards": 100,                      // optional
 *   "proxy": false,                             // optional: true hosts nothing, and needs no entityClass
 *   "sharding": {"roles": ["backend"]}          // optional: ShardingOptions; the same for all regions of a Vertx
 * }
 * }</pre>
 *
 * The deployment completes when a coordinator has accepted the region, and fails with the key that is wrong. To undeploy
 * it hands over its shards and ends the region, in good order.
 */
public final class ShardRegionVerticle extends VerticleBase {
    private @Nullable ShardRegion<?> region;

    @Override
    public Future<?> start() {
        var config = RegionConfig.of(config());
        var sharding = ClusterSharding.create(vertx, config.sharding());
        return start(sharding, config.definition(), config.proxy()).onSuccess(started -> region = started);
    }

    private static <M> Future<? extends ShardRegion<?>> start(
            ClusterSharding sharding, EntityDefinition<M> definition, boolean proxy) {
        return proxy ? sharding.startProxy(definition) : sharding.start(definition);
    }

    @Override
    public Future<?> stop() {
        return region == null ? Future.succeededFuture() : region.leave();
    }
}
