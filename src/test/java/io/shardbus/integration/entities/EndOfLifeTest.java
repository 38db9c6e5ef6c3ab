package io.shardbus.integration.entities;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.MovingCounter;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;
import io.shardbus.options.PassivationOptions;
import io.shardbus.runtime.region.RegionPassivation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How instances end: at their own wish, and by the policy for what they threw. */
class EndOfLifeTest {
    private static LoneNode node;

    /** What the instances saw: their incarnation's last part, and the message or the reason of the end. */
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options()
                .setPassivation(new PassivationOptions()
                        .setStrategy(PassivationOptions.LEAST_RECENTLY_USED)
                        .setActiveEntityLimit(1)));
    }

    @AfterAll
    static void close() {
        node.close();
    }

    /** Ends as the first message says; holds the message "hold" until the gate opens. */
    private final class Ending implements Entity<String> {
        private final Future<Void> gate;
        private int number;

        Ending(Future<Void> gate) {
            this.gate = gate;
        }

        @Override
        public Future<?> started(EntityContext<String> context) {
            number = (int) seen.stream().filter("started"::equals).count() + 1;
            seen.add("started");
            return done();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            seen.add(number + " " + message);
            if (message.equals("passivate")) {
                context.passivate();
            } else if (message.equals("passivate with a word")) {
                context.passivate("goodbye");
            } else if (message.equals("hold")) {
                return gate.map(message);
            }
            return reply(number + " " + message);
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            seen.add(number + " " + reason);
            return done();
        }
    }

    @Test
    @DisplayName("PASS-43 what waits at a passivation is for this instance, what comes behind it for the next one")
    void whatComesBehindIsForTheNext() {
        Promise<Void> gate = Promise.promise();
        EntityRef<String> entity = node.startOne(texts(id -> new Ending(gate.future())));
        Future<String> held = ask(entity, "hold");
        Future<String> passivated = ask(entity, "passivate");
        Future<String> waiting = ask(entity, "waits");
        until("it is at the first", () -> seen.contains("1 hold"));
        gate.complete();
        await(held);
        await(passivated);
        assertEquals("1 waits", await(waiting));
        assertEquals("2 next", await(ask(entity, "next")));
        assertEquals(
                List.of("started", "1 hold", "1 passivate", "1 waits", "1 PASSIVATION", "started", "2 next"), seen);
    }

    @Test
    @DisplayName("PASS-43 a passivation with a stop message of its own sends that one, and not the type's")
    void hasALastMessageOfItsOwn() {
        EntityRef<String> entity =
                node.startOne(texts(id -> new Ending(Future.succeededFuture())).withStopMessage("the type's"));
        await(ask(entity, "passivate with a word"));
        assertEquals("2 again", await(ask(entity, "again")));
        await(ask(entity, "passivate"));
        assertEquals("3 again", await(ask(entity, "again")));
        assertEquals(
                List.of("1 passivate with a word", "1 goodbye", "1 PASSIVATION", "2 again", "2 passivate"),
                seen.stream().filter(line -> !line.equals("started")).limit(5).toList());
        assertTrue(seen.contains("2 the type's"), seen::toString);
    }

    @Test
    void decidesByTheClassOfTheFailure() {
        RestartPolicy twice = RestartPolicy.resume().withLimit(1, Duration.ofMinutes(1));
        EntityRef<String> entity = node.startOne(texts(id -> (message, context) -> {
                    switch (message) {
                        case "resume" -> throw new IllegalArgumentException("as IllegalStateException has a policy");
                        case "below" -> throw new NumberFormatException("below IllegalArgumentException");
                        case "stop" -> throw new UnsupportedOperationException("stops");
                        case "other" -> throw new IllegalStateException("restarts");
                        case "limited" -> throw new UncheckedIOException(new java.io.IOException("once"));
                        default -> {
                            return Future.succeededFuture(context.incarnation());
                        }
                    }
                })
                .withRestartPolicy(RestartPolicy.restart())
                .withRestartPolicy(IllegalArgumentException.class, RestartPolicy.resume())
                .withRestartPolicy(UnsupportedOperationException.class, RestartPolicy.stop())
                .withRestartPolicy(UncheckedIOException.class, twice));
        String first = await(ask(entity, "who"));
        for (String resumed : List.of("resume", "below", "limited", "resume", "below")) {
            assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(entity, resumed)));
            assertEquals(first, await(ask(entity, "who")), resumed);
        }
        assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(entity, "limited")));
        String second = await(ask(entity, "who"));
        assertNotEquals(first, second, "the limit counts what it dealt with");
        assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(entity, "other")));
        String third = await(ask(entity, "who"));
        assertNotEquals(second, third);
        Future<String> stopped = ask(entity, "stop");
        assertEquals(FailureCode.ENTITY_FAILED, failureCode(stopped));
        assertNotEquals(third, await(ask(entity, "who")));
    }

    @Test
    void remembersWithoutThePolicyOfTheNode() {
        try (LogLines lines = new LogLines(RegionPassivation.class.getName()).withInformation()) {
            ShardRegion<String> region = node.start(texts(id -> (message, context) -> Future.succeededFuture(message))
                    .withRememberEntities(true));
            assertEquals(PassivationOptions.NONE, region.passivation().getStrategy());
            List<String> said = lines.with(region.type().name() + ": its entities are remembered");
            assertEquals(1, said.size(), said::toString);
            assertTrue(said.get(0).startsWith("INFO") && said.get(0).contains("least-recently-used"), said::toString);
            ShardRegion<String> own = node.start(texts(id -> (message, context) -> Future.succeededFuture(message))
                    .withRememberEntities(true)
                    .withPassivation(new PassivationOptions().setIdleTimeoutMs(60_000)));
            assertEquals(PassivationOptions.IDLE, own.passivation().getStrategy());
            assertEquals(List.of(), lines.with(own.type().name()));
        }
    }

    @Test
    @DisplayName("an unclustered node waits for no other node to fetch the states of its entities")
    void unclusteredNodeClosesAtOnce() {
        var alone = new LoneNode(TestCluster.options());
        var counters = alone.start(MovingCounter.forgotten());
        for (int i = 0; i < 20; i++) {
            assertEquals(1, await(counters.entityRef("c-" + i).ask(new CounterMessage.AddAndGet(1))));
        }
        long begun = System.nanoTime();
        alone.close();
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(ms < 2000, () -> "closed after " + ms + " ms");
    }
}
