package counter;

import common.NodeSettings;
import common.Web;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.admin.AdminRouter;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.metrics.ShardbusMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.function.Function;

/** The HTTP side of a node: counters and admin resources. */
final class CounterServer {
    private CounterServer() {}

    static Future<HttpServer> listen(
            Vertx vertx,
            ClusterSharding sharding,
            Function<String, EntityRef<CounterMessage>> counters,
            NodeSettings settings,
            GracefulShutdown shutdown) {
        var router = Router.router(vertx);
        var registry = registry(vertx, sharding);
        router.get("/metrics")
                .handler(request -> request.response()
                        .putHeader("content-type", "text/plain; version=0.0.4; charset=utf-8")
                        .end(registry.scrape()));
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding, settings.admin()));
        router.route("/*").subRouter(CounterApi.router(vertx, counters));
        Web.answerErrors(router);
        return Web.listen(shutdown.serves(vertx.createHttpServer(Web.serverOptions()), router), settings);
    }

    /** The meters of Shardbus, and those of Micrometer that the dashboard shows in its row of the JVM. */
    private static PrometheusMeterRegistry registry(Vertx vertx, ClusterSharding sharding) {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ShardbusMetrics.bind(sharding, registry);
        var loops = ((VertxInternal) vertx).nettyEventLoopGroup();
        List.of(
                        new JvmMemoryMetrics(),
                        new JvmGcMetrics(),
                        new JvmThreadMetrics(),
                        new ProcessorMetrics(),
                        new NettyEventExecutorMetrics(loops))
                .forEach(meters -> meters.bindTo(registry));
        return registry;
    }
}
