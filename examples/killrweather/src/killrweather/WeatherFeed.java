package killrweather;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Sends the readings of made-up stations, one a minute, to the nodes at the addresses that are its arguments. It asks
 * each station for its newest reading and sends what came after, at most of the last week: a station that has lost its
 * sums gets them again.
 */
public final class WeatherFeed {
    private static final Duration ROUND = Duration.ofSeconds(5);
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);
    private static final long STEP_MS = Duration.ofMinutes(1).toMillis();
    private static final long LONGEST_PAST_MS = Duration.ofDays(7).toMillis();
    private static final int BATCH = 720;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    private final List<URI> nodes;
    private int node;
    private boolean wasFailing;

    private WeatherFeed(List<URI> nodes) {
        this.nodes = nodes;
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        if (arguments.length == 0) {
            System.err.println("usage: WeatherFeed URL...   (of nodes, such as http://127.0.0.1:8381)");
            System.exit(2);
        }
        var feed = new WeatherFeed(List.of(arguments).stream().map(URI::create).toList());
        Executors.newSingleThreadScheduledExecutor()
                .scheduleWithFixedDelay(feed::round, 0, ROUND.toMillis(), TimeUnit.MILLISECONDS)
                .get();
    }

    /** Brings all stations up to date. When a node does not answer, the next round asks another one. */
    private void round() {
        try {
            int sent = 0;
            for (var station : MadeUpWeather.STATIONS) {
                sent += bringUpToDate(station);
            }
            if (sent > 0) {
                System.out.println(Instant.now() + " sent " + sent + " readings to " + nodes.get(node));
            }
            wasFailing = false;
        } catch (IOException | RuntimeException e) {
            if (!wasFailing) {
                System.out.println(Instant.now() + " " + nodes.get(node) + ": " + e);
            }
            wasFailing = true;
            node = (node + 1) % nodes.size();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return how many readings were sent */
    private int bringUpToDate(MadeUpWeather station) throws IOException, InterruptedException {
        long now = System.currentTimeMillis();
        int sent = 0;
        var state = send("/stations/" + station.id(), null);
        for (long next = next(state, now); next <= now; next = next(state, now)) {
            var readings = new JsonArray();
            for (; next <= now && readings.size() < BATCH; next += STEP_MS) {
                readings.add(StationState.toJson(station.at(next)));
            }
            sent += readings.size();
            state = send("/stations/" + station.id() + "/readings", new JsonObject().put("readings", readings));
        }
        return sent;
    }

    /** The minute after the newest reading of a station, or a week ago where that is later. */
    private static long next(JsonObject state, long now) {
        var last = state.getJsonObject("last");
        long oldest = now - LONGEST_PAST_MS;
        long after = last == null
                ? oldest
                : Math.max(oldest, Instant.parse(last.getString("at")).toEpochMilli() + 1);
        return Math.floorDiv(after + STEP_MS - 1, STEP_MS) * STEP_MS;
    }

    private JsonObject send(String path, JsonObject body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(nodes.get(node).resolve(path)).timeout(LONGEST_REQUEST);
        if (body != null) {
            request.POST(HttpRequest.BodyPublishers.ofString(body.encode()));
        }
        var answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("status " + answer.statusCode() + ": " + answer.body());
        }
        return new JsonObject(answer.body());
    }
}
