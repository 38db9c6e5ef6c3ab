package io.shardbus.integration.entities;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Crash;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.CounterMessage.PutAway;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.ShardHash;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.model.TypeState;
import io.shardbus.options.EntityRecoveryOptions;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.ShardingMetrics;
import io.shardbus.store.InMemoryRememberedEntities;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an application's metrics hear, and what operators see of each shard. */
class MetricsTest {
    private static final Duration LONG_PAUSE = Duration.ofSeconds(30);

    private final Recorded recorded = new Recorded();
    private final LoneNode node = new LoneNode(options());

    private static ShardingOptions options() {
        return TestCluster.options()
                .setEntityRecovery(new EntityRecoveryOptions()
                        .setRestartBackoffMs(LONG_PAUSE.toMillis())
                        .setRestartMaxBackoffMs(LONG_PAUSE.toMillis()));
    }

    @AfterEach
    void close() {
        node.close();
    }

    /** Writes down what it hears. */
    private static final class Recorded implements ShardingMetrics {
        private final Queue<String> lives = new ConcurrentLinkedQueue<>();
        private volatile TypeState.Region sample;

        @Override
        public void entityStarted(String type, int shard, StartReason reason) {
            lives.add("started " + reason);
        }

        @Override
        public void entityStopped(String type, int shard, StopReason reason) {
            lives.add("stopped " + reason);
        }

        @Override
        public void entityFailed(String type, int shard, Throwable failure) {
            lives.add("failed " + failure.getMessage());
        }

        @Override
        public void sampled(String type, TypeState.Region region) {
            sample = region;
        }

        @Override
        public Duration sampleInterval() {
            return Duration.ofMillis(100);
        }

        void untilHeard(String... all) {
            Await.until(() -> "heard " + lives, () -> List.copyOf(lives).equals(List.of(all)));
        }
    }

    /** Fails at every call. */
    private static final class Broken implements ShardingMetrics {
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public void entityStarted(String type, int shard, StartReason reason) {
            calls.incrementAndGet();
            throw new IllegalStateException("no metrics today");
        }

        @Override
        public void entityStopped(String type, int shard, StopReason reason) {
            entityStarted(type, shard, StartReason.MESSAGE);
        }

        @Override
        public void entityFailed(String type, int shard, Throwable failure) {
            entityStarted(type, shard, StartReason.MESSAGE);
        }
    }

    private static EntityDefinition<CounterMessage> definition() {
        return Counter.definition().withNumberOfShards(4);
    }

    private static void crash(ShardRegion<CounterMessage> region) {
        assertThrows(
                ShardingException.class, () -> await(region.entityRef("one").ask(new Crash())));
    }

    @Test
    void hearOfEachLifeOfAnEntityInOrder() {
        var region = node.start(definition().withMetrics(recorded));
        await(region.entityRef("one").ask(new Get()));
        crash(region);
        recorded.untilHeard("started MESSAGE", "failed crashed on request", "stopped FAILURE", "started RESTART");
        recorded.lives.clear();
        region.entityRef("one").tell(new PutAway());
        recorded.untilHeard("stopped PASSIVATION");
        recorded.lives.clear();
        await(region.entityRef("one").ask(new Get()));
        await(region.leave());
        recorded.untilHeard("started MESSAGE", "stopped HANDOFF");
    }

    @Test
    void getSamplesOfTheRegion() {
        var region = node.start(definition()
                .withMetrics(recorded)
                .withPassivation(new PassivationOptions()
                        .setStrategy(PassivationOptions.LEAST_RECENTLY_USED)
                        .setActiveEntityLimit(4)));
        for (String id : Traffic.hundred("e")) {
            await(region.entityRef(id).ask(new Get()));
        }
        until("96 of 100 are passivated", () -> {
            var sample = recorded.sample;
            return sample != null && sample.entities() == 4 && sample.passivated() == 96;
        });
        assertEquals(node.sharding().self(), recorded.sample.node());
        assertEquals(4, recorded.sample.shards());
    }

    @Test
    void mayFailAndAreCounted() {
        var broken = new Broken();
        var region = node.start(definition().withMetrics(broken));
        crash(region);
        assertEquals(5L, await(region.entityRef("one").ask(new AddAndGet(5))));
        assertTrue(broken.calls.get() >= 4);
        assertEquals(broken.calls.get(), await(region.state()).counters().get("metrics_failures"));
    }

    @Test
    void refusesAnIntervalOutOfRange() {
        var hasty = new ShardingMetrics() {
            @Override
            public Duration sampleInterval() {
                return Duration.ofMillis(99);
            }
        };
        var refusal =
                assertThrows(IllegalArgumentException.class, () -> definition().withMetrics(hasty));
        assertTrue(refusal.getMessage().contains("100 ms to 1 hour"), refusal::getMessage);
    }

    @Test
    void operatorsSeeWhatIsRememberedAndWaitsInEachShard() {
        var store = new InMemoryRememberedEntities();
        var region =
                node.start(definition().withRestartPolicy(RestartPolicy.stop()).withRememberedEntitiesStore(store));
        await(region.entityRef("one").ask(new Get()));
        await(region.entityRef("two").ask(new Get()));
        crash(region);
        int shard = ShardHash.shard("one", 4);
        until("one waits for its pause", () -> await(region.state()).restarting() == 1);
        assertEquals(2, await(region.state()).remembered());
        var shards = await(node.sharding().typeState("counter")).shards();
        var found = shards.stream()
                .filter(state -> state.shard() == shard)
                .findFirst()
                .orElseThrow();
        assertEquals(1, found.restarting());
        assertEquals(2, shards.stream().mapToInt(TypeState.Shard::remembered).sum());
        assertEquals(1, shards.stream().mapToInt(TypeState.Shard::entities).sum());
    }
}
