package killrweather;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.junit.ShardbusCluster;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Stations on three real nodes, each with HTTP. */
@ShardbusCluster
class WeatherClusterTest {
    private static final long END = Instant.parse("2026-02-01T00:00:00Z").toEpochMilli();
    private static final int READINGS = 48;

    /** Answers to requests of one node. */
    private record Http(HttpClient client, int port) {
        static Http of(ClusterTestKit.Node node) {
            var router = WeatherApi.router(node.vertx(), id -> node.sharding().entityRef(Station.TYPE, id));
            var server =
                    await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
            return new Http(node.vertx().createHttpClient(), server.actualPort());
        }

        JsonObject json(HttpMethod method, String path, String body, int status) {
            var answer = await(client.request(method, port, "127.0.0.1", path)
                    .compose(request -> request.send(body)
                            // on the event loop: a body that arrives before it is asked for is lost
                            .compose(response ->
                                    response.body().map(bytes -> new Answer(response.statusCode(), bytes)))));
            assertEquals(status, answer.status(), answer.body()::toString);
            return new JsonObject(answer.body());
        }
    }

    private record Answer(int status, Buffer body) {}

    private static String readings(MadeUpWeather station) {
        long step = Duration.ofMinutes(30).toMillis();
        var readings = new JsonArray(LongStream.rangeClosed(1, READINGS)
                .mapToObj(back -> StationState.toJson(station.at(END - (READINGS - back + 1) * step)))
                .toList());
        return new JsonObject().put("readings", readings).encode();
    }

    @Test
    void anyNodeTakesReadingsAndALeavingNodePassesItsSumsOn(ClusterTestKit cluster) {
        cluster.startType(Station.definition(() -> END));
        List<Http> nodes = cluster.nodes().stream().map(Http::of).toList();
        var homes = new HashSet<String>();
        int sender = 0;
        for (var station : MadeUpWeather.STATIONS) {
            var path = "/stations/" + station.id() + "/readings";
            var state = nodes.get(sender++ % 3).json(HttpMethod.POST, path, readings(station), 200);
            assertEquals(READINGS, state.getInteger("taken"));
            homes.add(state.getString("node"));
        }
        assertNotEquals(1, homes.size(), "homes of stations");
        assertEquals(
                "AHEAD_OF_TIME",
                nodes.get(0)
                        .json(
                                HttpMethod.POST,
                                "/stations/pass/readings",
                                "{\"readings\":[{\"at\":\"2026-02-01T01:00:01Z\",\"temperature\":1,"
                                        + "\"pressure\":2,\"wind\":3}]}",
                                409)
                        .getString("error"));
        for (var bad : List.of("", "[]", "{}", "{\"readings\":[{}]}", "{\"readings\":[{\"at\":\"noon\"}]}")) {
            nodes.get(0).json(HttpMethod.POST, "/stations/pass/readings", bad, 400);
        }
        nodes.get(0).json(HttpMethod.GET, "/stations/pass/daily?newest=0", "", 400);

        var leaving = cluster.node(2);
        cluster.leave(leaving);
        for (var station : MadeUpWeather.STATIONS) {
            var day = nodes.get(0).json(HttpMethod.GET, "/stations/" + station.id() + "/daily", "", 200);
            assertNotEquals(leaving.id().value(), day.getString("node"));
            assertEquals(READINGS, day.getJsonArray("sums").getJsonObject(0).getInteger("readings"), station.id());
            var hours = nodes.get(1).json(HttpMethod.GET, "/stations/" + station.id() + "/hourly?newest=5", "", 200);
            assertEquals(5, hours.getJsonArray("sums").size());
        }
    }
}
