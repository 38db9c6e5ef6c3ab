package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StopReason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MailboxTest {
    private static LoneNode node;

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
    }

    @AfterAll
    static void close() {
        node.close();
    }

    /** Answers with its number and how many messages this instance has taken; throws, refuses or fails on request. */
    private static final class Moody implements Entity<String> {
        private final int number;
        private final List<StopReason> stops;
        private int taken;

        Moody(int number, List<StopReason> stops) {
            this.number = number;
            this.stops = stops;
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            taken++;
            return switch (message) {
                case "throw" -> throw new IllegalStateException("thrown on request");
                case "refuse" -> throw new EntityFailure("E-42", "refused on request");
                case "fail" -> Future.failedFuture(new IllegalStateException("failed on request"));
                case "fail coded" -> Future.failedFuture(new EntityFailure("E-43", "failed on request"));
                case "null" -> null;
                case "slow throw" ->
                    context.vertx().timer(20).compose(fired -> {
                        throw new IllegalStateException("failed later");
                    });
                default -> reply(number + "/" + taken);
            };
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            stops.add(reason);
            return done();
        }
    }

    private static EntityDefinition<String> moody(RestartPolicy policy) {
        AtomicInteger instances = new AtomicInteger();
        List<StopReason> stops = new CopyOnWriteArrayList<>();
        return texts(id -> new Moody(instances.incrementAndGet(), stops)).withRestartPolicy(policy);
    }

    /** Sends all at once and says how each ended: its answer, or the code of its failure. */
    private static List<String> all(EntityRef<String> entity, String... messages) {
        List<Future<String>> answers = new ArrayList<>();
        for (String message : messages) {
            answers.add(ask(entity, message));
        }
        return answers.stream().map(MailboxTest::outcome).toList();
    }

    private static String outcome(Future<String> answer) {
        try {
            return await(answer);
        } catch (ShardingException e) {
            return e.code().name();
        }
    }

    @Test
    void takesOneMessageAtATimeAlsoWhenTheHandlerIsAsynchronous() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<String> order = new CopyOnWriteArrayList<>();
        EntityRef<String> entity = node.startOne(texts(id -> (message, context) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            order.add(message);
            return context.vertx().timer(2).map(fired -> {
                running.decrementAndGet();
                return message;
            });
        }));
        List<String> sent = IntStream.range(0, 50).mapToObj(i -> "m" + i).toList();
        assertEquals(sent, all(entity, sent.toArray(String[]::new)));
        assertEquals(sent, order);
        assertEquals(1, most.get());
    }

    @Test
    void restartsAfterAnExceptionAndGoesOn() {
        EntityRef<String> entity = node.startOne(moody(RestartPolicy.restart()));
        assertEquals(List.of("1/1", "ENTITY_FAILED", "2/1", "2/2"), all(entity, "a", "throw", "b", "c"));
    }

    @Test
    void resumesWithTheSameInstance() {
        EntityRef<String> entity = node.startOne(moody(RestartPolicy.resume()));
        assertEquals(List.of("1/1", "ENTITY_FAILED", "1/3"), all(entity, "a", "throw", "b"));
    }

    @Test
    void stopsAndFailsWhatWaited() {
        Promise<Object> gate = Promise.promise();
        AtomicInteger instances = new AtomicInteger();
        EntityRef<String> entity = node.startOne(texts(id -> {
                    int number = instances.incrementAndGet();
                    return (message, context) -> {
                        if (message.equals("throw")) {
                            throw new IllegalStateException("thrown on request");
                        }
                        return message.equals("wait") ? gate.future() : Future.succeededFuture("instance " + number);
                    };
                })
                .withRestartPolicy(RestartPolicy.stop()));
        Future<String> first = ask(entity, "wait");
        Future<String> thrown = ask(entity, "throw");
        Future<String> waiting = ask(entity, "a");
        gate.complete("done");
        assertEquals("done", outcome(first));
        assertEquals("ENTITY_FAILED", outcome(thrown));
        assertEquals("ENTITY_STOPPED", outcome(waiting));
        assertEquals("instance 2", await(ask(entity, "b")));
    }

    /** Pauses are measured in whole milliseconds from the begin of the burst in which the failure happened. */
    @Test
    void pausesLongerAfterEveryFailureInARow() {
        RestartPolicy policy = RestartPolicy.stopWithBackoff(Duration.ofMillis(100), Duration.ofSeconds(10));
        EntityRef<String> entity = node.startOne(moody(policy));
        long begun = System.nanoTime();
        assertEquals(
                List.of("ENTITY_FAILED", "ENTITY_FAILED", "ENTITY_FAILED", "4/1"),
                all(entity, "throw", "throw", "throw", "a"));
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(took >= 690, "only " + took + " ms of pauses");
        begun = System.nanoTime();
        assertEquals(List.of("ENTITY_FAILED", "5/1"), all(entity, "throw", "a"));
        took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(took >= 90 && took < 800, "the pause begins anew after a success, not " + took + " ms");
    }

    @Test
    void aFailedFutureFailsTheAskAndNothingElse() {
        EntityRef<String> entity = node.startOne(moody(RestartPolicy.stop()));
        assertEquals(
                List.of("ENTITY_FAILED", "ENTITY_FAILED", "ENTITY_FAILED", "ENTITY_FAILED", "1/5"),
                all(entity, "fail", "fail coded", "refuse", "slow throw", "a"));
    }

    @Test
    void tellsTheAskerTheEntitysOwnCode() {
        EntityRef<String> entity = node.startOne(moody(RestartPolicy.restart()));
        ShardingException thrown = failure(ask(entity, "refuse"));
        assertEquals(FailureCode.ENTITY_FAILED, thrown.code());
        assertEquals("E-42", thrown.entityCode());
        assertEquals("refused on request", thrown.getMessage());
        assertEquals("io.shardbus.ShardingException: ENTITY_FAILED (E-42): refused on request", thrown.toString());
        assertEquals("E-43", failure(ask(entity, "fail coded")).entityCode());
        ShardingException plain = failure(ask(entity, "fail"));
        assertEquals(null, plain.entityCode());
        assertTrue(plain.getMessage().contains("failed on request"), plain.getMessage());
    }

    @Test
    void answersNullForNoFuture() {
        EntityRef<String> entity = node.startOne(moody(RestartPolicy.restart()));
        assertEquals(null, await(ask(entity, "null")));
        assertEquals("1/2", await(ask(entity, "a")));
    }

    @Test
    void countsWhatFailed() {
        ShardRegion<String> region = node.start(moody(RestartPolicy.restart()));
        region.entityRef("a").tell("throw");
        assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(region.entityRef("a"), "throw")));
        assertEquals("3/1", await(ask(region.entityRef("a"), "x")));
        var counters = await(region.state()).counters();
        assertEquals(2, counters.get("entity_failed"), counters.toString());
        assertEquals(2, counters.get("failures_restarted"), counters.toString());
        assertEquals(1, counters.get("dead_letters"));
    }

    @Test
    void failsTheMessageWhoseInstanceCannotBeMade() {
        AtomicInteger tries = new AtomicInteger();
        EntityRef<String> entity = node.startOne(texts(id -> {
            if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
            return new Moody(tries.get(), new ArrayList<>());
        }));
        assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(entity, "a")));
        assertEquals("2/1", await(ask(entity, "b")));
    }

    @Test
    void refusesWhatDoesNotFitIntoTheMailbox() {
        Promise<Object> gate = Promise.promise();
        ShardRegion<String> region = node.start(texts(id -> (message, context) -> message.equals("wait")
                        ? gate.future()
                        : context.vertx().timer(1).map(message))
                .withMailboxSize(3));
        EntityRef<String> entity = region.entityRef("a");
        assertEquals("0", await(ask(entity, "0")));
        List<Future<String>> answers = new ArrayList<>();
        for (String message : List.of("wait", "1", "2", "3", "4", "5")) {
            answers.add(ask(entity, message));
        }
        assertEquals("MAILBOX_FULL", outcome(answers.get(4)));
        assertEquals("MAILBOX_FULL", outcome(answers.get(5)));
        gate.complete("done");
        assertEquals(
                List.of("done", "1", "2", "3"),
                answers.subList(0, 4).stream().map(MailboxTest::outcome).toList());
        assertEquals(2, await(region.state()).counters().get("mailbox_full"));
    }

    @ParameterizedTest
    @EnumSource(ExecutionModel.class)
    void neverRunsTwoMessagesOfAnEntityAtOnce(ExecutionModel model) {
        assumeTrue(
                model != ExecutionModel.VIRTUAL_THREAD || Runtime.version().feature() >= 21,
                "virtual threads need Java 21");
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<String> order = new CopyOnWriteArrayList<>();
        EntityRef<String> entity = node.startOne(texts(id -> (message, context) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    order.add(message);
                    Thread.onSpinWait();
                    running.decrementAndGet();
                    return Future.succeededFuture(message);
                })
                .withExecution(model));
        List<String> sent = IntStream.range(0, 300).mapToObj(i -> "m" + i).toList();
        assertEquals(sent, all(entity, sent.toArray(String[]::new)));
        assertEquals(sent, order);
        assertEquals(1, most.get());
    }

    private static void awaitUninterruptibly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutionModel.class,
            names = {"WORKER", "VIRTUAL_THREAD"})
    void mayBlock(ExecutionModel model) {
        assumeTrue(
                model != ExecutionModel.VIRTUAL_THREAD || Runtime.version().feature() >= 21,
                "virtual threads need Java 21");
        CountDownLatch gate = new CountDownLatch(1);
        ShardRegion<String> region = node.start(texts(id -> (message, context) -> {
                    assertFalse(Context.isOnEventLoopThread());
                    if (message.equals("block")) {
                        awaitUninterruptibly(gate);
                    }
                    return Future.succeededFuture(message);
                })
                .withExecution(model));
        Future<String> blocked = ask(region.entityRef("a"), "block");
        Future<String> behind = ask(region.entityRef("a"), "behind");
        for (int i = 0; i < 20; i++) {
            assertEquals("free", await(ask(region.entityRef("b" + i), "free")), "others go on");
        }
        assertFalse(blocked.isComplete() || behind.isComplete());
        gate.countDown();
        assertEquals("block", await(blocked));
        assertEquals("behind", await(behind));
    }

    @Test
    void workersMayWaitForAnotherEntity() {
        ShardRegion<String> echo = node.start(moody(RestartPolicy.restart()));
        EntityRef<String> asker = node.startOne(texts(id -> (message, context) -> {
                    String answer = ask(echo.entityRef(message), "x")
                            .toCompletionStage()
                            .toCompletableFuture()
                            .join();
                    return Future.succeededFuture(message + " said " + answer);
                })
                .withExecution(ExecutionModel.WORKER));
        assertEquals("a said 1/1", await(ask(asker, "a")));
    }

    @Test
    void refusesVirtualThreadsWhereTheJvmHasNone() {
        assumeTrue(Runtime.version().feature() < 21, "this Java has virtual threads");
        EntityDefinition<String> definition =
                moody(RestartPolicy.restart()).withExecution(ExecutionModel.VIRTUAL_THREAD);
        IllegalArgumentException refusal = assertThrows(
                IllegalArgumentException.class, () -> await(node.sharding().start(definition)));
        assertTrue(refusal.getMessage().contains("needs Java 21 or later"), refusal.getMessage());
        assertFalse(node.sharding().startedTypes().contains(definition.type().name()));
    }

    @Test
    void workersEndInGoodOrderWithTheirVertx() {
        List<StopReason> stops = new CopyOnWriteArrayList<>();
        LoneNode ending = new LoneNode(TestCluster.options());
        EntityRef<String> entity =
                ending.startOne(texts(id -> new Moody(1, stops)).withExecution(ExecutionModel.WORKER));
        assertEquals("1/1", await(ask(entity, "a")));
        Vertx vertx = ending.vertx();
        await(vertx.close());
        assertEquals(1, stops.size());
    }
}
