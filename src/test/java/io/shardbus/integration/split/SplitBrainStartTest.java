package io.shardbus.integration.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.integration.SharedArbiter;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.SplitDecision;
import io.shardbus.model.SplitSnapshot;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.SplitBrainOptions;
import io.shardbus.spi.DeathWitness;
import io.shardbus.spi.SplitBrainStrategy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SplitBrainStartTest {
    /** A strategy whose constructor fails. */
    public static final class Broken implements SplitBrainStrategy {
        public Broken() {
            throw new IllegalStateException("no");
        }

        @Override
        public SplitDecision decide(SplitSnapshot snapshot) {
            return SplitDecision.GO_ON;
        }
    }

    /** A strategy that needs something that the node does not give it. */
    public static final class Needy implements SplitBrainStrategy {
        public Needy(String what) {}

        @Override
        public SplitDecision decide(SplitSnapshot snapshot) {
            return SplitDecision.GO_ON;
        }
    }

    private static ShardingOptions custom(String name) {
        return TestCluster.options().setSplitBrain(new SplitBrainOptions().setStrategy(name));
    }

    @ParameterizedTest(name = "CONF-03 {0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            com.example.Missing | the class cannot be loaded
            io.shardbus.integration.split.SplitBrainStartTest$Broken | its constructor failed: java.lang.IllegalStateException: no
            io.shardbus.integration.split.SplitBrainStartTest$Needy | needs a public constructor
            io.shardbus.integration.Counter | does not implement io.shardbus.spi.SplitBrainStrategy
            io.shardbus.spi.SplitBrainStrategy | public and not abstract
            """)
    void doesNotStartWithAStrategyThatCannotBeMade(String name, String reason) {
        Vertx vertx = Vertx.vertx();
        try {
            var options = custom(name);
            var refusal = assertThrows(IllegalArgumentException.class, () -> ClusterSharding.create(vertx, options));
            assertTrue(refusal.getMessage().contains("'splitBrain.strategy' = \"" + name), refusal.getMessage());
            assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
        } finally {
            TestCluster.await(vertx.close());
        }
    }

    /** A user's witness, which never knows. */
    public static final class Silent implements DeathWitness {
        @Override
        public Future<DeathWitness.Verdict> ask(Suspect vanished) {
            return Future.succeededFuture(DeathWitness.Verdict.UNKNOWN);
        }
    }

    @Test
    @DisplayName("CONF-03 a death witness that cannot be made stops the start; CONF-02 a user's is made from its name")
    void witness() {
        Vertx vertx = Vertx.vertx();
        try {
            var missing = TestCluster.options().setDeathWitness("com.example.Missing");
            var refusal = assertThrows(IllegalArgumentException.class, () -> ClusterSharding.create(vertx, missing));
            assertTrue(refusal.getMessage().contains("'deathWitness' = \"com.example.Missing\""), refusal.getMessage());
            var good = TestCluster.options().setDeathWitness(Silent.class.getName());
            assertEquals(
                    Silent.class.getName(),
                    ClusterSharding.create(vertx, good).options().getDeathWitness());
        } finally {
            TestCluster.await(vertx.close());
        }
    }

    @Test
    @DisplayName(
            "CONF-03 an arbiter that cannot be made stops the start too; CONF-02 one that can is made from its name")
    void arbiter() {
        Vertx vertx = Vertx.vertx();
        try {
            var lease = new SplitBrainOptions().setStrategy("lease-majority");
            var missing = TestCluster.options().setSplitBrain(lease.setArbiter("com.example.Missing"));
            assertThrows(IllegalArgumentException.class, () -> ClusterSharding.create(vertx, missing));
            var good = TestCluster.options().setSplitBrain(lease.setArbiter(SharedArbiter.class.getName()));
            ClusterSharding sharding = ClusterSharding.create(vertx, good);
            assertEquals("lease-majority", sharding.options().getSplitBrain().getStrategy());
        } finally {
            TestCluster.await(vertx.close());
        }
    }
}
