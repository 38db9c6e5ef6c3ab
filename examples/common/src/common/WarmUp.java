package common;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.time.Duration;

/**
 * The first seconds of a cluster, played on free ports of the loopback: two nodes meet, an entity of each answers, and
 * the admin resources are read. prepare.sh runs it to archive the classes that a node loads at its start.
 */
public final class WarmUp {
    private static final String HOST = "127.0.0.1";
    private static final EntityType<String> TYPE = EntityType.of("warm-up", String.class);
    /** As many ids as reach both nodes. */
    private static final int IDS = 20;

    private static final Duration LONGEST = Duration.ofSeconds(10);

    private WarmUp() {}

    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }
    }

    public static void main(String[] arguments) {
        try (var cluster = ClusterTestKit.start(2).startType(EntityDefinition.of(TYPE, id -> new Echo()))) {
            var node = cluster.node(1);
            for (int id = 0; id < IDS; id++) {
                ClusterTestKit.await(
                        node.sharding().entityRef(TYPE, Integer.toString(id)).request("hello", String.class, LONGEST));
            }
            var router = Router.router(node.vertx());
            router.route("/sharding/*").subRouter(AdminRouter.create(node.vertx(), node.sharding()));
            ClusterTestKit.await(read(node.vertx(), router));
        }
    }

    private static Future<?> read(Vertx vertx, Router router) {
        var client = vertx.createHttpClient();
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, HOST)
                .compose(server -> client.request(HttpMethod.GET, server.actualPort(), HOST, "/sharding/health/ready"))
                .compose(request -> request.send().compose(HttpClientResponse::body));
    }
}
