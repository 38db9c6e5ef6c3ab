package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterOverview;
import io.shardbus.model.EventPage;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.User;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.client.WebClient;
import io.vertx.ext.web.impl.UserContextInternal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of server-sent events end with the node that serves them, and are as many as it can serve. */
class LiveStreamsTest {
    private final Vertx vertx = Vertx.vertx();
    /** Of the test, as Vert.x closes a client that is no longer referred to, and its streams with it. */
    private final HttpClient client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(2 * Viewers.MOST));

    private ClusterSharding sharding;
    private int port;

    @BeforeEach
    void start() {
        sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        Await.result(sharding.start(EntityDefinition.of(
                EntityType.of("echo", String.class), id -> (message, context) -> Future.succeededFuture())));
        Await.until(sharding::clusterState, sharding::isReady);
        port = Await.result(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(vertx, sharding))
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private HttpClientResponse open(String path) {
        return Await.result(client.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1" + path)
                .compose(request ->
                        request.putHeader("Accept", "text/event-stream").send()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/events", "/stream"})
    void endWhenTheNodeBeginsToLeaveAndAreRefusedThen(String path) {
        var stream = open(path);
        assertEquals(200, stream.statusCode());
        assertEquals("text/event-stream", stream.getHeader("content-type"));
        var ended = stream.end();
        Await.result(sharding.prepareToLeave(Duration.ZERO));
        Await.result(ended);
        assertEquals(503, open(path).statusCode());
    }

    @Test
    void areCompressedForClientsThatTakeThat() {
        Buffer received = Buffer.buffer();
        Promise<Void> enough = Promise.promise();
        var stream = Await.result(client.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1/stream")
                .compose(request -> request.putHeader("Accept-Encoding", "br, gzip")
                        .send()
                        .onSuccess(response -> response.handler(part -> {
                            received.appendBuffer(part);
                            if (text(received).split("event: ").length > 2) {
                                enough.tryComplete();
                            }
                        }))));
        assertEquals("gzip", stream.getHeader("content-encoding"));
        Await.result(enough.future());
        assertTrue(text(received).contains("event: snapshot\ndata: {"), text(received));
    }

    /** What can be read of a stream that has not ended. */
    private static String text(Buffer zipped) {
        var text = new ByteArrayOutputStream();
        try (var unzipped = new GZIPInputStream(new ByteArrayInputStream(zipped.getBytes()))) {
            for (int next = unzipped.read(); next >= 0; next = unzipped.read()) {
                text.write(next);
            }
        } catch (IOException e) {
            // the rest has not come yet
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void areRefusedWhenThereAreTooMany() {
        var all = Future.all(IntStream.range(0, Viewers.MOST)
                .mapToObj(i -> client.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1/stream")
                        .compose(request -> request.send()))
                .toList());
        Await.result(all);
        assertEquals(503, open("/stream").statusCode());
        assertEquals(200, open("/events").statusCode());
    }

    @Test
    void ofClientsThatWentWhileTheyWereAuthorizedTakeNoRoom() {
        List<RoutingContext> asked = new CopyOnWriteArrayList<>();
        Promise<Boolean> decision = Promise.promise();
        int guarded = Await.result(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(vertx, sharding, (request, action) -> {
                            asked.add(request);
                            return decision.future();
                        }))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        var clients = IntStream.range(0, Viewers.MOST)
                .mapToObj(i -> vertx.createHttpClient())
                .toList();
        for (HttpClient one : clients) {
            one.request(HttpMethod.GET, guarded, "127.0.0.1", "/api/v1/stream").onSuccess(request -> request.send());
        }
        Await.until(asked::size, () -> asked.size() == Viewers.MOST);
        clients.forEach(one -> Await.result(one.close()));
        Await.until(
                () -> "not all connections are closed",
                () -> asked.stream().allMatch(request -> request.response().closed()));
        decision.complete(true);
        var next = Await.result(client.request(HttpMethod.GET, guarded, "127.0.0.1", "/api/v1/stream")
                .compose(request -> request.send()));
        assertEquals(200, next.statusCode());
    }

    @Test
    void recordActionsWithTheirOutcome() {
        var web = WebClient.create(vertx);
        int open = Await.result(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(vertx, sharding, new AdminOptions().setReadOnly(false)))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        var stop = web.put(open, "127.0.0.1", "/api/v1/rebalancing").putHeader("X-Shardbus-Request", "1");
        assertEquals(
                200,
                Await.result(stop.sendJsonObject(new JsonObject().put("enabled", false)))
                        .statusCode());
        var refused = Await.result(web.put(open, "127.0.0.1", "/api/v1/nodes/nowhere/cordon")
                .putHeader("X-Shardbus-Request", "1")
                .send());
        assertEquals(404, refused.statusCode(), refused::bodyAsString);
        var actions = Await.result(sharding.operations().events("", 100)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.ACTION)
                .map(ClusterEvent::details)
                .toList();
        assertEquals(
                List.of(
                        Map.of("action", "stop-rebalancing", "outcome", "done"),
                        Map.of(
                                "action",
                                "cordon",
                                "outcome",
                                "refused",
                                "reason",
                                refused.bodyAsJsonObject().getString("message"))),
                actions);
    }

    @Test
    void recordTheUserThatTheAuthorizerHasFound() {
        int guarded = Await.result(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(vertx, sharding, (request, action) -> {
                            ((UserContextInternal) request.userContext()).setUser(User.fromName("ada"));
                            return Future.succeededFuture(true);
                        }))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        var stopped = Await.result(WebClient.create(vertx)
                .put(guarded, "127.0.0.1", "/api/v1/rebalancing")
                .putHeader("X-Shardbus-Request", "1")
                .sendJsonObject(new JsonObject().put("enabled", false)));
        assertEquals(200, stopped.statusCode(), stopped::bodyAsString);
        var actions = Await.result(sharding.operations().events("", 100)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.ACTION)
                .map(ClusterEvent::details)
                .toList();
        assertEquals(List.of(Map.of("action", "stop-rebalancing", "outcome", "done", "user", "ada")), actions);
    }

    @Test
    void doNotCallAnActionRefusedThatMayStillBeCarriedOut() {
        assertEquals("unknown", AdminRoutes.outcome(new ShardingException(FailureCode.TIMED_OUT, "late")));
        assertEquals("unknown", AdminRoutes.outcome(new ShardingException(FailureCode.NOT_IN_MAJORITY, "silent")));
        assertEquals("refused", AdminRoutes.outcome(new ShardingException(FailureCode.NOT_APPLICABLE, "no")));
        assertEquals("refused", AdminRoutes.outcome(new RefusedRequest(HttpFailure.conflict("no"))));
        assertEquals("done", AdminRoutes.outcome(null));
    }

    /** The sharding of the node as if no coordinator answered. */
    private ClusterSharding withoutCoordinator() {
        var operations = LastEventsTest.replaced(
                ClusterOperations.class,
                sharding.operations(),
                "overview",
                given -> Promise.<ClusterOverview>promise().future());
        return LastEventsTest.replaced(ClusterSharding.class, sharding, "operations", given -> operations);
    }

    /** The first snapshot of a stream of the overview. */
    private JsonObject snapshot(int port) {
        Promise<JsonObject> first = Promise.promise();
        StringBuilder read = new StringBuilder();
        client.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1/stream")
                .compose(request -> request.send())
                .onSuccess(response -> response.handler(part -> {
                    int from = read.append(part).indexOf("event: snapshot\ndata: ");
                    int to = from < 0 ? -1 : read.indexOf("\n\n", from);
                    if (to >= 0) {
                        first.tryComplete(new JsonObject(read.substring(read.indexOf("{", from), to)));
                    }
                }))
                .onFailure(first::tryFail);
        return Await.result(first.future());
    }

    @Test
    void showTheNodesWhileNoCoordinatorAnswers() {
        int silent = Await.result(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(vertx, withoutCoordinator()))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        JsonObject shown = snapshot(silent);
        assertEquals("no answer within 2 s", shown.getString("trouble"));
        JsonObject here =
                shown.getJsonObject("nodes").getJsonObject(sharding.self().value());
        assertTrue(here.getBoolean("answers") && here.getInteger("heapUsedMb") > 0, here::encode);
        var nodes = Await.result(WebClient.create(vertx)
                .get(silent, "127.0.0.1", "/api/v1/nodes")
                .send());
        assertEquals(200, nodes.statusCode(), nodes::bodyAsString);
        var one = Await.result(WebClient.create(vertx)
                .get(silent, "127.0.0.1", "/api/v1/nodes/" + sharding.self())
                .send());
        assertEquals(200, one.statusCode(), one::bodyAsString);
        JsonObject alone = one.bodyAsJsonObject();
        assertTrue(alone.getBoolean("answers") && alone.getInteger("heapUsedMb") > 0, alone::encode);
        assertTrue(alone.containsKey("regions") && alone.getValue("regions") == null, alone::encode);
        var stranger = Await.result(WebClient.create(vertx)
                .get(silent, "127.0.0.1", "/api/v1/nodes/stranger")
                .send());
        assertEquals(404, stranger.statusCode(), stranger::bodyAsString);
    }

    /** The data of the events {@code silent} in what has come of a stream. */
    private static List<String> silent(String stream) {
        List<String> lines = stream.lines().toList();
        return IntStream.range(1, lines.size())
                .filter(i -> lines.get(i - 1).equals("event: silent"))
                .mapToObj(i -> lines.get(i).substring("data: ".length()))
                .toList();
    }

    @Test
    void nameTheNodesWhoseEventsAreMissingWhenTheseChange() {
        Queue<Set<NodeId>> answers = new ConcurrentLinkedQueue<>();
        var x = new NodeId("x");
        var y = new NodeId("y");
        // the first page is read before the stream begins
        answers.addAll(List.of(Set.of(), Set.of(), Set.of(y, x), Set.of(x, y), Set.of(y), Set.of()));
        var operations = LastEventsTest.replaced(ClusterOperations.class, sharding.operations(), "events", given -> {
            Set<NodeId> next = answers.poll();
            return Future.succeededFuture(
                    new EventPage(List.of(), "", false, Map.of(), next == null ? Set.of() : next));
        });
        var missing = LastEventsTest.replaced(ClusterSharding.class, sharding, "operations", given -> operations);
        int other = Await.result(vertx.createHttpServer()
                        .requestHandler(AdminRouter.create(vertx, missing))
                        .listen(0, "127.0.0.1"))
                .actualPort();
        var parts = new ConcurrentLinkedQueue<String>();
        Supplier<String> read = () -> String.join("", parts);
        Await.result(client.request(HttpMethod.GET, other, "127.0.0.1", "/api/v1/events")
                .compose(request -> request.putHeader("Accept", "text/event-stream")
                        .send()
                        .onSuccess(response -> response.handler(part -> parts.add(part.toString())))));
        Await.until(read, () -> silent(read.get()).size() == 3);
        assertEquals(List.of("{\"nodes\":[\"x\",\"y\"]}", "{\"nodes\":[\"y\"]}", "{\"nodes\":[]}"), silent(read.get()));
        assertTrue(read.get().contains("event: alive"), read);
        assertTrue(
                read.get().indexOf("event: alive") < read.get().indexOf("event: silent"), "nothing is silent at first");
    }

    @Test
    void refuseACursorThatIsNone() {
        for (String accept : List.of("text/event-stream", "application/json")) {
            var refused = Await.result(client.request(
                            HttpMethod.GET, port, "127.0.0.1", "/api/v1/events?after=nonsense")
                    .compose(request -> request.putHeader("Accept", accept)
                            .send()
                            // at once: a body that has come before it is asked for is gone
                            .compose(response -> response.body().map(body -> response.statusCode() + " " + body))));
            assertTrue(refused.startsWith("400 ") && refused.contains("cursor"), refused);
        }
    }
}
