package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoordinatorQueriesTest {
    private static final NodeId OLD = new NodeId("old");
    private static final NodeId NEW = new NodeId("new");
    private static final long PATIENCE = 10_000;

    private static final Query.Rebalance QUESTION = new Query.Rebalance("type");

    private final Vertx vertx = Vertx.vertx();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile @Nullable NodeId coordinator = OLD;
    private volatile @Nullable Throwable failure = CoordinatorQueries.notReigning("no more");
    private final Retries retries = new Retries(vertx, new ElapsedClock());
    private final CoordinatorQueries queries = new CoordinatorQueries(retries, () -> coordinator, this::answer);

    private final Promise<Future<QueryAnswer.Handoffs>> asking = Promise.promise();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** The old one refuses twice, or never answers; then no coordinator is known, and at last the new one. */
    @SuppressWarnings("unchecked") // the question is always the same
    private <A extends QueryAnswer> Future<A> answer(NodeId node, Query<A> question) {
        asked.add(node.value());
        if (node.equals(NEW)) {
            return Future.succeededFuture((A) new QueryAnswer.Handoffs(7));
        }
        Throwable given = failure;
        if (given == null || asked.size() == 2) {
            coordinator = null;
            vertx.setTimer(50, ignored -> coordinator = NEW);
        }
        return given == null ? Promise.<A>promise().future() : Future.failedFuture(given);
    }

    private Throwable failure(long patience) throws InterruptedException {
        Future<QueryAnswer.Handoffs> answer = queries.ask(QUESTION, patience);
        try {
            answer.await(PATIENCE, TimeUnit.MILLISECONDS);
        } catch (Exception e) {
            return e;
        }
        throw new AssertionError("it was answered");
    }

    private void assertThatTheNewOneAnswers() {
        assertEquals(7, await(queries.ask(QUESTION, PATIENCE)).handoffs());
    }

    @Test
    void whoDoesNotReignAnyMoreIsNotTheLastToBeAsked() {
        assertThatTheNewOneAnswers();
        assertEquals(List.of("old", "old", "new"), asked);
    }

    /** As the transport says it where the node asked has left before its leaving is known here. */
    private Throwable unheard() {
        return await(BusTransport.within(vertx, "t.", System::currentTimeMillis)
                .query(OLD, QUESTION, PATIENCE)
                .<Throwable>map(answer -> new AssertionError("an answer came"))
                .otherwise(unheard -> unheard));
    }

    @Test
    void whoHasLeftIsNotTheLastToBeAsked() {
        failure = unheard();
        assertThatTheNewOneAnswers();
        assertEquals(List.of("old", "old", "new"), asked);
    }

    /** As on a side that was cut off from its coordinator. */
    @Test
    void aQueryThatReachedNoNodeInTimeHasDoneNothing() throws InterruptedException {
        failure = unheard();
        ShardingException refused = assertInstanceOf(ShardingException.class, failure(0));
        assertEquals(FailureCode.NOT_IN_MAJORITY, refused.code());
    }

    /** It has left with the question, or with the answer. */
    @Test
    void whoDoesNotAnswerIsNotTheLastToBeAskedOnceAnotherReigns() {
        failure = null;
        assertThatTheNewOneAnswers();
        assertEquals(List.of("old", "new"), asked);
    }

    /** The new one would move the shard once more, or refuse, as the shard is on its way. */
    @Test
    void aMoveThatWasNotAnsweredIsNotRepeatedAsItMayBeDone() {
        failure = null;
        Query.Order move = new Query.Order(new OperatorOrder(OperatorOrder.Kind.MOVE, "type", NEW, 5));
        assertEquals(FailureCode.OUTCOME_UNKNOWN, LoneNode.failureCode(queries.ask(move, PATIENCE)));
        assertEquals(List.of("old"), asked);
    }

    /** Its timer may be that of a verticle which ends before it is due. */
    @Test
    void queriesThatWaitFailWhenNoNodeIsLeft() {
        coordinator = null;
        Future<QueryAnswer.Handoffs> answer = await(vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        asking.complete(queries.ask(QUESTION, PATIENCE));
                        return Future.succeededFuture();
                    }
                })
                .compose(vertx::undeploy)
                .compose(gone -> {
                    retries.end();
                    return asking.future();
                }));
        assertEquals(FailureCode.SHUTTING_DOWN, LoneNode.failureCode(answer));
    }

    @Test
    void whatALaterOrderHasReplacedIsNotRepeated() {
        Future<QueryAnswer.Handoffs> answer = queries.ask(QUESTION, PATIENCE, () -> asked.size() < 2);
        assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(answer));
        assertEquals(List.of("old", "old"), asked);
    }

    /** It waits longer between two tries than the later one. */
    @Test
    void whatALaterOrderHasReplacedSinceTheLastTryIsNotRepeated() {
        AtomicInteger looks = new AtomicInteger();
        Future<QueryAnswer.Handoffs> answer = queries.ask(QUESTION, PATIENCE, () -> looks.incrementAndGet() <= 2);
        assertEquals(FailureCode.NOT_IN_MAJORITY, LoneNode.failureCode(answer));
        assertEquals(List.of("old"), asked);
    }

    @Test
    void anotherFailureIsTheAnswer() throws InterruptedException {
        failure = new ShardingException(FailureCode.TIMED_OUT, "no answer");
        assertEquals(failure, failure(PATIENCE));
        assertEquals(List.of("old"), asked);
    }

    @Test
    void withoutPatienceARefusalIsTheAnswer() throws InterruptedException {
        ShardingException refused = assertInstanceOf(ShardingException.class, failure(0));
        assertEquals(FailureCode.NOT_IN_MAJORITY, refused.code());
        coordinator = null;
        ShardingException unknown = assertInstanceOf(ShardingException.class, failure(0));
        assertEquals(FailureCode.NOT_IN_MAJORITY, unknown.code());
        assertEquals(List.of("old"), asked);
    }

    /** How deep the stack is when the answer comes. */
    private int depthOfAnAnswerAfter(long millis) {
        coordinator = null;
        vertx.setTimer(millis, ignored -> coordinator = NEW);
        return await(queries.ask(QUESTION, PATIENCE).map(answer -> new Throwable().getStackTrace().length));
    }

    @Test
    void theAnswerToAQuestionThatWasRepeatedForLongComesFromNoDeeperThanAnother() {
        assertEquals(depthOfAnAnswerAfter(30), depthOfAnAnswerAfter(600));
    }
}
