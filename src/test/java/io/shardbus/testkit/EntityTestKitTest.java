package io.shardbus.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.HandsOver;
import io.shardbus.testkit.EntityEffect.Failed;
import io.shardbus.testkit.EntityEffect.Started;
import io.shardbus.testkit.EntityEffect.Stopped;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The kit runs what production runs: each test is a thing that an entity's author wants to see. */
class EntityTestKitTest {
    sealed interface Message {}

    record Add(long amount) implements Message {}

    record Get() implements Message, Ask<Long> {}

    record GetBeside() implements Message, Ask<Long> {}

    record Lie() implements Message, Ask<String> {}

    record Fail() implements Message {}

    record Wait() implements Message, Ask<Long> {}

    record Report() implements Message {}

    record End() implements Message {}

    record In(Duration delay, long amount) implements Message {}

    record Untravelled(Unwritable thing) implements Message {}

    /** Jackson finds no value of it. */
    static final class Unwritable {
        public long getValue() {
            throw new UnsupportedOperationException("has none");
        }
    }

    private static final EntityType<Message> COUNTER = EntityType.of("kit-counter", Message.class);

    private final TestSharding others = TestSharding.create();
    private final Promise<Long> outside = Promise.promise();
    private int handOverSize = 8;

    private final class Counter implements Entity<Message>, HandsOver {
        private long value;

        @Override
        public Future<?> receive(Message message, EntityContext<Message> context) {
            if (message instanceof Add add) {
                value += add.amount();
            } else if (message instanceof Get) {
                return reply(value);
            } else if (message instanceof GetBeside) {
                return context.entityRef("beside").ask(new Get());
            } else if (message instanceof Lie) {
                return reply(7);
            } else if (message instanceof Wait) {
                return outside.future();
            } else if (message instanceof Report) {
                EntityRef<Message> other = others.entityRef(COUNTER, "sum");
                other.tell(new Add(value));
            } else if (message instanceof End) {
                context.stop();
            } else if (message instanceof In in) {
                context.setTimer(in.delay(), new Add(in.amount()));
            } else {
                throw new IllegalStateException("told to fail");
            }
            return done();
        }

        @Override
        public Future<State> handOver() {
            Buffer bytes = Buffer.buffer().appendLong(value);
            return Future.succeededFuture(new State(1, bytes.appendBytes(new byte[handOverSize - 8])));
        }

        @Override
        public Future<?> takeOver(State state) {
            value = state.bytes().getLong(0);
            return done();
        }
    }

    private EntityDefinition<Message> definition() {
        return EntityDefinition.of(COUNTER, id -> new Counter());
    }

    private static FailureCode code(Future<?> future) {
        return assertInstanceOf(ShardingException.class, future.cause()).code();
    }

    @Test
    void tellsAndAsksReachTheEntityInTheirOrder() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(2));
            kit.tell(new Add(3));
            assertEquals(5L, kit.ask(new Get()));
            assertEquals(5L, kit.request(new Get(), Long.class));
            assertEquals(List.of(new Started(StartReason.MESSAGE)), kit.takeEffects());
            assertEquals(List.of(), kit.takeEffects());
        }
    }

    @Test
    void anAnswerOfAnotherClassThanTheAskSaysFailsItAsInProduction() {
        try (var kit = EntityTestKit.of(definition())) {
            Future<String> answer = kit.asking(new Lie());
            assertEquals(FailureCode.INVALID_ANSWER, code(answer));
            assertEquals(0L, kit.ask(new Get()));
        }
    }

    @Test
    void aMessageThatCannotTravelFailsThoughThereIsOneNode() {
        try (var kit = EntityTestKit.of(definition())) {
            ShardingException failure =
                    assertThrows(ShardingException.class, () -> kit.tell(new Untravelled(new Unwritable())));
            assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE, failure.code());
        }
    }

    @Test
    void whatAnEntityTellsToOthersReachesTheTest() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(4));
            kit.tell(new Report());
            assertEquals(List.of(new Add(4)), others.entityRef(COUNTER, "sum").received());
        }
    }

    @Test
    @DisplayName("an ask by a reference of its context reaches an entity of its own type in the kit")
    void anAskByAReferenceOfItsContextReachesItsNeighbour() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(4));
            assertEquals(0L, kit.ask(new GetBeside()), "the neighbour's value");
            Started started = new Started(StartReason.MESSAGE);
            assertEquals(List.of(started, started), kit.takeEffects());
        }
    }

    @Test
    void timersFireWhenTheTestSaysThatTheirTimeHasCome() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new In(Duration.ofSeconds(60), 1));
            kit.tell(new In(Duration.ofSeconds(30), 10));
            assertEquals(List.of(Duration.ofSeconds(30), Duration.ofSeconds(60)), kit.timers());
            kit.advance(Duration.ofMillis(29_999));
            assertEquals(0L, kit.ask(new Get()));
            kit.advance(Duration.ofMillis(1));
            assertEquals(10L, kit.ask(new Get()));
            kit.advance(Duration.ofMinutes(1));
            assertEquals(11L, kit.ask(new Get()));
            assertEquals(List.of(), kit.timers());
        }
    }

    @Test
    void anIdleEntityIsPutAwayAndForgetsItsTimers() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(1));
            kit.tell(new In(Duration.ofHours(1), 1));
            kit.advance(Duration.ofSeconds(100));
            assertTrue(kit.isLive());
            kit.advance(Duration.ofSeconds(100));
            assertFalse(kit.isLive());
            assertEquals(List.of(), kit.timers());
            assertEquals(
                    List.of(new Started(StartReason.MESSAGE), new Stopped(StopReason.PASSIVATION)), kit.takeEffects());
            assertEquals(0L, kit.ask(new Get()));
        }
    }

    @Test
    void theNodesOptionsCount() {
        var options =
                new ShardingOptions().setPassivation(new PassivationOptions().setStrategy(PassivationOptions.NONE));
        try (var kit = EntityTestKit.of(definition(), "a", options)) {
            kit.tell(new Add(1));
            kit.advance(Duration.ofHours(1));
            assertTrue(kit.isLive());
            assertEquals("a", kit.ref().id());
        }
    }

    @Test
    void anEntityThatReadsAClockReadsTheTests() {
        try (var kit = EntityTestKit.<Message>withClock(clock ->
                EntityDefinition.of(COUNTER, id -> (message, context) -> Future.succeededFuture(clock.getAsLong())))) {
            long first = kit.ask(new Get());
            kit.advance(Duration.ofSeconds(90));
            assertEquals(90_000L, kit.ask(new Get()) - first);
        }
    }

    @Test
    void passivateEndsTheInstance() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(1));
            kit.passivate();
            assertFalse(kit.isLive());
            assertEquals(0L, kit.ask(new Get()));
        }
    }

    @Test
    void anEntityThatStopsItselfLeavesWhatWaitsToTheNext() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(1));
            Future<Long> waiting = kit.asking(new Wait());
            kit.tell(new End());
            Future<Long> next = kit.asking(new Get());
            outside.complete(1L);
            kit.awaitQuiet();
            assertEquals(1L, waiting.result());
            assertEquals(0L, next.result());
            kit.tell(new End());
            assertFalse(kit.isLive());
        }
    }

    @Test
    void anEntityThatDoesNotEndIsStoppedByForceAndCounted() {
        try (var kit = EntityTestKit.of(definition().withStopTimeout(Duration.ofSeconds(2)))) {
            Future<Long> waiting = kit.asking(new Wait());
            Future<Void> ended = kit.losingLease();
            kit.advance(Duration.ofSeconds(1));
            assertFalse(ended.isComplete());
            kit.advance(Duration.ofSeconds(2));
            assertTrue(ended.isComplete());
            assertEquals(1L, kit.counters().get("stopped_by_force"));
            assertEquals(FailureCode.OUTCOME_UNKNOWN, code(waiting));
        }
    }

    @Test
    void aMoveTakesTheStateAlongAndOneThatIsTooLargeIsLost() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(9));
            kit.move();
            assertEquals(9L, kit.ask(new Get()));
            assertEquals(1L, kit.counters().get("handover_taken"));
            assertEquals(
                    List.of(
                            new Started(StartReason.MESSAGE),
                            new Stopped(StopReason.HANDOFF),
                            new Started(StartReason.MOVED)),
                    kit.takeEffects());
            handOverSize = new ShardingOptions().getMaxPayloadBytes() + 1;
            kit.move();
            assertEquals(1L, kit.counters().get("handover_too_large"));
            assertEquals(0L, kit.ask(new Get()));
        }
    }

    @Test
    void messagesThatComeWhileTheEntityIsBusyWaitForTheMove() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(1));
            Future<Long> waiting = kit.asking(new Wait());
            Future<Long> next = kit.asking(new Get());
            assertFalse(waiting.isComplete());
            outside.complete(3L);
            kit.awaitQuiet();
            kit.move();
            assertEquals(3L, waiting.result());
            assertEquals(1L, next.result());
        }
    }

    @Test
    void anAskThatIsNotAnsweredTimesOutInManualTime() {
        try (var kit = EntityTestKit.of(definition().withAskTimeout(Duration.ofSeconds(5)))) {
            Future<Long> waiting = kit.asking(new Wait());
            kit.advance(Duration.ofSeconds(4));
            assertFalse(waiting.isComplete());
            kit.advance(Duration.ofSeconds(2));
            assertEquals(FailureCode.TIMED_OUT, code(waiting));
        }
    }

    @Test
    void codeThatThrowsMeetsTheRestartPolicy() {
        var policy = RestartPolicy.stopWithBackoff(Duration.ofSeconds(3), Duration.ofSeconds(10));
        try (var kit = EntityTestKit.of(definition().withRestartPolicy(policy))) {
            kit.tell(new Add(1));
            kit.tell(new Fail());
            List<EntityEffect> effects = kit.takeEffects();
            Failed failed = assertInstanceOf(Failed.class, effects.get(effects.size() - 1));
            assertEquals(RestartPolicy.Action.BACKING_OFF, failed.action());
            assertEquals("told to fail", failed.failure().getMessage());
            Future<Long> later = kit.asking(new Get());
            kit.advance(Duration.ofSeconds(2));
            assertFalse(later.isComplete());
            kit.advance(Duration.ofSeconds(2));
            assertEquals(0L, later.result());
        }
    }

    @Test
    void anEntityStartsAgainAfterAnyEnd() {
        for (StopReason reason : Set.of(StopReason.PASSIVATION, StopReason.LEASE_LOST, StopReason.SHUTDOWN)) {
            try (var kit = EntityTestKit.of(definition())) {
                kit.tell(new Add(1));
                kit.restart(reason);
                assertEquals(0L, kit.ask(new Get()), reason.name());
                assertTrue(kit.takeEffects().contains(new Stopped(reason)), reason.name());
            }
        }
    }

    @Test
    void aRememberedEntityComesBackByItselfWhenTheStoreWorksAgain() {
        var remembering = definition().withRememberEntities(true);
        try (var kit = EntityTestKit.of(remembering)) {
            kit.tell(new Add(1));
            kit.restart(StopReason.SHUTDOWN);
            assertTrue(kit.takeEffects().contains(new Started(StartReason.REMEMBERED)));
        }
        try (var kit = EntityTestKit.of(remembering)) {
            kit.failStore(new IllegalStateException("disk full"));
            Future<Long> answer = kit.asking(new Get());
            kit.advance(Duration.ofSeconds(3));
            assertFalse(answer.isComplete());
            assertFalse(kit.isLive());
            kit.healStore();
            kit.advance(Duration.ofSeconds(1));
            assertEquals(0L, answer.result());
        }
    }

    @Test
    void codeOnAWorkerThreadHasReturnedWhenTheKitReturns() {
        try (var kit = EntityTestKit.of(definition().withExecution(ExecutionModel.WORKER))) {
            kit.tell(new Add(2));
            kit.tell(new Report());
            assertEquals(List.of(new Add(2)), others.entityRef(COUNTER, "sum").received());
            assertEquals(2L, kit.ask(new Get()));
        }
    }

    /** Production reports such a failure as unhandled, and goes on: a test is to see it. */
    @Test
    void aTimersHandlerThatThrowsFailsTheTestWithWhatItThrew() {
        Entity<Message> forgetful = new Entity<>() {
            @Override
            public Future<?> receive(Message message, EntityContext<Message> context) {
                context.vertx().setTimer(50, timer -> {
                    throw new IllegalStateException("forgotten");
                });
                return done();
            }
        };
        try (var kit = EntityTestKit.of(EntityDefinition.of(COUNTER, id -> forgetful))) {
            kit.tell(new Add(1));
            kit.advance(Duration.ofMillis(40));
            var failure = assertThrows(AssertionError.class, () -> kit.advance(Duration.ofMillis(20)));
            assertEquals("forgotten", failure.getCause().getMessage());
            kit.advance(Duration.ofSeconds(1));
            kit.tell(new Add(1));
            assertEquals(List.of(Duration.ofMillis(50)), kit.timers());
        }
    }

    /** Sets timers of the Vertx that no node would set. */
    private static final class Hasty implements Entity<Message> {
        @Override
        public Future<?> receive(Message message, EntityContext<Message> context) {
            Vertx vertx = context.vertx();
            assertThrows(IllegalArgumentException.class, () -> vertx.setTimer(0, timer -> {}));
            assertThrows(IllegalArgumentException.class, () -> vertx.setPeriodic(0, timer -> {}));
            assertThrows(IllegalArgumentException.class, () -> vertx.setPeriodic(0, 0, timer -> {}));
            assertThrows(IllegalArgumentException.class, () -> vertx.setPeriodic(-1, 1, timer -> {}));
            vertx.cancelTimer(vertx.setPeriodic(0, 1, timer -> {}));
            return reply(1L);
        }
    }

    @Test
    void refusesTheTimersThatVertxRefuses() {
        try (var kit = EntityTestKit.of(EntityDefinition.of(COUNTER, id -> new Hasty()))) {
            assertEquals(1L, kit.ask(new Get()));
        }
    }

    @Test
    void monthsPass() {
        try (var kit = EntityTestKit.of(definition())) {
            kit.tell(new Add(1));
            kit.advance(Duration.ofDays(90));
            assertFalse(kit.isLive(), "it was idle");
        }
    }
}
