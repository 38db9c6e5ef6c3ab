package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A failure of another entity's answer that an entity passes on")
class PassedOnFailuresTest {
    private final ShardingException late = new ShardingException(FailureCode.TIMED_OUT, "b has not answered");
    private final ShardingException refused =
            new ShardingException(FailureCode.ENTITY_FAILED, "there is 0", "INSUFFICIENT", null);

    private final Vertx vertx = Vertx.vertx();
    /** What the other entity's next answers are. */
    private final Deque<Future<Long>> answers = new ArrayDeque<>();

    private final EntityTestKit<Forward> entity = EntityTestKit.of(EventSourced.of(
                    EntityType.of("forwarding", Forward.class),
                    id -> new Forwarding(),
                    EventCodec.json(Forwarded.class))
            .on(MemoryStore.create()));

    record Forward() implements Ask<Long> {}

    record Forwarded(long amount) {}

    private final class Forwarding implements EventSourcedEntity<Forward, Forwarded, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Forwarded, Long> handle(Long state, Forward command, PersistenceContext<Forward> context) {
            Future<Long> answer = answers.isEmpty() ? Future.succeededFuture(1L) : answers.remove();
            return after(answer.map(amount -> persist(new Forwarded(amount)).thenReply(now -> now)));
        }

        @Override
        public Long apply(Long state, Forwarded event) {
            return state + event.amount();
        }
    }

    @AfterEach
    void close() {
        entity.close();
        Await.result(vertx.close());
    }

    private ShardingException failure(ShardingException inner) {
        answers.add(Future.failedFuture(inner));
        return assertThrows(ShardingException.class, () -> entity.ask(new Forward()));
    }

    @Test
    @DisplayName("is a failure of its code, not its refusal, and the text names the failure")
    void isNoRefusal() {
        ShardingException failure = failure(late);
        assertEquals(FailureCode.ENTITY_FAILED, failure.code());
        assertNull(failure.entityCode());
        assertEquals("TIMED_OUT: b has not answered", failure.getMessage());
    }

    @Test
    @DisplayName("stays a refusal, with its code, if the other entity refused")
    void staysARefusal() {
        ShardingException failure = failure(refused);
        assertEquals(FailureCode.ENTITY_FAILED, failure.code());
        assertEquals("INSUFFICIENT", failure.entityCode());
        assertEquals("there is 0", failure.getMessage());
    }

    @Test
    @DisplayName("makes a numbered producer deliver again")
    void isDeliveredAgain() {
        answers.add(Future.failedFuture(late));
        var producer = new NumberedProducer(vertx, "p", NumberedProducer.MOST_UNSETTLED);
        ClusterTestKit.await(
                producer.deliver(1, entity.ref(), new Forward(), refusal -> Future.succeededFuture("parked")));
        assertEquals(2, entity.ask(new Forward()), "the delivery's effect and this one");
        producer.close();
    }
}
