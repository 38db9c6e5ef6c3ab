package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.ClusterOperations;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.EventPage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where the nodes keep more events than one page has")
class LastEventsTest {
    private static final int EVENTS = 12_345;
    private static final int PAGES_OF_STREAM = 13;

    private final LoneNode node = new LoneNode(TestCluster.options());
    private final EntityType<String> type = LoneNode.newType();
    private List<ClusterEvent> kept;
    private WebClient client;
    private int port;

    @BeforeEach
    void start() {
        Await.result(LoneNode.ask(
                node.start(EntityDefinition.of(type, id -> (message, context) -> Future.succeededFuture(message))
                                .withNumberOfShards(1))
                        .entityRef("one"),
                "hello"));
        kept = IntStream.rangeClosed(1, EVENTS).mapToObj(this::event).toList();
        client = WebClient.create(node.vertx());
        port = Await.result(node.vertx()
                        .createHttpServer()
                        .requestHandler(AdminRouter.create(node.vertx(), withManyEvents()))
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    /** Every thousandth is of the shard. */
    private ClusterEvent event(int number) {
        return new ClusterEvent(
                node.sharding().self(),
                number,
                number,
                ClusterEvent.Kind.NOTE,
                number % 1000 == 0 ? type.name() + "/0" : "other",
                Map.of());
    }

    /** The sharding of the node, which gives these events page by page. */
    private ClusterSharding withManyEvents() {
        var operations = replaced(ClusterOperations.class, node.sharding().operations(), "events", given -> {
            int from = given[0].equals("") ? 0 : Integer.parseInt((String) given[0]);
            int to = Math.min(kept.size(), from + (int) given[1]);
            return Future.succeededFuture(
                    new EventPage(kept.subList(from, to), String.valueOf(to), to < kept.size(), Map.of(), Set.of()));
        });
        return replaced(ClusterSharding.class, node.sharding(), "operations", given -> operations);
    }

    interface Answer {
        Object to(Object[] given);
    }

    /** The same but for one method. */
    static <T> T replaced(Class<T> api, T real, String method, Answer answer) {
        return api.cast(Proxy.newProxyInstance(api.getClassLoader(), new Class<?>[] {api}, (proxy, called, given) -> {
            if (called.getName().equals(method)) {
                return answer.to(given);
            }
            try {
                return called.invoke(real, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    private JsonObject get(String path) {
        var answer =
                Await.result(client.get(port, "127.0.0.1", "/api/v1" + path).send());
        assertEquals(200, answer.statusCode(), answer::bodyAsString);
        return answer.bodyAsJsonObject();
    }

    private static List<Long> ids(JsonArray events) {
        return events.stream().map(event -> ((JsonObject) event).getLong("id")).toList();
    }

    @Test
    @DisplayName("the history of a shard has the last ones")
    void theHistoryOfAShard() {
        assertEquals(
                List.of(8_000L, 9_000L, 10_000L, 11_000L, 12_000L),
                ids(get("/types/" + type.name() + "/shards/0/why").getJsonArray("history")));
    }

    @Test
    @DisplayName("a stream has them as fast as its client reads them, not one page a second")
    void aStream() {
        Promise<Void> all = Promise.promise();
        StringBuilder read = new StringBuilder();
        String last = "\"id\":" + EVENTS + ",";
        HttpClient streams = node.vertx().createHttpClient();
        streams.request(HttpMethod.GET, port, "127.0.0.1", "/api/v1/events")
                .compose(request ->
                        request.putHeader("Accept", "text/event-stream").send())
                .onSuccess(response -> response.handler(part -> {
                    // the rest of the text was looked through when it came
                    int from = Math.max(0, read.length() - last.length());
                    if (read.append(part).indexOf(last, from) >= 0) {
                        all.tryComplete();
                    }
                }))
                .onFailure(all::tryFail);
        Await.result(all.future().timeout(PAGES_OF_STREAM / 2, TimeUnit.SECONDS));
        Await.result(streams.close());
    }

    @Test
    @DisplayName("a snapshot for a bug report has the last 5,000")
    void aSnapshot() {
        List<Long> ids = ids(get("/snapshot").getJsonObject("events").getJsonArray("events"));
        assertEquals(5_000, ids.size());
        assertEquals(EVENTS - 5_000 + 1, ids.get(0));
        assertEquals(EVENTS, ids.get(ids.size() - 1));
    }
}
