package io.shardbus;

import io.shardbus.options.ShardingOptions;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * What stands behind {@link ClusterSharding#create}: found by {@link ServiceLoader} once for each class loader of the
 * library, so that the public face depends on nothing that carries it out.
 */
public interface ShardingProvider {
    /** The library's own. */
    ShardingProvider INSTANCE = ServiceLoader.load(ShardingProvider.class, ShardingProvider.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(
                    "META-INF/services/io.shardbus.ShardingProvider is not on the class path: keep it in "
                            + "a shaded jar"));

    /** As {@link ClusterSharding#create}. */
    ClusterSharding create(Vertx vertx, ShardingOptions options);

    /** As {@link ClusterSharding#find}. */
    Optional<ClusterSharding> find(Vertx vertx);
}
