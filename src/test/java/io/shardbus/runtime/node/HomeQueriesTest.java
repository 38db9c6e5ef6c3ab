package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.ClusterPicture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HomeQueriesTest {
    private static final NodeId HOME = new NodeId("home");
    private static final FencingToken TOKEN = new FencingToken(1, 2, 3);
    private static final long PATIENCE = 2_000;
    private static final ClusterPicture PICTURE = new ClusterPicture(List.of(HOME), Map.of(), true);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger asked = new AtomicInteger();
    private QueryAnswer.Home row = new QueryAnswer.Home(10, Optional.empty(), "");
    private Future<QueryAnswer.Live> answer = Future.succeededFuture(new QueryAnswer.Live(true, false));
    private final Retries retries = new Retries(vertx, new ElapsedClock());
    private final HomeQueries queries = new HomeQueries(
            retries, new MemberQueries(retries, () -> PICTURE, this::ofHome), this::ofCoordinator, PATIENCE);

    @SuppressWarnings("unchecked") // homes are asked for nothing else
    private <A extends QueryAnswer> Future<A> ofHome(NodeId node, Query<A> query) {
        asked.incrementAndGet();
        return (Future<A>) answer;
    }

    @SuppressWarnings("unchecked") // the coordinator is asked for homes alone
    private <A extends QueryAnswer> Future<A> ofCoordinator(Query<A> query) {
        return Future.succeededFuture((A) row);
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private void atHome(boolean confirmed) {
        row = new QueryAnswer.Home(10, Optional.of(new QueryAnswer.Shard(1, HOME, TOKEN, confirmed, null, 0)), "");
    }

    private void elsewhere() {
        answer = Future.succeededFuture(new QueryAnswer.Live(false, true));
    }

    private Future<Optional<HomeQueries.Found<QueryAnswer.Live>>> ask(int shard) {
        return queries.ask(new Query.IsLive("type", shard, "id"));
    }

    @Test
    void tellsWhatTheHomeSays() {
        atHome(true);
        HomeQueries.Found<QueryAnswer.Live> found = await(ask(1)).orElseThrow();
        assertEquals(HOME, found.home());
        assertEquals(TOKEN, found.token());
        assertEquals(true, found.answer().live());
        assertEquals(1, asked.get());
    }

    @Test
    void aShardWithoutAHomeIsNotAskedFor() {
        assertEquals(Optional.empty(), await(ask(1)));
        assertEquals(0, asked.get());
    }

    @Test
    void aShardThatIsOnItsWayHasNothingLive() {
        atHome(false);
        elsewhere();
        assertEquals(false, await(ask(1)).orElseThrow().answer().live());
        assertEquals(1, asked.get());
    }

    @Test
    void aShardThatIsNowhereHasNothingLiveWhenTimeIsUp() {
        atHome(true);
        elsewhere();
        assertEquals(false, await(ask(1)).orElseThrow().answer().live());
        assertTrue(asked.get() > 1);
    }

    @Test
    void aHomeThatDoesNotAnswerFailsItWhenTimeIsUp() {
        atHome(true);
        answer = Future.failedFuture("not started here");
        String failure = await(ask(1).map("answered").otherwise(Throwable::getMessage));
        assertEquals("not started here", failure);
        assertTrue(asked.get() > 1);
    }

    @Test
    void whatWillNotPassIsNotRepeated() {
        atHome(true);
        answer = Future.failedFuture(new ShardingException(FailureCode.INCOMPATIBLE, "another build"));
        assertEquals(FailureCode.INCOMPATIBLE, LoneNode.failureCode(ask(1)));
        assertEquals(FailureCode.INVALID_ID, LoneNode.failureCode(ask(10)));
        assertEquals(1, asked.get());
    }
}
