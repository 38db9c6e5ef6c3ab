package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.healthchecks.HealthChecks;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The procedures of vertx-health-check say what the health resources do. */
class HealthProceduresTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    @Test
    void areUpWhileTheNodeServesAndDownWithTheReasonWhenItLeaves() {
        var sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        Await.result(sharding.start(EntityDefinition.of(
                EntityType.of("echo", String.class), id -> (message, context) -> Future.succeededFuture())));
        Await.until(sharding::clusterState, sharding::isReady);
        var checks = HealthChecks.create(vertx);
        HealthProcedures.registerLiveness(checks, sharding);
        HealthProcedures.registerReadiness(checks, sharding);
        assertTrue(Await.result(checks.checkStatus(HealthProcedures.LIVE)).getUp());
        assertTrue(Await.result(checks.checkStatus(HealthProcedures.READY)).getUp());

        Await.result(sharding.prepareToLeave(Duration.ZERO));
        assertTrue(Await.result(checks.checkStatus(HealthProcedures.LIVE)).getUp());
        var leaving = Await.result(checks.checkStatus(HealthProcedures.READY));
        assertFalse(leaving.getUp());
    }
}
