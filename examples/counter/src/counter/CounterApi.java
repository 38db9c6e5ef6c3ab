package counter;

import common.Web;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.admin.HttpFailure;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The counters over HTTP: {@code GET /counters/{id}} and {@code POST /counters/{id}/add/{amount}}. */
final class CounterApi {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final long LONGEST_TIMEOUT = Duration.ofDays(1).toMillis();

    private final Function<String, EntityRef<CounterMessage>> counters;

    private CounterApi(Function<String, EntityRef<CounterMessage>> counters) {
        this.counters = counters;
    }

    static Router router(Vertx vertx, Function<String, EntityRef<CounterMessage>> counters) {
        var api = new CounterApi(counters);
        var router = Router.router(vertx);
        router.route().handler(Web::refuseStrangePaths);
        on(router, HttpMethod.GET, "/counters/(?<id>[^/]*)", api::get);
        on(router, HttpMethod.POST, "/counters/(?<id>[^/]*)/add/(?<amount>[^/]*)", api::add);
        router.route()
                .last()
                .handler(request -> Web.answer(
                        request,
                        HttpFailure.notFound("no resource " + request.request().path())));
        return router;
    }

    private static void on(
            Router router, HttpMethod method, String path, Function<RoutingContext, Future<CounterState>> resource) {
        router.routeWithRegex(method, path).handler(request -> answer(request, resource));
        router.routeWithRegex(path).handler(request -> {
            request.response().putHeader("Allow", method.name());
            Web.answer(
                    request,
                    HttpFailure.methodNotAllowed(
                            "use " + method + " for " + request.request().path()));
        });
    }

    private Future<CounterState> get(RoutingContext request) {
        return counter(request).ask(new CounterMessage.Get(), timeout(request));
    }

    private Future<CounterState> add(RoutingContext request) {
        long amount = Web.signedNumber(request.pathParam("amount"), "amount", Long.MIN_VALUE, Long.MAX_VALUE);
        return counter(request).ask(new CounterMessage.Add(amount), timeout(request));
    }

    private EntityRef<CounterMessage> counter(RoutingContext request) {
        return counters.apply(request.pathParam("id"));
    }

    private static Duration timeout(RoutingContext request) {
        List<String> given = request.queryParam("timeoutMs");
        return given.isEmpty()
                ? DEFAULT_TIMEOUT
                : Duration.ofMillis(Web.number(given.get(0), "timeoutMs", 1, LONGEST_TIMEOUT));
    }

    private static void answer(RoutingContext request, Function<RoutingContext, Future<CounterState>> resource) {
        try {
            resource.apply(request)
                    .onSuccess(state -> Web.answer(request, 200, state.toJson()))
                    .onFailure(failure -> Web.answer(request, failure(failure)));
        } catch (IllegalArgumentException e) {
            Web.answer(request, HttpFailure.badRequest(e.getMessage()));
        } catch (ShardingException e) {
            Web.answer(request, failure(e));
        }
    }

    /** A counter that refuses an amount was asked for something impossible; the rest is as everywhere. */
    private static HttpFailure failure(Throwable failure) {
        return failure instanceof ShardingException sharding && sharding.entityCode() != null
                ? new HttpFailure(400, sharding.entityCode(), sharding.getMessage())
                : HttpFailure.of(failure);
    }
}
