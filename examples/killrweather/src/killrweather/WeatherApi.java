package killrweather;

import common.Web;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.admin.HttpFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import killrweather.StationMessage.Read;
import killrweather.StationMessage.Sum;
import killrweather.StationMessage.Take;

/** The stations over HTTP, and the page that shows them. */
final class WeatherApi {
    private static final int LARGEST_BODY = 200_000;
    private static final Map<String, String> PAGE =
            Map.of("index.html", "text/html", "page.css", "text/css", "page.js", "text/javascript");

    private final Function<String, EntityRef<StationMessage>> stations;

    private WeatherApi(Function<String, EntityRef<StationMessage>> stations) {
        this.stations = stations;
    }

    static Router router(Vertx vertx, Function<String, EntityRef<StationMessage>> stations) {
        var api = new WeatherApi(stations);
        var router = Router.router(vertx);
        router.route().handler(Web::refuseStrangePaths);
        router.get("/").handler(request -> showFile(request, "index.html"));
        PAGE.keySet().forEach(file -> router.get("/" + file).handler(request -> showFile(request, file)));
        router.post()
                .handler(BodyHandler.create(false).setBodyLimit(LARGEST_BODY))
                .failureHandler(Web::answerBrokenBody);
        router.get("/stations").handler(request -> answer(request, WeatherApi::known));
        router.get("/stations/:id").handler(request -> answer(request, api::read));
        router.post("/stations/:id/readings").handler(request -> answer(request, api::take));
        router.get("/stations/:id/hourly").handler(request -> answer(request, each -> api.sums(each, Period.HOURLY)));
        router.get("/stations/:id/daily").handler(request -> answer(request, each -> api.sums(each, Period.DAILY)));
        router.route()
                .last()
                .handler(request -> Web.answer(
                        request,
                        HttpFailure.notFound("no resource " + request.request().method() + " "
                                + request.request().path())));
        return router;
    }

    private static void showFile(RoutingContext request, String file) {
        request.response()
                .putHeader("Content-Type", PAGE.get(file) + "; charset=utf-8")
                .putHeader("Content-Security-Policy", "default-src 'self'")
                .putHeader("Cache-Control", "no-cache")
                .sendFile("page/" + file)
                .onFailure(request::fail);
    }

    /** The stations that the feed knows. Others exist from their first message on. */
    private static Future<JsonObject> known(RoutingContext request) {
        var ids = MadeUpWeather.STATIONS.stream().map(MadeUpWeather::id).toList();
        return Future.succeededFuture(new JsonObject().put("stations", new JsonArray(ids)));
    }

    private EntityRef<StationMessage> station(RoutingContext request) {
        return stations.apply(request.pathParam("id"));
    }

    private Future<JsonObject> read(RoutingContext request) {
        return station(request).ask(new Read()).map(StationState::toJson);
    }

    private Future<JsonObject> take(RoutingContext request) {
        return station(request).ask(new Take(readings(request))).map(StationState::toJson);
    }

    private Future<JsonObject> sums(RoutingContext request, Period period) {
        var newest = request.queryParam("newest");
        int count = newest.isEmpty() ? period.kept() : number(newest.get(0), period.kept());
        return station(request).ask(new Sum(period, count)).map(Aggregates::toJson);
    }

    private static int number(String text, int most) {
        if (text.matches("[0-9]{1,6}") && Integer.parseInt(text) >= 1 && Integer.parseInt(text) <= most) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException("newest: a whole number from 1 to " + most + " is needed");
    }

    private static List<Reading> readings(RoutingContext request) {
        try {
            var body = request.body().asJsonObject();
            if (body != null && body.getValue("readings") instanceof JsonArray all) {
                return new ArrayList<>(IntStream.range(0, all.size())
                        .mapToObj(all::getJsonObject)
                        .map(WeatherApi::reading)
                        .toList());
            }
        } catch (DecodeException | ClassCastException | NullPointerException | DateTimeException e) {
            throw malformed(e);
        }
        throw malformed(null);
    }

    private static Reading reading(JsonObject json) {
        return new Reading(
                Instant.parse(json.getString("at")).toEpochMilli(),
                json.getDouble("temperature"),
                json.getDouble("pressure"),
                json.getDouble("wind"));
    }

    private static IllegalArgumentException malformed(Exception cause) {
        return new IllegalArgumentException(
                "the body must be {\"readings\": [{\"at\": \"2026-01-31T12:00:00Z\", \"temperature\": 1.5, "
                        + "\"pressure\": 1013, \"wind\": 4}, ...]}",
                cause);
    }

    private static void answer(RoutingContext request, Function<RoutingContext, Future<JsonObject>> resource) {
        try {
            resource.apply(request)
                    .onSuccess(body -> Web.answer(request, 200, body))
                    .onFailure(failure -> Web.answer(request, failure(failure)));
        } catch (IllegalArgumentException e) {
            Web.answer(request, HttpFailure.badRequest(e.getMessage()));
        } catch (ShardingException e) {
            Web.answer(request, failure(e));
        }
    }

    private static HttpFailure failure(Throwable failure) {
        return failure instanceof ShardingException sharding && Station.AHEAD_OF_TIME.equals(sharding.entityCode())
                ? new HttpFailure(409, Station.AHEAD_OF_TIME, failure.getMessage())
                : HttpFailure.of(failure);
    }
}
