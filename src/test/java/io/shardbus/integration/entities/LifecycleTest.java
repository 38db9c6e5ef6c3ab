package io.shardbus.integration.entities;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.newType;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private static LoneNode node;

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
    }

    @AfterAll
    static void close() {
        node.close();
    }

    /** Writes down its life. */
    private record Diary(List<String> lines, Promise<Object> gate) implements Entity<String> {
        Diary(List<String> lines) {
            this(lines, Promise.promise());
        }

        @Override
        public Future<?> started(EntityContext<String> context) {
            lines.add("started " + context.startReason());
            return done();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            lines.add(message);
            switch (message) {
                case "passivate" -> context.passivate();
                case "wait" -> {
                    return gate.future();
                }
                case "throw" -> throw new IllegalStateException("thrown on request");
                case "timer" -> context.setTimer(Duration.ofMillis(20), "timer fired");
                case "periodic" -> context.setPeriodicTimer(Duration.ofMillis(10), "tick");
                case "cancelled" -> {
                    long timer = context.setTimer(Duration.ofMillis(20), "never");
                    return reply(context.cancelTimer(timer) + "," + context.cancelTimer(timer));
                }
                default -> {}
            }
            return reply(context.incarnation());
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            lines.add("stopping " + reason);
            return done();
        }
    }

    @Test
    void passivatesWhenItsMailboxIsEmptyAndWakesUpAnew() {
        List<String> lines = new CopyOnWriteArrayList<>();
        Promise<Object> gate = Promise.promise();
        ShardRegion<String> region = node.start(texts(id -> new Diary(lines, gate)));
        EntityRef<String> entity = region.entityRef("a");
        String first = await(ask(entity, "hello"));
        List<Future<String>> answers =
                List.of(ask(entity, "wait"), ask(entity, "passivate"), ask(entity, "same instance?"));
        gate.complete("gate");
        answers.forEach(TestCluster::await);
        TestCluster.until("passivated", () -> await(region.state()).entities() == 0);
        assertNotEquals(first, await(ask(entity, "again")));
        assertEquals(
                List.of(
                        "started " + StartReason.MESSAGE,
                        "hello",
                        "wait",
                        "passivate",
                        "same instance?",
                        "stopping " + StopReason.PASSIVATION,
                        "started " + StartReason.MESSAGE,
                        "again"),
                lines);
    }

    @Test
    void losesNothingWhenMessagesMeetAPassivation() {
        AtomicInteger instances = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        EntityRef<String> entity = node.startOne(texts(id -> {
            instances.incrementAndGet();
            return (message, context) -> {
                taken.incrementAndGet();
                context.passivate();
                return Future.succeededFuture(message);
            };
        }));
        for (int round = 0; round < 100; round++) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(ask(entity, round + "/" + i));
            }
            for (int i = 0; i < 5; i++) {
                assertEquals(round + "/" + i, await(answers.get(i)));
            }
        }
        assertEquals(500, taken.get());
        assertTrue(instances.get() > 1);
    }

    @Test
    void timersSendMessagesUntilTheInstanceStops() {
        List<String> lines = new CopyOnWriteArrayList<>();
        ShardRegion<String> region = node.start(texts(id -> new Diary(lines)));
        EntityRef<String> entity = region.entityRef("a");
        entity.tell("timer");
        TestCluster.until("the timer", () -> lines.contains("timer fired"));
        assertEquals("true,false", await(ask(entity, "cancelled")));
        entity.tell("periodic");
        TestCluster.until(
                "three ticks", () -> lines.stream().filter("tick"::equals).count() >= 3);
        await(ask(entity, "passivate"));
        TestCluster.until("passivated", () -> lines.contains("stopping " + StopReason.PASSIVATION));
        int size = lines.size();
        await(node.vertx().timer(100));
        assertEquals(size, lines.size(), "no timer wakes an instance that stopped: " + lines);
        assertFalse(lines.contains("never"));
    }

    @Test
    void timersEndWithAnInstanceThatFailed() {
        List<String> lines = new CopyOnWriteArrayList<>();
        EntityRef<String> entity = node.startOne(texts(id -> new Diary(lines)));
        entity.tell("periodic");
        TestCluster.until("a tick", () -> lines.contains("tick"));
        failureCode(ask(entity, "throw"));
        await(ask(entity, "after"));
        assertEquals("started " + StartReason.RESTART, lines.get(lines.size() - 2), lines.toString());
        int ticks = (int) lines.stream().filter("tick"::equals).count();
        await(node.vertx().timer(60));
        assertEquals(ticks, lines.stream().filter("tick"::equals).count());
    }

    @Test
    void messagesWaitUntilTheInstanceHasStarted() {
        Promise<Void> gate = Promise.promise();
        List<String> lines = new CopyOnWriteArrayList<>();
        EntityRef<String> entity = node.startOne(texts(id -> new Entity<>() {
            @Override
            public Future<?> started(EntityContext<String> context) {
                return gate.future().onSuccess(done -> lines.add("started"));
            }

            @Override
            public Future<?> receive(String message, EntityContext<String> context) {
                lines.add(message);
                return reply(message);
            }
        }));
        List<Future<String>> answers = List.of(ask(entity, "1"), ask(entity, "2"));
        gate.complete();
        answers.forEach(TestCluster::await);
        assertEquals(List.of("started", "1", "2"), lines);
    }

    @Test
    void theStopMessageIsTheLastOneBeforeTheEnd() {
        List<String> lines = new CopyOnWriteArrayList<>();
        ShardRegion<String> region = node.start(texts(id -> new Diary(lines)).withStopMessage("last words"));
        await(ask(region.entityRef("a"), "hello"));
        await(region.leave());
        assertEquals(4, lines.size(), lines.toString());
        assertEquals(List.of("started MESSAGE", "hello", "last words"), lines.subList(0, 3));
        assertTrue(lines.get(3).startsWith("stopping "), lines.toString());
    }

    @Test
    void aLateAskSaysWhoHasNotAnsweredForHowLong() {
        EntityRef<String> entity = node.startOne(
                texts(id -> (message, context) -> Promise.promise().future())
                        .withStopTimeout(Duration.ofMillis(50))
                        .withHandoffTimeout(Duration.ofMillis(50)));
        ShardingException late = failure(entity.request("secret", String.class, Duration.ofMillis(60)));
        String text = entity.type().name() + "/one has not answered in 60 ms, asked String";
        assertEquals("io.shardbus.ShardingException: TIMED_OUT: " + text, late.toString());
    }

    @Test
    void asksEndAtTheDefaultOrTheGivenDeadline() {
        EntityRef<String> entity = node.startOne(
                texts(id -> (message, context) -> Promise.promise().future())
                        .withAskTimeout(Duration.ofMillis(150))
                        .withStopTimeout(Duration.ofMillis(50))
                        .withHandoffTimeout(Duration.ofMillis(50)));
        long begun = System.nanoTime();
        assertEquals(FailureCode.TIMED_OUT, failureCode(entity.request("x", String.class, Duration.ofMillis(50))));
        long explicit = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(explicit >= 40 && explicit < 1000, "took " + explicit);
        ShardRegion<CounterMessage> counters = node.start(
                EntityDefinition.of(EntityType.of("hanging-counters", CounterMessage.class), id -> new Counter())
                        .withAskTimeout(Duration.ofMillis(150))
                        .withStopTimeout(Duration.ofMillis(50))
                        .withHandoffTimeout(Duration.ofMillis(50)));
        begun = System.nanoTime();
        assertEquals(FailureCode.TIMED_OUT, failureCode(counters.entityRef("a").ask(new CounterMessage.Hang())));
        long byDefault = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(byDefault >= 140 && byDefault < 1100, "took " + byDefault);
    }

    /** Runs the question on a context and says on which one its future completed. */
    private static boolean completesOn(Context context, Function<ClusterSharding, Future<?>> question) {
        Promise<Boolean> same = Promise.promise();
        context.runOnContext(go ->
                question.apply(node.sharding()).onComplete(done -> same.complete(Vertx.currentContext() == context)));
        return await(same.future());
    }

    @Test
    void futuresCompleteOnTheCallersContext() {
        EntityDefinition<String> definition =
                texts(id -> (message, context) -> context.vertx().timer(1).map(message));
        ShardRegion<String> region = node.start(definition);
        String type = definition.type().name();
        Context context = node.vertx().getOrCreateContext();
        assertTrue(completesOn(context, s -> ask(region.entityRef("a"), "x")));
        assertTrue(completesOn(context, s -> region.entityRef("b").start()));
        assertTrue(completesOn(context, s -> region.state()));
        assertTrue(completesOn(context, s -> s.start(definition)));
        assertTrue(completesOn(context, s -> s.start(texts(id -> new Diary(new ArrayList<>())))));
        assertTrue(completesOn(context, s -> s.typeState(type)));
        assertTrue(completesOn(context, s -> s.locate(type, "a")));
        assertTrue(completesOn(context, s -> s.entityIds(type, 1)));
        assertTrue(completesOn(context, s -> s.regions(type)));
        assertTrue(completesOn(context, s -> s.rebalance(type)));
        assertTrue(completesOn(context, s -> region.leave()));
    }

    @Test
    void startsAndAsksFromInsideAVerticle() {
        EntityType<String> type = newType();
        List<String> got = new CopyOnWriteArrayList<>();
        await(node.vertx().deployVerticle(new VerticleBase() {
            @Override
            public Future<?> start() {
                Context own = context;
                ClusterSharding sharding = ClusterSharding.create(vertx, TestCluster.options());
                assertSame(node.sharding(), sharding);
                return sharding.start(EntityDefinition.of(type, id -> new Diary(new ArrayList<>())))
                        .compose(region -> ask(region.entityRef("a"), "x"))
                        .onSuccess(answer -> got.add(String.valueOf(Vertx.currentContext() == own)));
            }
        }));
        assertEquals(List.of("true"), got);
    }

    @Test
    void closingTheVertxEndsEntitiesInGoodOrder() {
        List<String> lines = new CopyOnWriteArrayList<>();
        LoneNode ending = new LoneNode(TestCluster.options());
        ShardRegion<String> region = ending.start(texts(id -> new Diary(lines)));
        for (int i = 0; i < 20; i++) {
            await(ask(region.entityRef("e" + i), "hello"));
        }
        ending.close();
        assertEquals(
                20, lines.stream().filter(line -> line.startsWith("stopping")).count());
        assertEquals(FailureCode.SHUTTING_DOWN, failureCode(ask(region.entityRef("e1"), "x")));
        assertThrows(
                Exception.class,
                () -> await(ending.sharding().typeState(region.type().name())));
    }

    @Test
    void messagesOfOneThreadStayInOrderOnEveryWayIn() {
        List<String> order = new CopyOnWriteArrayList<>();
        ShardRegion<String> region = node.start(texts(id -> (message, context) -> {
            order.add(message);
            return Future.succeededFuture(message);
        }));
        EntityRef<String> target = region.entityRef("target");
        EntityRef<String> sender = node.startOne(texts(id -> (message, context) -> {
            for (int i = 0; i < 50; i++) {
                target.tell(message + "/" + i);
            }
            context.vertx().runOnContext(later -> target.tell(message + "/later"));
            return Future.succeededFuture(message);
        }));
        for (int round = 0; round < 20; round++) {
            await(ask(sender, "r" + round));
        }
        TestCluster.until("all messages", () -> order.size() == 20 * 51);
        for (int round = 0; round < 20; round++) {
            String prefix = "r" + round + "/";
            List<String> mine =
                    order.stream().filter(line -> line.startsWith(prefix)).toList();
            for (int i = 0; i < 50; i++) {
                assertEquals(prefix + i, mine.get(i));
            }
            assertEquals(prefix + "later", mine.get(50));
        }
    }
}
