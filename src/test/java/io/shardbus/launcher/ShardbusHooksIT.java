package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.launcher.application.HookContext;
import io.vertx.launcher.application.VertxApplication;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A node that the launcher of Vert.x starts. */
class ShardbusHooksIT {
    private static final EntityType<String> GREETER = EntityType.of("greeter", String.class);

    private final CompletableFuture<HookContext> deployed = new CompletableFuture<>();

    /** What an application deploys. */
    private static final class Main extends VerticleBase {
        @Override
        public Future<?> start() {
            return ClusterSharding.create(vertx, ClusterTestKit.options())
                    .start(EntityDefinition.of(GREETER, Greeter::new))
                    .compose(region -> region.ready());
        }
    }

    /** Hooks of an application beside those of sharding. */
    private final class Hooks extends ShardbusHooks {
        Hooks(ClusterOptions cluster) {
            super(cluster);
        }

        @Override
        public Supplier<? extends Deployable> verticleSupplier() {
            return Main::new;
        }

        @Override
        public void afterVerticleDeployed(HookContext context) {
            deployed.complete(context);
        }

        @Override
        public void afterFailureToStartVertx(HookContext context, Throwable failure) {
            deployed.completeExceptionally(failure);
        }

        @Override
        public void afterFailureToDeployVerticle(HookContext context, Throwable failure) {
            deployed.completeExceptionally(failure);
        }
    }

    @Test
    void joinsTheClusterAndMovesItsShardsBeforeItIsClosed() {
        try (var others = ClusterTestKit.start(1)) {
            others.startType(EntityDefinition.of(GREETER, Greeter::new));
            var hooks = new Hooks(new ClusterOptions()
                    .setClusterName(others.name())
                    .setBindAddress("127.0.0.1")
                    .setBindPort(ClusterTestKit.freePort())
                    .setPeers(others.peers()));
            new VertxApplication(new String[] {"-cluster", "-cluster-host", "127.0.0.1"}, hooks).launch();
            HookContext context = deployed.join();
            Vertx vertx = context.vertx();
            try {
                others.untilMembers(2);
                hooks.beforeStoppingVertx(context);
                assertTrue(ClusterSharding.find(vertx).orElseThrow().isLeaving());
                var shards = ClusterTestKit.await(others.node(0).sharding().typeState(GREETER.name()))
                        .shards();
                var left = ShardbusClusterManager.of(vertx).nodeId();
                assertEquals(
                        List.of(),
                        shards.stream()
                                .filter(shard -> left.equals(shard.home()))
                                .toList());
            } finally {
                ClusterTestKit.await(vertx.close());
            }
            others.untilMembers(1);
        }
    }
}
