package io.shardbus.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.runtime.node.RegistryMeters;
import io.vertx.micrometer.backends.BackendRegistries;
import org.jspecify.annotations.Nullable;

/** The registries of vertx-micrometer-metrics, by the names that an application gave them. */
public final class VertxRegistryMeters implements RegistryMeters {
    @Override
    public void require(String registry) {
        if (!Registries.has(registry)) {
            throw new IllegalStateException("option 'metrics.registry' = \"" + registry + "\": no Vertx of this process"
                    + " has metrics of that name: give it MicrometerMetricsOptions with setEnabled(true) and"
                    + " setRegistryName(\"" + registry + "\") before sharding starts");
        }
    }

    @Override
    public void bind(ClusterSharding sharding, String registry) {
        Registries.bind(sharding, registry);
    }

    /** All uses of the optional library. */
    private static final class Registries {
        private static final String NEEDED = "needs io.vertx:vertx-micrometer-metrics on the class path";

        private static @Nullable MeterRegistry find(String name) {
            return BackendRegistries.getNow(name);
        }

        static boolean has(String name) {
            try {
                return find(name) != null;
            } catch (LinkageError absent) {
                throw new IllegalStateException("option 'metrics.registry' = \"" + name + "\": " + NEEDED, absent);
            }
        }

        static void bind(ClusterSharding sharding, String name) {
            MeterRegistry registry = find(name);
            if (registry == null) {
                throw new IllegalStateException("the registry '" + name + "' was stopped while sharding started");
            }
            ShardbusMetrics unused = ShardbusMetrics.bind(sharding, registry);
        }
    }
}
