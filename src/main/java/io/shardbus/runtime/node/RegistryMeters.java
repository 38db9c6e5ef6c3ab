package io.shardbus.runtime.node;

import io.shardbus.ClusterSharding;
import java.util.ServiceLoader;

/**
 * Service provider that registers the meters of a node in a registry which its options name: the library of meters is
 * optional, and a node without such a registry loads none of it.
 */
public interface RegistryMeters {
    /** The library's own. */
    static RegistryMeters load() {
        return ServiceLoader.load(RegistryMeters.class, RegistryMeters.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("META-INF/services/" + RegistryMeters.class.getName()
                        + " is not on the class path: keep it in a shaded jar"));
    }

    /**
     * Checks that the registry is there; registers nothing.
     *
     * @throws IllegalStateException where the library is not on the class path, or has no registry of that name
     */
    void require(String registry);

    /** Registers the meters of a node, until its sharding is closed. */
    void bind(ClusterSharding sharding, String registry);
}
