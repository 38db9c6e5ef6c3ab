package auction;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.metrics.ShardbusMetrics;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The meters of a node for Prometheus: those of Shardbus, and those of the JVM that its dashboard shows. */
final class AuctionMetrics {
    private static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private AuctionMetrics() {}

    static Handler<RoutingContext> of(Vertx vertx, ClusterSharding sharding) {
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
        return request -> request.response().putHeader("Content-Type", FORMAT).end(registry.scrape());
    }
}
