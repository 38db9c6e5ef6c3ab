package io.shardbus.integration.start;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.MovingCounter;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SingleNodeTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    @DisplayName("START-06 one node, one counter: three increments and one decrement give 2")
    void countsOnOneNode() {
        ClusterSharding sharding = ClusterSharding.create(vertx, TestCluster.options());
        await(sharding.start(Counter.definition()));
        EntityRef<CounterMessage> counter = sharding.entityRef(CounterMessage.COUNTER, "42");
        for (long amount : new long[] {1, 1, 1, -1}) {
            counter.tell(new CounterMessage.Add(amount));
        }
        assertEquals(2L, await(counter.ask(new CounterMessage.Get())));
        assertEquals(java.util.Set.of(sharding.self()), await(sharding.regions("counter")));
        assertEquals(
                counter, sharding.region(CounterMessage.COUNTER).orElseThrow().entityRef("42"));
        assertTrue(sharding.region(EntityType.of("counter", String.class)).isEmpty());
        new ShardingOptions().validate();
    }

    /** A lease as long as this process is not old: a wait for one of before would be late for the ask. */
    @Test
    void aloneANodeWaitsForNoLeasesOfBefore() {
        ShardingOptions options = new ShardingOptions().setLanes(2).setLeaseDurationMs(120_000);
        ClusterSharding sharding = ClusterSharding.create(vertx, options);
        await(sharding.start(Counter.definition()));
        assertEquals(0L, await(sharding.entityRef(CounterMessage.COUNTER, "42").ask(new CounterMessage.Get())));
    }

    /** States wait for longer than this test: a node that waited for somebody to fetch them would be late. */
    @Test
    void aloneStatesAreNotFetchedAndTheEndDoesNotWait() {
        ShardingOptions options =
                new ShardingOptions().setLanes(2).setLeaseDurationMs(120_000).setHandoverTimeoutMs(60_000);
        ClusterSharding sharding = ClusterSharding.create(vertx, options);
        await(sharding.start(MovingCounter.forgotten()));
        EntityRef<CounterMessage> counter = sharding.entityRef(MovingCounter.FORGOTTEN, "42");
        assertEquals(3L, await(counter.ask(new CounterMessage.AddAndGet(3))));
        Future<Void> closed = sharding.close();
        await(closed.timeout(30, TimeUnit.SECONDS));
    }

    /** It blocks its lane until the test has sent its messages, which therefore wait there. */
    private record Stopping(CompletableFuture<@Nullable Void> sent) implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            if (message.equals("hold")) {
                sent.orTimeout(30, TimeUnit.SECONDS).join();
            } else if (message.equals("stop")) {
                context.stop();
            }
            return reply(context.incarnation());
        }
    }

    @Test
    void whatWaitsOnTheLaneWhenAnEntityStopsItselfIsForTheNextInstance() {
        CompletableFuture<@Nullable Void> sent = new CompletableFuture<>();
        EntityType<String> type = EntityType.of("stopping", String.class);
        ClusterSharding sharding = ClusterSharding.create(vertx, TestCluster.options());
        await(sharding.start(EntityDefinition.of(type, id -> new Stopping(sent))));
        EntityRef<String> entity = sharding.entityRef(type, "42");
        entity.tell("hold");
        Future<String> stopped = entity.request("stop", String.class, Duration.ofSeconds(30));
        List<Future<String>> later = Stream.generate(() -> entity.request("who", String.class, Duration.ofSeconds(30)))
                .limit(20)
                .toList();
        sent.complete(null);
        String first = await(stopped);
        String next = await(later.get(0));
        assertNotEquals(first, next);
        later.forEach(answer -> assertEquals(next, await(answer)));
    }

    @Test
    void saysThatItIsAlone() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.shardbus.runtime.node.NodeAssembly");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            ClusterSharding.create(vertx, TestCluster.options());
            ClusterSharding.create(vertx, TestCluster.options());
        } finally {
            logger.setLevel(null);
            logger.detachAppender(lines);
        }
        assertEquals(
                List.of("INFO not clustered: sharding is alone in this process"),
                lines.list.stream()
                        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                        .toList());
    }
}
