package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import io.shardbus.spi.HandsOver;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What an instance can do, and what becomes of what it knows, when it ends otherwise than it should. */
class InstanceEndTest {
    sealed interface Message {}

    record Add(long amount) implements Message {}

    record Get() implements Message, Ask<Long> {}

    record Pay() implements Message, Ask<Long> {}

    record Fail() implements Message {}

    record Last() implements Message {}

    private static final EntityType<Message> ACCOUNT = EntityType.of("account", Message.class);

    private final List<EntityContext<Message>> contexts = new ArrayList<>();
    private final List<StopReason> stopped = new ArrayList<>();
    private final Promise<Long> outside = Promise.promise();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private boolean takesOver = true;
    private boolean throwsAtItsEnd;
    private boolean savesLast;
    private int paid;

    private final class Account implements Entity<Message>, HandsOver {
        private long value;

        @Override
        public Future<?> started(EntityContext<Message> context) {
            contexts.add(context);
            return done();
        }

        @Override
        public Future<?> receive(Message message, EntityContext<Message> context) {
            if (message instanceof Add add) {
                value += add.amount();
            } else if (message instanceof Get) {
                return reply(value);
            } else if (message instanceof Pay) {
                paid++;
                return outside.future();
            } else if (message instanceof Last && savesLast) {
                threads.add(Thread.currentThread());
                return Future.fromCompletionStage(CompletableFuture.supplyAsync(() -> value));
            } else {
                throw new IllegalStateException("told to fail by " + message);
            }
            return done();
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            stopped.add(reason);
            threads.add(Thread.currentThread());
            if (throwsAtItsEnd) {
                throw new IllegalStateException("stopping");
            }
            return done();
        }

        @Override
        public Future<State> handOver() {
            threads.add(Thread.currentThread());
            return Future.succeededFuture(new State(1, Buffer.buffer().appendLong(value)));
        }

        @Override
        public Future<?> takeOver(State state) {
            if (!takesOver) {
                return Promise.promise().future();
            }
            value = state.bytes().getLong(0);
            return done();
        }
    }

    private final EntityTestKit<Message> kit = EntityTestKit.of(EntityDefinition.of(ACCOUNT, id -> new Account())
            .withStopMessage(new Last())
            .withStopTimeout(Duration.ofSeconds(2)));

    private static FailureCode refusal(Runnable call) {
        return assertThrows(ShardingException.class, call::run).code();
    }

    @Test
    void anInstanceWhoseStopMessageThrowsHandsOverAndStops() {
        try (kit) {
            kit.tell(new Add(5));
            kit.move();
            assertEquals(5L, kit.ask(new Get()));
            assertEquals(List.of(StopReason.HANDOFF), stopped);
        }
    }

    @Test
    void anInstanceWhoseStoppingThrowsHasHandedOver() {
        try (kit) {
            throwsAtItsEnd = true;
            kit.tell(new Add(5));
            kit.move();
            assertEquals(5L, kit.ask(new Get()));
            assertEquals(List.of(StopReason.HANDOFF), stopped);
            assertEquals(1L, kit.counters().get("handover_taken"));
        }
    }

    @Test
    void anInstanceHandsOverAndStopsOnItsEventLoopWhateverThreadCompletesItsStopMessage() {
        try (kit) {
            savesLast = true;
            kit.tell(new Add(5));
            kit.move();
            assertEquals(5L, kit.ask(new Get()));
            assertEquals(3, threads.size());
            assertEquals(1, Set.copyOf(threads).size(), threads::toString);
        }
    }

    @Test
    void aStateThatItDoesNotTakeOverInTimeIsCountedAsLost() {
        try (kit) {
            kit.tell(new Add(5));
            takesOver = false;
            kit.move();
            Future<Void> ended = kit.losingLease();
            kit.advance(Duration.ofSeconds(3));
            assertTrue(ended.isComplete());
            assertEquals(1L, kit.counters().get("handover_timed_out"));
        }
    }

    @Test
    void theContextOfAnEndedInstanceDoesNothingToTheNextOne() {
        try (kit) {
            kit.start();
            kit.tell(new Fail());
            Future<Long> answer = kit.asking(new Pay());
            EntityContext<Message> ended = contexts.get(0);
            assertEquals(2, contexts.size());
            assertEquals(FailureCode.ENTITY_STOPPED, refusal(ended::stash));
            assertEquals(FailureCode.ENTITY_STOPPED, refusal(ended::unstashAll));
            assertEquals(FailureCode.ENTITY_STOPPED, refusal(ended::discardStash));
            assertEquals(FailureCode.ENTITY_STOPPED, refusal(() -> ended.setTimer(Duration.ofSeconds(1), new Add(1))));
            assertEquals(
                    FailureCode.ENTITY_STOPPED,
                    refusal(() -> ended.setReceiveTimeout(Duration.ofSeconds(1), new Add(1))));
            ended.passivate();
            ended.stop();
            assertTrue(kit.isLive());
            assertFalse(answer.isComplete());
            outside.complete(7L);
            kit.awaitQuiet();
            assertEquals(7L, answer.result());
            assertTrue(kit.isLive());
            assertEquals(1, paid);
            assertEquals(List.of(), stopped);
            assertNotEquals(contexts.get(1).incarnation(), ended.incarnation());
        }
    }
}
