package io.shardbus.integration.entities;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.spi.EntityFailureHandler.Report;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of entities that fail, and who hears of it; and what an instance takes with it when it ends. */
class SupervisionTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SILENCE = Duration.ofMillis(60);
    private static LoneNode node;

    private final List<Report> reports = new CopyOnWriteArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<EntityContext<String>> contexts = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options().setStopTimeoutMs(200).setShutdownTimeoutMs(2_000));
    }

    @AfterAll
    static void close() {
        node.close();
    }

    /** Throws, waits and sets timers on request. */
    private final class Talker implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            lines.add(message);
            contexts.add(context);
            switch (message) {
                case "throw" -> throw new IllegalStateException("on request");
                case "passivate" -> context.passivate();
                case "listen" -> context.setReceiveTimeout(SILENCE, "silence");
                case "listen long" -> context.setReceiveTimeout(LONG, "silence");
                case "deaf" -> context.cancelReceiveTimeout();
                case "tick" -> context.setTimer(Duration.ofMillis(10), "tick");
                case "stash" -> context.stash();
                case "unstash" -> context.unstashAll();
                default -> {}
            }
            return reply(message);
        }
    }

    private EntityDefinition<String> talkers(RestartPolicy policy) {
        return texts(id -> new Talker()).withRestartPolicy(policy).withFailureHandler(reports::add);
    }

    private List<String> actions() {
        return reports.stream()
                .map(report -> report.action() + " " + report.failuresInARow())
                .toList();
    }

    private long count(String line) {
        return lines.stream().filter(line::equals).count();
    }

    private static long counted(ShardRegion<String> region, String name) {
        return await(region.state()).counters().getOrDefault(name, 0L);
    }

    @ParameterizedTest
    @EnumSource(ExecutionModel.class)
    void tellsTheApplicationOfEveryFailure(ExecutionModel execution) {
        if (execution == ExecutionModel.VIRTUAL_THREAD && Runtime.version().feature() < 21) {
            return;
        }
        ShardRegion<String> region = node.start(talkers(RestartPolicy.restart()).withExecution(execution));
        EntityRef<String> entity = region.entityRef("a");
        failureCode(ask(entity, "throw"));
        failureCode(ask(entity, "throw"));
        await(ask(entity, "good"));
        failureCode(ask(entity, "throw"));
        TestCluster.until("three reports", () -> reports.size() == 3);
        assertEquals(List.of("RESTARTED 1", "RESTARTED 2", "RESTARTED 1"), actions());
        Report report = reports.get(0);
        assertEquals(region.type().name(), report.type());
        assertEquals("a", report.id());
        assertEquals("on request", report.failure().getMessage());
        assertEquals(3, counted(region, "failures_restarted"));
    }

    @Test
    void aLimitEndsTheRestartsAndTheNextMessageBeginsAnew() {
        ShardRegion<String> region = node.start(talkers(RestartPolicy.restart().withLimit(1, LONG)));
        EntityRef<String> entity = region.entityRef("a");
        for (int i = 0; i < 3; i++) {
            assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(entity, "throw")));
        }
        assertEquals("good", await(ask(entity, "good")));
        TestCluster.until("three reports", () -> reports.size() == 3);
        assertEquals(List.of("RESTARTED 1", "GAVE_UP 2", "RESTARTED 1"), actions());
        assertEquals(1, counted(region, "failures_gave_up"));
    }

    @Test
    @DisplayName(
            "FAIL-08 an entity under a restart policy asks to be passivated and fails at once: nothing hangs, the next"
                    + " message is answered")
    void failsWhileItIsPutAway() {
        ShardRegion<String> region = node.start(texts(id -> new Entity<String>() {
                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        if (message.equals("leave")) {
                            context.passivate();
                            throw new IllegalStateException("gone before it was asked to stop");
                        }
                        return reply(message);
                    }
                })
                .withRestartPolicy(RestartPolicy.restart()));
        EntityRef<String> entity = region.entityRef("a");
        assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(entity, "leave")));
        assertEquals("new", await(ask(entity, "new")));
        assertEquals(1, counted(region, "failures_restarted"));
    }

    @Test
    void aFailedStartIsReportedWithItsCause() {
        RestartPolicy pausing = RestartPolicy.stopWithBackoff(Duration.ofMillis(1), Duration.ofMillis(1));
        EntityRef<String> entity = node.startOne(texts(id -> new Entity<>() {
                    @Override
                    public Future<?> started(EntityContext<String> context) {
                        return Future.failedFuture(new IllegalStateException("no store"));
                    }

                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        return done();
                    }
                })
                .withRestartPolicy(pausing.withLimit(1, LONG))
                .withFailureHandler(reports::add));
        assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(entity, "x")));
        TestCluster.until("two reports", () -> reports.size() == 2);
        assertEquals(List.of("BACKING_OFF 1", "GAVE_UP 2"), actions());
        assertEquals("no store", reports.get(1).failure().getMessage());
    }

    /** An entity whose instances cannot be prepared, each in another way. */
    private static Entity<String> unready(String id) {
        return new Entity<>() {
            @Override
            public Future<?> started(EntityContext<String> context) {
                RuntimeException failure =
                        id.startsWith("refuses") ? new EntityFailure("E-1", id) : new IllegalStateException(id);
                if (id.endsWith("throws")) {
                    throw failure;
                }
                return id.endsWith("later")
                        ? context.vertx().timer(5).compose(done -> Future.failedFuture(failure))
                        : Future.failedFuture(failure);
            }

            @Override
            public Future<?> receive(String message, EntityContext<String> context) {
                return done();
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "fails", "fails later", "refuses throws", "refuses"})
    void aFailedStartIsLoggedOnce(String id) {
        try (LogLines log = new LogLines("io.shardbus.runtime.entity.EntityHost")) {
            for (ExecutionModel execution : List.of(ExecutionModel.EVENT_LOOP, ExecutionModel.WORKER)) {
                ShardRegion<String> region =
                        node.start(texts(SupervisionTest::unready).withExecution(execution));
                assertEquals(FailureCode.ENTITY_FAILED, failureCode(ask(region.entityRef(id), "x")));
                String name = "type=" + region.type().name() + ": entity " + id;
                assertEquals(List.of("WARN " + name + " failed: " + id), log.with(name));
            }
        }
    }

    @Test
    void theHandlerIsCalledOnTheLaneAfterThePolicyAndMayFail() {
        List<Boolean> onEventLoop = new CopyOnWriteArrayList<>();
        EntityDefinition<String> definition = texts(id -> new Talker());
        ShardRegion<String> region =
                node.start(definition.withExecution(ExecutionModel.WORKER).withFailureHandler(report -> {
                    onEventLoop.add(Context.isOnEventLoopThread());
                    throw new IllegalStateException("the handler fails, too");
                }));
        failureCode(ask(region.entityRef("a"), "throw"));
        TestCluster.until("it is counted", () -> counted(region, "failure_handler_failures") == 1);
        assertEquals(List.of(true), onEventLoop);
        assertEquals("good", await(ask(region.entityRef("a"), "good")));
    }

    @Test
    void silenceIsToldAgainAndAgainUntilItIsCancelled() {
        EntityRef<String> entity = node.startOne(talkers(RestartPolicy.restart()));
        await(ask(entity, "listen"));
        TestCluster.until("two silences", () -> count("silence") >= 2);
        await(ask(entity, "deaf"));
        long heard = count("silence");
        await(node.vertx().timer(150));
        assertEquals(heard, count("silence"));
    }

    /**
     * Sends messages for longer than a silence takes, and expects none among them. False where the machine left a pause
     * between two of them in which it might have been told: such a round shows nothing.
     */
    private boolean keepsTalking(EntityRef<String> entity) {
        long sent = System.nanoTime();
        await(ask(entity, "m"));
        long before = count("silence");
        long longest = 0;
        for (int i = 0; i < 20; i++) {
            await(node.vertx().timer(10));
            long next = System.nanoTime();
            await(ask(entity, "m"));
            longest = Math.max(longest, System.nanoTime() - sent);
            sent = next;
        }
        long after = count("silence");
        longest = Math.max(longest, System.nanoTime() - sent);
        if (longest >= SILENCE.toNanos()) {
            return false;
        }
        assertEquals(before, after, () -> "silence among messages: " + lines);
        return true;
    }

    @Test
    void messagesPutSilenceOffAndTimersDoNot() {
        EntityRef<String> entity = node.startOne(talkers(RestartPolicy.restart()));
        await(ask(entity, "listen"));
        int rounds = 0;
        while (!keepsTalking(entity)) {
            assertTrue(++rounds < 50, "the machine stood still in each of " + rounds + " rounds");
        }
        await(ask(entity, "tick"));
        TestCluster.until("silence though timers fire", () -> count("silence") > 0 && count("tick") > 2);
    }

    @Test
    void noTimerOutlivesItsInstance() {
        EntityRef<String> entity = node.startOne(talkers(RestartPolicy.restart()));
        await(ask(entity, "listen"));
        await(ask(entity, "tick"));
        failureCode(ask(entity, "throw"));
        await(ask(entity, "after the restart"));
        await(ask(entity, "listen"));
        await(ask(entity, "passivate"));
        int size = lines.size();
        await(node.vertx().timer(150));
        assertEquals(List.of(), lines.subList(size, lines.size()));
        assertFalse(lines.subList(lines.indexOf("throw"), size).contains("tick"), lines.toString());
    }

    /**
     * Code that was waiting for something goes on when its instance is no more: it sets no timers, and takes none from
     * the next one.
     */
    @Test
    void aStoppedInstanceSetsNoTimers() {
        RestartPolicy policy = RestartPolicy.stopWithBackoff(Duration.ofMillis(300), LONG);
        EntityRef<String> entity = node.startOne(talkers(policy));
        await(ask(entity, "listen"));
        failureCode(ask(entity, "throw"));
        TestCluster.until("it has stopped", () -> reports.size() == 1);
        EntityContext<String> stopped = contexts.get(0);
        List<FailureCode> refusals = new ArrayList<>();
        for (Runnable late : List.<Runnable>of(
                () -> stopped.setTimer(Duration.ofMillis(10), "late"),
                () -> stopped.setPeriodicTimer(Duration.ofMillis(10), "late"),
                () -> stopped.setReceiveTimeout(Duration.ofMillis(10), "late"))) {
            try {
                late.run();
            } catch (ShardingException e) {
                refusals.add(e.code());
            }
        }
        await(ask(entity, "tick"));
        TestCluster.until("the next one's timer fires", () -> count("tick") > 2);
        assertEquals(0, count("late"));
        FailureCode refusal = FailureCode.ENTITY_STOPPED;
        assertEquals(List.of(refusal, refusal, refusal), refusals);
    }

    @Test
    void handoffEndsTimers() {
        ShardRegion<String> region = node.start(talkers(RestartPolicy.restart()));
        await(ask(region.entityRef("a"), "listen"));
        await(ask(region.entityRef("a"), "tick"));
        await(region.leave());
        int size = lines.size();
        await(node.vertx().timer(150));
        assertEquals(size, lines.size(), lines.toString());
    }

    @Test
    void anIdleTimeoutOfNothingIsRefused() {
        EntityRef<String> entity = node.startOne(texts(id -> (message, context) -> {
            assertThrows(IllegalArgumentException.class, () -> context.setReceiveTimeout(Duration.ZERO, "x"));
            return Future.succeededFuture("refused");
        }));
        assertEquals("refused", await(ask(entity, "x")));
    }

    @Test
    void aStashedAskKeepsItsDeadline() {
        EntityRef<String> entity = node.startOne(talkers(RestartPolicy.restart()));
        Future<String> stashed = entity.request("stash", String.class, Duration.ofMillis(80));
        assertEquals(FailureCode.TIMED_OUT, failureCode(stashed));
        assertEquals("good", await(ask(entity, "good")));
    }

    @Test
    void aFullStashRefuses() {
        EntityRef<String> entity =
                node.startOne(talkers(RestartPolicy.restart()).withMailboxSize(2));
        List<Future<String>> asked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            asked.add(ask(entity, "stash"));
            await(ask(entity, "good"));
        }
        assertEquals(FailureCode.MAILBOX_FULL, failureCode(asked.get(2)));
    }
}
