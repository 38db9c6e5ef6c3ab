package counter;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardRegion;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.HttpPort;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The HTTP side of a node: counters and admin resources. It knows how to go without failing a request. */
final class CounterServer {
    private static final long QUIET_MS = 300;
    private static final long LONGEST_WAIT_MS = 3000;
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final HttpServer server;
    private final HttpPort port;
    private volatile boolean leaving;
    private volatile long lastRequest = System.nanoTime();

    private CounterServer(Vertx vertx, ClusterSharding sharding, ShardRegion<CounterMessage> counters) {
        this.vertx = vertx;
        this.sharding = sharding;
        var router = Router.router(vertx);
        router.route().handler(this::note);
        router.get("/sharding/health/ready").handler(this::refuseWhenLeaving);
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding));
        router.route("/*").subRouter(CounterApi.router(vertx, counters));
        router.errorHandler(400, CounterApi::answerError);
        router.errorHandler(500, CounterApi::answerError);
        this.server = vertx.createHttpServer().requestHandler(router);
        this.port = HttpPort.of(vertx, server);
    }

    static Future<CounterServer> listen(
            Vertx vertx, ClusterSharding sharding, ShardRegion<CounterMessage> counters, Settings settings) {
        var counterServer = new CounterServer(vertx, sharding, counters);
        return counterServer.server.listen(settings.httpPort(), settings.host()).map(counterServer);
    }

    ClusterSharding sharding() {
        return sharding;
    }

    private void note(RoutingContext request) {
        lastRequest = System.nanoTime();
        if (leaving) {
            request.response().putHeader("Connection", "close");
        }
        request.next();
    }

    private void refuseWhenLeaving(RoutingContext request) {
        if (leaving) {
            var down = new JsonObject().put("status", "DOWN").put("reasons", JsonArray.of("this node is leaving"));
            request.response()
                    .setStatusCode(503)
                    .putHeader("Content-Type", "application/json")
                    .end(down.toBuffer());
        } else {
            request.next();
        }
    }

    /** Tells clients to look elsewhere, and goes on to serve those who do not. */
    void sendClientsAway() {
        leaving = true;
    }

    /** Waits for a pause between requests, then finishes those under way and listens no more. */
    Future<Void> close() {
        return quiet().compose(done -> port.close(LONGEST_REQUEST));
    }

    private Future<Void> quiet() {
        Promise<Void> quiet = Promise.promise();
        long patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_WAIT_MS);
        vertx.setPeriodic(QUIET_MS / 10, timer -> {
            long now = System.nanoTime();
            if (now - lastRequest > TimeUnit.MILLISECONDS.toNanos(QUIET_MS) || now > patience) {
                vertx.cancelTimer(timer);
                quiet.complete();
            }
        });
        return quiet.future();
    }
}
