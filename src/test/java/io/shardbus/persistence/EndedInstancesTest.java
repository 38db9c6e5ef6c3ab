package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An instance of a persistent entity")
class EndedInstancesTest {
    private static final EntityType<Command> TYPE = EntityType.of("ended", Command.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(1);

    private final UnsteadyStore store = new UnsteadyStore();
    private final Promise<Void> slow = Promise.promise();
    private final EntityTestKit<Command> kit =
            EntityTestKit.of(EventSourced.of(TYPE, id -> new Counter(slow.future()), EventCodec.json(Added.class))
                    .on(store)
                    .withStopTimeout(STOP_TIMEOUT));

    sealed interface Command extends Ask<Long> {}

    record Add(long amount) implements Command {}

    record Get() implements Command {}

    /** Adds when the test says so. */
    record Slow(long amount) implements Command {}

    /** Has this as the last message of the instance. */
    record EndWith(long amount) implements Command {}

    /** Adds, and its action throws an Error. */
    record Faulty(long amount) implements Command {}

    record Added(long amount) {}

    private record Counter(Future<Void> slow) implements EventSourcedEntity<Command, Added, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Added, Long> handle(Long sum, Command command, PersistenceContext<Command> context) {
            if (command instanceof Slow late) {
                return after(slow.map(done -> add(late.amount())));
            }
            if (command instanceof Faulty faulty) {
                return persist(new Added(faulty.amount()))
                        .thenRun(now -> {
                            throw new StackOverflowError("of an action");
                        })
                        .thenReply(now -> now);
            }
            if (command instanceof EndWith end) {
                context.passivate(new Slow(end.amount()));
                return reply(sum);
            }
            return command instanceof Add some ? add(some.amount()) : reply(sum);
        }

        private Effect<Added, Long> add(long amount) {
            return persist(new Added(amount)).thenReply(now -> now);
        }

        @Override
        public Long apply(Long sum, Added event) {
            return sum + event.amount();
        }
    }

    @AfterEach
    void close() {
        kit.close();
    }

    @Test
    @DisplayName("that was ended by force stores nothing any more, though its decision comes then")
    void endedByForce() {
        kit.ask(new Add(1));
        kit.ask(new EndWith(10));
        Future<Long> next = kit.asking(new Get());
        assertFalse(next.isComplete());
        kit.advance(STOP_TIMEOUT.plusMillis(100));
        assertEquals(1, next.result(), "of another instance");
        slow.complete();
        kit.advance(Duration.ofMillis(100));
        assertEquals(3, kit.ask(new Add(2)));
        kit.passivate();
        assertEquals(7, kit.ask(new Add(4)), "nothing else was stored");
    }

    @Test
    @DisplayName("whose action throws an Error answers all the same, and goes on")
    void faultyAction() {
        Future<Long> asked = kit.asking(new Faulty(1));
        kit.advance(Duration.ofMillis(100));
        assertFalse(asked.failed());
        assertEquals(1, asked.result());
        assertEquals(3, kit.ask(new Add(2)));
    }
}
