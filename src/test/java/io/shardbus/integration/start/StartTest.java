package io.shardbus.integration.start;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.newType;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class StartTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static LoneNode node;

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
    }

    @AfterAll
    static void close() {
        node.close();
    }

    private static Entity<String> echo() {
        return (message, context) -> Future.succeededFuture(context.id() + ":" + message);
    }

    @Test
    @DisplayName("START-02 START-03 the started types are exactly those that were started")
    void tellsWhatWasStarted() {
        try (LoneNode fresh = new LoneNode(TestCluster.options())) {
            assertEquals(Set.of(), fresh.sharding().startedTypes());
            fresh.start(EntityDefinition.of(EntityType.of("first", String.class), id -> echo()));
            fresh.start(EntityDefinition.of(EntityType.of("second", String.class), id -> echo()));
            assertEquals(Set.of("first", "second"), fresh.sharding().startedTypes());
        }
    }

    @Test
    @DisplayName("a start that waits for a coordinator fails when sharding is closed")
    void closedWhileItWaits() {
        try (LoneNode waiting = new LoneNode(TestCluster.options().setMinimumMembers(2))) {
            EntityType<String> type = newType();
            Future<?> start = waiting.sharding().start(EntityDefinition.of(type, id -> echo()));
            await(waiting.sharding().region(type.name()).orElseThrow().state());
            await(waiting.sharding().close());
            assertEquals(FailureCode.SHUTTING_DOWN, failureCode(start));
        }
    }

    @Test
    @DisplayName("a start that a close overtakes fails, wherever it was")
    void closedWhileItStarts() {
        int turns = 0;
        while (!closedAfter(turns)) {
            turns++;
            assertTrue(turns < 1000, "no start was over before its close");
        }
        assertTrue(turns > 0, "no close overtook a start");
    }

    /** Whether the start was over when the close came; one that was not must have failed. */
    private static boolean closedAfter(int turns) {
        try (OneThread node = new OneThread()) {
            Future<?> start = node.startAndClose(turns);
            assertEquals(node.wasStarted, start.succeeded(), start + " after " + turns + " turns");
            assertTrue(node.wasStarted || failureCode(start) == FailureCode.SHUTTING_DOWN, start.toString());
            assertEquals(Set.of(), node.sharding.startedTypes());
            return node.wasStarted;
        }
    }

    /** All of this node runs on one event loop: what a start has done when the close comes is known. */
    private static final class OneThread implements AutoCloseable {
        final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        final ClusterSharding sharding = ClusterSharding.create(vertx, TestCluster.options());
        boolean wasStarted;

        /** Closes so many turns of the loop after the start began. The start, when the close is over. */
        Future<?> startAndClose(int turns) {
            Promise<Future<?>> outcome = Promise.promise();
            vertx.runOnContext(ignored -> {
                Future<?> start = sharding.start(texts(id -> echo()).withRememberEntities(true));
                closeAfter(turns, start, outcome);
            });
            return await(outcome.future());
        }

        private void closeAfter(int turns, Future<?> start, Promise<Future<?>> outcome) {
            if (turns > 0) {
                vertx.runOnContext(ignored -> closeAfter(turns - 1, start, outcome));
                return;
            }
            wasStarted = start.isComplete();
            sharding.close().map((Future<?>) start).onComplete(outcome);
        }

        @Override
        public void close() {
            await(vertx.close());
        }
    }

    @Test
    @DisplayName("START-04 a proxy, then a hosting region of the same type: one region, and references stay good")
    void hostsBesideAProxy() {
        EntityType<String> type = newType();
        ShardRegion<String> proxy = await(node.sharding().startProxy(EntityDefinition.of(type, id -> {
            throw new IllegalStateException("a proxy hosts nothing");
        })));
        assertTrue(proxy.isProxy());
        EntityRef<String> early = proxy.entityRef("e");
        Future<String> waiting = ask(early, "sent before");
        ShardRegion<String> hosting = node.start(EntityDefinition.of(type, id -> echo()));
        assertFalse(hosting.isProxy());
        assertSame(hosting, node.sharding().region(type.name()).orElseThrow());
        assertEquals("e:sent before", await(waiting));
        assertEquals("e:sent after", await(ask(early, "sent after")));
        assertEquals(Set.of(node.sharding().self()), await(node.sharding().regions(type.name())));
        assertEquals(node.sharding().self(), node.sharding().clusterState().coordinator());
    }

    @Test
    @DisplayName("START-09 a second start with an equal definition, and a look-up by name, give the running region")
    void startsOnce() {
        EntityType<String> type = newType();
        ShardRegion<String> first = node.start(EntityDefinition.of(type, id -> echo()));
        assertSame(first, node.start(EntityDefinition.of(type, id -> echo())));
        assertSame(first, await(node.sharding().startProxy(EntityDefinition.of(type, id -> echo()))));
        assertSame(first, node.sharding().region(type.name()).orElseThrow());
        assertFalse(first.isProxy());
    }

    @Test
    void refusesASecondStartThatDiffers() {
        EntityDefinition<String> definition = texts(id -> echo());
        node.start(definition);
        IllegalStateException refusal = assertThrows(
                IllegalStateException.class, () -> await(node.sharding().start(definition.withNumberOfShards(7))));
        assertEquals(
                "entity type '" + definition.type().name()
                        + "' was started on this node with another definition: numberOfShards: unset, not 7",
                refusal.getMessage());
        assertEquals("a:x", await(ask(node.sharding().entityRef(definition.type(), "a"), "x")));
    }

    @Test
    void refusesOtherOptionsForTheSameVertx() {
        assertSame(node.sharding(), ClusterSharding.create(node.vertx(), TestCluster.options()));
        ShardingOptions other = TestCluster.options().setNumberOfShards(17);
        other.setPassivation(new PassivationOptions().setIdleTimeoutMs(60_000));
        IllegalStateException refusal =
                assertThrows(IllegalStateException.class, () -> ClusterSharding.create(node.vertx(), other));
        assertEquals(
                "sharding runs on this Vertx with other options: numberOfShards: "
                        + TestCluster.options().getNumberOfShards()
                        + ", not 17, passivation: (idleTimeoutMs: -1, not 60000)",
                refusal.getMessage());
    }

    @Test
    void refusesOptionsOutOfRangeNamingKeyValueAndRange() {
        Vertx vertx = Vertx.vertx();
        ShardingOptions wrong = TestCluster.options().setNumberOfShards(0);
        String text = assertThrows(IllegalArgumentException.class, () -> ClusterSharding.create(vertx, wrong))
                .getMessage();
        assertTrue(text.contains("'numberOfShards' = 0") && text.contains("1..65536"), text);
        await(vertx.close());
    }

    @Test
    @DisplayName("START-11 a start request, bare and in an envelope, is answered with entity and"
            + " shard, and adds an instance")
    void startsWithoutAMessage() {
        AtomicInteger instances = new AtomicInteger();
        ShardRegion<String> region = node.start(texts(id -> {
            instances.incrementAndGet();
            return echo();
        }));
        EntityLocation bare = await(region.ask(new StartEntity("bare"), EntityLocation.class, SOON));
        assertEquals("bare", bare.id());
        assertEquals(await(node.sharding().locate(region.type().name(), "bare")).orElseThrow(), bare);
        Object wrapped = new ShardingEnvelope<>("wrapped", new StartEntity("wrapped"));
        assertEquals(
                "wrapped",
                await(region.ask(wrapped, EntityLocation.class, SOON)).id());
        region.tell(new StartEntity("told"));
        TestCluster.until("three instances", () -> instances.get() == 3);
        await(region.ask(new StartEntity("bare"), EntityLocation.class, SOON));
        assertEquals(3, instances.get());
        assertEquals(3, await(region.state()).entities());
    }

    @Test
    @DisplayName("START-12 the start request of an entity reference adds an instance")
    void startsByReference() {
        ShardRegion<String> region = node.start(texts(id -> echo()));
        EntityLocation location = await(region.entityRef("x").start());
        assertEquals("x", location.id());
        assertEquals(1, await(region.state()).entities());
    }

    /** The id before the colon; what else there is makes the shard. */
    private record Prefix(List<String> seen) implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            seen.add(message);
            return message.substring(0, message.indexOf(':'));
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Integer.parseInt(entityId) % numberOfShards;
        }

        @Override
        public String version() {
            return "prefix-1";
        }
    }

    @Test
    @DisplayName("START-13 envelope and start request name their entity; any other message is the user's to address")
    void addressesByEnvelopeOrByTheUsersFunctions() {
        List<String> seen = new CopyOnWriteArrayList<>();
        ShardRegion<String> region = node.start(texts(id -> echo()).withMessageExtractor(new Prefix(seen)));
        assertEquals("7:hello", await(region.ask(new ShardingEnvelope<>("7", "hello"), String.class, SOON)));
        EntityLocation started = await(region.ask(new StartEntity("205"), EntityLocation.class, SOON));
        assertEquals(5, started.shard());
        assertEquals(List.of(), seen);
        assertEquals("13:13:bare", await(region.ask("13:bare", String.class, SOON)));
        assertEquals(List.of("13:bare"), seen);
    }

    @Test
    void refusesWhatTheUsersFunctionsCannotAddress() {
        ShardRegion<String> plain = node.start(texts(id -> echo()));
        assertEquals(FailureCode.INVALID_ID, failureCode(plain.ask("no id in it", String.class, SOON)));
        var withNul = new ShardingEnvelope<>("a\0b", "x");
        assertEquals(FailureCode.INVALID_ID, failureCode(plain.ask(withNul, String.class, SOON)));
        ShardRegion<String> broken =
                node.start(texts(id -> echo()).withMessageExtractor(new Prefix(new CopyOnWriteArrayList<>())));
        assertEquals(FailureCode.INVALID_MESSAGE, failureCode(broken.ask("no colon", String.class, SOON)));
        assertEquals(FailureCode.INVALID_ID, failureCode(broken.ask("letters:x", String.class, SOON)));
        assertEquals(FailureCode.INVALID_ID, failureCode(broken.ask("-3:x", String.class, SOON)));
        assertEquals("3:3:x", await(broken.ask("3:x", String.class, SOON)));
    }

    @Test
    @DisplayName("messages that are sent before the start has completed wait, in order, and an ask until its timeout")
    void messagesWaitForTheStart() {
        List<String> told = new CopyOnWriteArrayList<>();
        EntityDefinition<String> early =
                EntityDefinition.of(EntityType.of("early", String.class), id -> (message, at) -> {
                    told.add(message);
                    return Future.succeededFuture(message);
                });
        Future<ShardRegion<String>> started = node.sharding().start(early);
        EntityRef<String> entity = node.sharding().entityRef(early.type(), "e");
        entity.tell("1");
        Future<String> answer = entity.request("2", String.class, SOON);
        entity.tell("3");
        Future<String> last = entity.request("4", String.class, SOON);
        assertEquals("2", await(answer));
        assertEquals("4", await(last));
        assertEquals(List.of("1", "2", "3", "4"), told);
        await(started);
    }

    @Test
    @DisplayName(
            "no more messages wait for a start than their lane's share of the buffer, no ask longer than its timeout")
    void fewMessagesWaitForTheStart() {
        try (LoneNode twoLanes = new LoneNode(TestCluster.options().setLanes(2))) {
            Promise<String> work = Promise.promise();
            EntityDefinition<String> few = texts(id -> (message, context) ->
                            message.equals("work") ? work.future() : Future.succeededFuture(message))
                    .withBufferSize(4);
            ShardRegion<String> first = twoLanes.start(few);
            String other = onOtherLane(first, "x");
            Future<String> worked = ask(first.entityRef("x"), "work");
            assertEquals("soon", await(ask(first.entityRef(other), "soon")));
            Future<Void> left = first.leave();
            // begins when the first region has ended, which waits for the work
            Future<ShardRegion<String>> again = twoLanes.sharding().start(few.withMailboxSize(7));
            EntityRef<String> next = twoLanes.sharding().entityRef(few.type(), "x");
            Future<String> early = next.request("early", String.class, Duration.ofMillis(300));
            Future<String> second = next.request("second", String.class, SOON);
            Future<String> third = next.request("third", String.class, SOON);
            Future<String> beside =
                    twoLanes.sharding().entityRef(few.type(), other).request("beside", String.class, SOON);
            assertEquals(FailureCode.REGION_BUFFER_FULL, failureCode(third));
            assertEquals(FailureCode.TIMED_OUT, failureCode(early));
            assertFalse(second.isComplete() || beside.isComplete());
            work.complete("done");
            assertEquals("done", await(worked));
            await(left);
            await(again);
            assertEquals("second", await(second));
            assertEquals("beside", await(beside));
        }
    }

    /** An id whose shard is on the other one of two lanes. */
    private static String onOtherLane(ShardRegion<String> region, String id) {
        int lane = await(region.entityRef(id).start()).shard() % 2;
        return IntStream.range(0, 1000)
                .mapToObj(Integer::toString)
                .filter(other -> await(region.entityRef(other).start()).shard() % 2 != lane)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void leavesAndStartsAgain() {
        EntityDefinition<String> definition = texts(id -> echo());
        ShardRegion<String> first = node.start(definition);
        EntityRef<String> reference = first.entityRef("x");
        assertEquals("x:1", await(ask(reference, "1")));
        await(first.leave());
        assertFalse(node.sharding().startedTypes().contains(definition.type().name()));
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(ask(reference, "2")));
        ShardingException unknown =
                assertThrows(ShardingException.class, () -> node.sharding().entityRef(definition.type(), "x"));
        assertEquals(FailureCode.UNKNOWN_TYPE, unknown.code());
        ShardRegion<String> second = node.start(definition.withMailboxSize(3));
        assertEquals("x:3", await(ask(reference, "3")));
        assertEquals("x:4", await(ask(second.entityRef("x"), "4")));
    }

    @Test
    void startsNothingAfterItsEnd() {
        LoneNode ended = new LoneNode(TestCluster.options());
        EntityRef<String> reference = ended.startOne(texts(id -> echo()));
        await(ended.sharding().close());
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(ended.sharding().start(texts(id -> echo()))));
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(ask(reference, "x")));
        ClusterSharding again = ClusterSharding.create(ended.vertx(), TestCluster.options());
        assertInstanceOf(ShardRegion.class, await(again.start(texts(id -> echo()))));
        ended.close();
    }

    @Test
    void answersNothingAfterItsEnd() {
        LoneNode ended = new LoneNode(TestCluster.options().setQueryTimeoutMs(60_000));
        ClusterSharding sharding = ended.sharding();
        EntityDefinition<String> definition = texts(id -> echo());
        ended.startOne(definition);
        String type = definition.type().name();
        await(sharding.close());
        long closed = System.nanoTime();
        List<Future<?>> calls = List.of(
                sharding.startProxy(definition),
                sharding.regions(type),
                sharding.typeState(type),
                sharding.entityIds(type, 1),
                sharding.locate(type, "one"),
                sharding.rebalance(type),
                sharding.drain(sharding.self()),
                sharding.prepareForShutdown(),
                sharding.cancelShutdown());
        calls.forEach(call -> assertEquals(FailureCode.SHUTTING_DOWN, failureCode(call)));
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(ask(sharding.entityRef(definition.type(), "one"), "late")));
        assertFalse(sharding.isReady());
        assertTrue(Duration.ofNanos(System.nanoTime() - closed).compareTo(SOON) < 0, "at once");
        ended.close();
    }

    @Test
    void aQuestionThatWaitsForACoordinatorFailsAtTheEnd() {
        LoneNode ended =
                new LoneNode(TestCluster.options().setCoordinator(false).setQueryTimeoutMs(60_000));
        Future<?> question = ended.sharding().regions("unanswered");
        await(ended.sharding().close());
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(question));
        ended.close();
    }

    @Test
    void anAskThatHasTimedOutDoesNotHoldUpTheEnd() {
        LoneNode node = new LoneNode(TestCluster.options().setLeaseDurationMs(120_000));
        EntityRef<String> nowhere =
                await(node.sharding().startProxy(texts(id -> echo()))).entityRef("one");
        Future<?> ask = nowhere.request("x", String.class, Duration.ofMillis(50));
        assertEquals(FailureCode.TIMED_OUT, failureCode(ask));
        long begun = System.nanoTime();
        node.close();
        assertTrue(
                Duration.ofNanos(System.nanoTime() - begun).compareTo(SOON) < 0, "the end of a lease is not awaited");
    }

    @Test
    @DisplayName(
            "START-10 a region that cannot get on logs an error that asks whether the type was started on all nodes")
    void asksWhetherTheTypeWasStartedOnAllNodes() {
        assertAsksSoon(TestCluster.options().setRetryIntervalMs(20), texts(id -> echo()));
    }

    @Test
    @DisplayName("START-10 a type's own retry interval replaces that of the options")
    void asksAfterTheRetryIntervalOfTheType() {
        assertAsksSoon(
                TestCluster.options().setRetryIntervalMs(60_000),
                texts(id -> echo()).withRetryInterval(Duration.ofMillis(20)));
    }

    private static void assertAsksSoon(ShardingOptions options, EntityDefinition<String> definition) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.shardbus.runtime.node.RegionStarter");
        ListAppender<ILoggingEvent> errors = new ListAppender<>();
        errors.list = new CopyOnWriteArrayList<>();
        errors.start();
        logger.addAppender(errors);
        try (LoneNode withoutCoordinator = new LoneNode(options.setCoordinator(false))) {
            Future<ShardRegion<String>> started = withoutCoordinator.sharding().start(definition);
            TestCluster.until(
                    "the error",
                    () -> List.copyOf(errors.list).stream()
                            .anyMatch(event -> event.getLevel() == Level.ERROR
                                    && event.getFormattedMessage()
                                            .contains(definition.type().name())
                                    && event.getFormattedMessage().contains("was the type started on all nodes")));
            assertFalse(started.isComplete());
            assertFalse(withoutCoordinator.sharding().isReady());
        } finally {
            logger.detachAppender(errors);
        }
    }
}
