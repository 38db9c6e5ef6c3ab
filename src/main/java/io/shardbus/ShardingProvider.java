package io.shardbus;

import io.shardbus.options.ShardingOptions;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Service provider that implements {@link ClusterSharding#create}: found by {@link ServiceLoader} once for each class
 * loader of the library, so that the public API does not depend on its implementation.
 */
public interface ShardingProvider {
    /** The provider of the library. */
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
