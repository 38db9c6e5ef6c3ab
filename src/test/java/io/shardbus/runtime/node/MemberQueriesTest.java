package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.integration.LoneNode;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.ClusterPicture;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemberQueriesTest {
    private static final NodeId MEMBER = new NodeId("member");
    private static final Query.PrepareForShutdown ORDER = new Query.PrepareForShutdown(true);
    private static final long PATIENCE = 60_000;
    private static final ClusterPicture HERE =
            new ClusterPicture(List.of(MEMBER), Map.of(MEMBER, new NodeAttributes(Set.of(), true, "")), true);
    private static final ClusterPicture WITHOUT_SHARDING = new ClusterPicture(List.of(MEMBER), Map.of(), true);
    private static final ClusterPicture GONE = new ClusterPicture(List.of(), Map.of(), true);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger asked = new AtomicInteger();
    private final Promise<QueryAnswer.Announced> answer = Promise.promise();
    private volatile ClusterPicture picture = HERE;
    private volatile boolean isLatest = true;
    private volatile Supplier<Future<QueryAnswer.Announced>> member = answer::future;
    private final Retries retries = new Retries(vertx, new ElapsedClock());
    private final MemberQueries queries = new MemberQueries(retries, () -> picture, this::ofMember);

    @SuppressWarnings("unchecked") // the question is always the same
    private <A extends QueryAnswer> Future<A> ofMember(NodeId node, Query<A> query) {
        asked.incrementAndGet();
        return (Future<A>) member.get();
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private Future<QueryAnswer.Announced> noHandlerHears() {
        return BusTransport.within(vertx, "t.", System::currentTimeMillis).query(MEMBER, ORDER, PATIENCE);
    }

    private Future<?> telling(long patience) {
        return queries.tell(MEMBER, ORDER, patience, () -> isLatest);
    }

    @Test
    void whoLeavesWithoutAnAnswerNeedNotBeTold() {
        Future<?> told = telling(PATIENCE);
        assertFalse(told.isComplete());
        picture = GONE;
        await(told);
        assertEquals(1, asked.get());
    }

    @Test
    void whoHasLeftUnheardNeedNotBeTold() {
        picture = GONE;
        member = this::noHandlerHears;
        await(telling(PATIENCE));
        assertEquals(1, asked.get());
    }

    @Test
    void whoEndsItsShardingUnheardNeedNotBeTold() {
        member = this::noHandlerHears;
        Future<?> told = telling(PATIENCE);
        until("told again", () -> asked.get() > 1);
        assertFalse(told.isComplete());
        picture = WITHOUT_SHARDING;
        await(told);
    }

    @Test
    void whoEndsItsShardingWithoutAnAnswerNeedNotBeTold() {
        Future<?> told = telling(PATIENCE);
        assertFalse(told.isComplete());
        picture = WITHOUT_SHARDING;
        await(told);
        assertEquals(1, asked.get());
    }

    @Test
    void whoIsNotKnownToRunShardingYetIsToldAgain() {
        picture = WITHOUT_SHARDING;
        member = this::noHandlerHears;
        Future<?> told = telling(PATIENCE);
        until("told again", () -> asked.get() > 1);
        assertFalse(told.isComplete());
        picture = HERE;
        member = () -> Future.succeededFuture(QueryAnswer.Announced.FOLLOWED);
        await(told);
    }

    @Test
    void whoDoesNotRunShardingNeedNotBeToldWhenTimeIsUp() {
        picture = WITHOUT_SHARDING;
        member = this::noHandlerHears;
        await(telling(100));
        assertTrue(asked.get() > 1);
    }

    @Test
    void whoIsHeardAgainIsTold() {
        member = this::noHandlerHears;
        Future<?> told = telling(PATIENCE);
        until("told again", () -> asked.get() > 1);
        member = () -> Future.succeededFuture(QueryAnswer.Announced.FOLLOWED);
        await(told);
    }

    @Test
    void whoStaysAndDoesNotHearFailsIt() {
        member = this::noHandlerHears;
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(telling(100)));
    }

    @Test
    @DisplayName("an order is not told again once a later one is known")
    void anOutdatedOrderIsNotToldAgain() {
        member = this::noHandlerHears;
        Future<?> told = telling(PATIENCE);
        until("told again", () -> asked.get() > 1);
        isLatest = false;
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(told));
    }

    @Test
    void whatIsRepeatedForLongIsRepeatedLessOften() {
        member = this::noHandlerHears;
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(telling(1_000)));
        assertTrue(asked.get() < 25, asked + " times in a second");
    }

    @Test
    void whoCannotDoItFailsIt() {
        member = () -> Future.failedFuture(RegionStarter.closedNode());
        assertEquals(FailureCode.SHUTTING_DOWN, LoneNode.failureCode(telling(PATIENCE)));
        assertEquals(1, asked.get());
    }

    @Test
    void whatIsToldAgainEndsWithTheNode() {
        member = this::noHandlerHears;
        Future<?> told = telling(PATIENCE);
        until("told again", () -> asked.get() > 1);
        retries.end();
        assertEquals(FailureCode.SHUTTING_DOWN, LoneNode.failureCode(told));
    }

    @Test
    void aQuestionToWhoIsNotKnownYetIsAnswered() {
        picture = GONE;
        Future<QueryAnswer.Announced> asking = queries.ask(MEMBER, ORDER);
        // longer than it takes to look whether a member has left
        await(vertx.timer(100, TimeUnit.MILLISECONDS));
        assertFalse(asking.isComplete());
        picture = HERE;
        answer.complete(QueryAnswer.Announced.FOLLOWED);
        assertEquals(QueryAnswer.Announced.FOLLOWED, await(asking));
    }
}
