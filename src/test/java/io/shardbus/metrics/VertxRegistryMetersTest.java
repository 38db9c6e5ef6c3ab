package io.shardbus.metrics;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.integration.Await;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.node.RegistryMeters;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Meters in a registry that the options name")
class VertxRegistryMetersTest {
    private static final String REGISTRY = "of-the-application";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Vertx vertx;

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private void start() {
        vertx = Vertx.builder()
                .with(new VertxOptions()
                        .setMetricsOptions(
                                new MicrometerMetricsOptions().setEnabled(true).setRegistryName(REGISTRY)))
                .withMetrics(new MicrometerMetricsFactory(registry))
                .build();
    }

    private ClusterSharding shard(String name) {
        return ClusterSharding.create(
                vertx,
                new ShardingOptions()
                        .setAwaitPredecessorLeases(false)
                        .setMetrics(new JsonObject().put("registry", name)));
    }

    @Test
    @DisplayName("the meters are in the registry of Vert.x, beside those of Vert.x, and go with the sharding")
    void registers() {
        start();
        var sharding = shard(REGISTRY);
        Await.until(
                registry::getMetersAsString,
                () -> registry.get("shardbus.members").gauge().value() == 1);
        Await.result(sharding.close());
        Await.until(
                () -> registry.getMeters(),
                () -> registry.find("shardbus.members").meter() == null);
    }

    @Test
    @DisplayName("a registry that is not there is refused at the start, with its name and what to do")
    void refusesAnUnknownName() {
        start();
        var refusal = assertThrows(IllegalStateException.class, () -> shard("another"));
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("'metrics.registry' = \"another\""), refusal::toString);
        assertTrue(String.valueOf(refusal.getMessage()).contains("setRegistryName"), refusal::toString);
        assertTrue(ClusterSharding.find(vertx).isEmpty(), "nothing was started");
    }

    @Test
    @DisplayName("a registry that refuses a meter fails the start, and the sharding ends with its Vertx all the same")
    void endsWhereTheRegistryThrows() {
        registry.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().equals("shardbus.members")) {
                    throw new IllegalArgumentException("refused");
                }
                return id;
            }
        });
        start();
        assertThrows(IllegalArgumentException.class, () -> shard(REGISTRY));
        Await.result(vertx.close());
        assertTrue(ClusterSharding.find(vertx).isEmpty(), "its end was not told");
    }

    @Test
    @DisplayName("without a registry in the options nothing is registered")
    void registersNothing() {
        start();
        shard("");
        assertNull(registry.find("shardbus.members").meter());
    }

    /** Loads the classes of the meters anew, and has no vertx-micrometer-metrics. */
    private static final class WithoutLibrary extends ClassLoader {
        WithoutLibrary() {
            super(VertxRegistryMetersTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.vertx.micrometer.")) {
                throw new ClassNotFoundException(name);
            }
            return name.startsWith(VertxRegistryMeters.class.getName()) ? anew(name) : super.loadClass(name, resolve);
        }

        private Class<?> anew(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    @DisplayName("where vertx-micrometer-metrics is absent the start says so")
    void saysWhatIsAbsent() throws Exception {
        start();
        var absent = (RegistryMeters) new WithoutLibrary()
                .loadClass(VertxRegistryMeters.class.getName())
                .getDeclaredConstructor()
                .newInstance();
        var refusal = assertThrows(IllegalStateException.class, () -> absent.require(REGISTRY));
        assertTrue(
                String.valueOf(refusal.getMessage())
                        .contains("needs io.vertx:vertx-micrometer-metrics on the class path"),
                refusal::toString);
    }
}
