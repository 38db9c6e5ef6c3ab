package io.shardbus.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.model.ClusterEvent;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.events.EventRing;
import io.shardbus.runtime.node.ShardingNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meters of a node that is alone follow")
class MeterFiguresTest {
    private static final EntityType<String> TYPE = EntityType.of("figures", String.class);
    private static final Duration ASK = Duration.ofSeconds(10);

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Promise<String> held = Promise.promise();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private ClusterSharding sharding;
    private ShardRegion<String> region;

    /** Holds a message, puts messages aside, and brings them back. */
    private final class Holder implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return switch (message) {
                case "hold" -> held.future();
                case "block" -> {
                    block();
                    yield done();
                }
                case "aside" -> {
                    context.stash();
                    yield done();
                }
                case "discard" -> {
                    context.discardStash();
                    yield done();
                }
                default -> reply(message);
            };
        }
    }

    /** Blocks the lane until the test releases it, as code that waits in a callback does. */
    private void block() {
        try {
            assertTrue(blocked.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @BeforeEach
    void start() {
        sharding = ClusterSharding.create(
                vertx, new ShardingOptions().setAwaitPredecessorLeases(false).setLatencySampling(1));
        ShardbusMetrics.bind(sharding, registry, Duration.ofMillis(20));
        region = Await.result(
                sharding.start(EntityDefinition.of(TYPE, id -> new Holder()).withNumberOfShards(4)));
        Await.result(region.ready());
        Await.until(
                () -> "no meters of the type",
                () -> registry.find("shardbus.reminders.due").gauge() != null);
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private Future<String> ask(String id, String message) {
        return region.entityRef(id).request(message, String.class, ASK);
    }

    private double gauge(String name, String... tags) {
        return registry.get("shardbus." + name).tags(tags).gauge().value();
    }

    private double count(String name, String... tags) {
        return registry.get("shardbus." + name).tags(tags).functionCounter().count();
    }

    private void untilGauge(double wanted, String name, String... tags) {
        Await.until(() -> name + " = " + gauge(name, tags), () -> gauge(name, tags) == wanted);
    }

    @Test
    @DisplayName("messages that wait in mailboxes, until they are handled")
    void waiting() {
        var first = ask("a", "hold");
        var second = ask("a", "x");
        var third = ask("a", "y");
        var other = ask("b", "hold");
        untilGauge(2, "mailbox.waiting");
        held.complete("now");
        Await.result(Future.all(first, second, third, other));
        untilGauge(0, "mailbox.waiting");
    }

    @Test
    @DisplayName(
            "each move that ends, also of more than a node keeps, and those that ended before the meters were there")
    void manyMoves() {
        var events = ((ShardingNode) sharding).meters().events();
        int many = 3 * EventRing.CAPACITY;
        for (int i = 0; i < many; i++) {
            events.add(
                    ClusterEvent.Kind.SHARD_MOVED,
                    "figures/1",
                    Map.of("type", "figures", "cause", "rebalance", "forced", false, "durationMs", 5L));
        }
        assertEquals(many, moves(registry));
        var late = new SimpleMeterRegistry();
        ShardbusMetrics.bind(sharding, late, Duration.ofMinutes(1));
        assertEquals(EventRing.CAPACITY, moves(late), "with all meters at once");
    }

    private static double moves(MeterRegistry registry) {
        return registry.get("shardbus.shard.moves")
                .tags("type", "figures", "cause", "rebalance", "outcome", "moved")
                .counter()
                .count();
    }

    @Test
    @DisplayName("how old the figures are, while code blocks a lane")
    void age() {
        untilGauge(0, "mailbox.waiting");
        region.entityRef("a").tell("block");
        Await.until(() -> "the figures are " + gauge("sample.age") + " s old", () -> gauge("sample.age") > 0.5);
        blocked.countDown();
        Await.until(() -> "the figures are " + gauge("sample.age") + " s old", () -> gauge("sample.age") < 0.5);
        assertTrue(gauge("loop.lag") >= 0);
    }

    @Test
    @DisplayName("messages that wait as their region leaves: none is left behind")
    void leaves() {
        var late = ask("a", "hold");
        var waiting = ask("a", "x");
        untilGauge(1, "mailbox.waiting");
        held.complete("now");
        Await.result(late);
        Await.result(waiting);
        Await.result(region.leave());
        Await.until(
                () -> "meters of the type are left: " + registry.getMetersAsString(),
                () -> registry.find("shardbus.mailbox.waiting").gauge() == null
                        && registry.find("shardbus.store.duration").timer() == null
                        && registry.find("shardbus.shard.entities").summary() == null);
    }

    @Test
    @DisplayName("entities that have put messages aside, each once")
    void stashed() {
        var first = ask("a", "aside");
        var second = ask("a", "aside");
        var other = ask("b", "aside");
        untilGauge(2, "entities", "state", "stashed");
        assertEquals(0, gauge("mailbox.waiting"));
        region.entityRef("a").tell("discard");
        untilGauge(1, "entities", "state", "stashed");
        region.entityRef("b").tell("discard");
        untilGauge(0, "entities", "state", "stashed");
        assertTrue(first.failed() && second.failed(), "what was put aside is refused");
        Await.until(() -> "the last one is not refused", other::failed);
        assertEquals(0, gauge("mailbox.waiting"));
    }

    @Test
    @DisplayName("messages that met an active instance, and those that had to start one")
    void hits() {
        String policy = region.passivation().getStrategy();
        for (int i = 0; i < 3; i++) {
            Await.result(ask("a", "x"));
        }
        Await.result(ask("b", "x"));
        Await.until(
                () -> registry.getMetersAsString(),
                () -> count("passivation.hits", "policy", policy) == 2
                        && count("passivation.misses", "policy", policy) == 2);
    }

    @Test
    @DisplayName("what single shards do, without naming them")
    void shards() {
        for (int i = 0; i < 40; i++) {
            Await.result(ask("e" + i, "x"));
        }
        var entities = registry.get("shardbus.shard.entities").summary();
        Await.until(() -> "max " + entities.max(), () -> entities.max() >= 10);
        var messages = registry.get("shardbus.shard.messages").summary();
        Await.until(() -> "max " + messages.max(), () -> {
            region.entityRef("e1").tell("x");
            return messages.max() > 0;
        });
        assertTrue(messages.count() > 0, () -> "" + messages.count());
        var busy = registry.get("shardbus.shard.busy").summary();
        Await.until(() -> "max " + busy.max(), () -> {
            region.entityRef("e1").tell("x");
            return busy.max() > 0;
        });
    }

    @Test
    @DisplayName("requests for homes, and what keeps the term")
    void durations() {
        Await.result(ask("a", "x"));
        assertEquals(1, registry.get("shardbus.shard.home.duration").timer().count());
        var confirmed = registry.get("shardbus.coordinator.confirm.duration").timer();
        Await.until(() -> "no confirmation", () -> confirmed.count() > 0);
        assertTrue(confirmed.max(TimeUnit.SECONDS) < 60, () -> "" + confirmed.max(TimeUnit.SECONDS));
    }

    @Test
    @DisplayName("pins of shards")
    void pinned() {
        Await.result(ask("a", "x"));
        assertEquals(0, gauge("shards", "state", "resting"));
        Await.result(sharding.operations().pin("figures", 1, sharding.self()));
        untilGauge(1, "shards", "state", "pinned");
        Await.result(sharding.operations().unpin("figures", 1));
        untilGauge(0, "shards", "state", "pinned");
    }
}
