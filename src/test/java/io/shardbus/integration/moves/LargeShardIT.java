package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One shard that remembers a hundred thousand entities, on real nodes. */
class LargeShardIT {
    private static final int IDS = 100_000;
    private static final int AT_ONCE = 10_000;
    private static final Duration LONG = Duration.ofMinutes(1);

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static EntityDefinition<CounterMessage> remembered() {
        return Counter.definition().withNumberOfShards(1).withRememberEntities(true);
    }

    private static void startAll(ShardRegion<CounterMessage> region) {
        for (int from = 0; from < IDS; from += AT_ONCE) {
            List<Future<EntityLocation>> started = new ArrayList<>();
            for (int id = from; id < from + AT_ONCE; id++) {
                started.add(region.entityRef("e" + id).start());
            }
            await(Future.all(started));
        }
    }

    @Tag("long-fault")
    @Test
    void aShardWithAHundredThousandEntitiesMovesAndIsAnsweredMeanwhile() {
        cluster.start(2, TestCluster.options().setRebalanceIntervalMs(0).setAskTimeoutMs(LONG.toMillis()))
                .startType(remembered());
        TestCluster.Node client = cluster.node(0);
        ShardRegion<CounterMessage> region = await(client.sharding().start(remembered()));
        startAll(region);
        TypeState.Shard before =
                await(client.sharding().typeState("counter")).shards().get(0);
        assertEquals(IDS, before.entities());
        assertEquals(1, await(client.sharding().drain(before.home())));
        for (int i = 0; i < 100; i++) {
            assertEquals(1L, await(region.entityRef("e" + i * 997).ask(new AddAndGet(1), LONG)), "a new instance");
        }
        until("all live at the next home", () -> {
            TypeState.Shard after =
                    await(client.sharding().typeState("counter")).shards().get(0);
            return !after.home().equals(before.home())
                    && Integer.valueOf(IDS).equals(after.entities())
                    && Integer.valueOf(IDS).equals(after.remembered());
        });
        assertTrue(await(region.state()).counters().getOrDefault("memory_failures", 0L) == 0);
    }
}
