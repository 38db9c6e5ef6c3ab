package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.ClusterPicture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
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
    private static final ClusterPicture PICTURE = new ClusterPicture(List.of(HOME), Map.of(), true, false);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger asked = new AtomicInteger();
    private final JsonObject row = new JsonObject().put("numberOfShards", 10);
    private Future<JsonObject> answer = Future.succeededFuture(new JsonObject().put("live", true));
    private final Retries repetitions = new Retries(vertx, new ElapsedClock());
    private final HomeQueries questions = new HomeQueries(
            repetitions,
            new MemberQueries(repetitions, () -> PICTURE, (node, question) -> {
                asked.incrementAndGet();
                return answer;
            }),
            question -> Future.succeededFuture(row),
            PATIENCE);

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private void atHome(boolean confirmed) {
        row.put("home", HOME.value()).put("token", TypeStates.toJson(TOKEN)).put("confirmed", confirmed);
    }

    private void elsewhere() {
        answer = Future.succeededFuture(new JsonObject().put("live", false).put(HomeQueries.ELSEWHERE, true));
    }

    private Future<Optional<HomeQueries.Found>> ask(int shard) {
        return questions.ask("type", shard, new JsonObject());
    }

    @Test
    void tellsWhatTheHomeSays() {
        atHome(true);
        HomeQueries.Found found = await(ask(1)).orElseThrow();
        assertEquals(HOME, found.home());
        assertEquals(TOKEN, found.token());
        assertEquals(true, found.answer().getBoolean("live"));
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
        assertEquals(false, await(ask(1)).orElseThrow().answer().getBoolean("live"));
        assertEquals(1, asked.get());
    }

    @Test
    void aShardThatIsNowhereHasNothingLiveWhenTimeIsUp() {
        atHome(true);
        elsewhere();
        assertEquals(false, await(ask(1)).orElseThrow().answer().getBoolean("live"));
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
