package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.admin.AdminRouter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

/** The HTTP server with the admin resources under {@code /sharding/}. */
final class AdminServer {
    private AdminServer() {}

    static Future<HttpServer> listen(
            Vertx vertx, ClusterSharding sharding, LauncherConfig.Listener address, GracefulShutdown shutdown) {
        var router = Router.router(vertx);
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding, address.options()));
        return shutdown.serves(vertx.createHttpServer(), router)
                .listen(address.port(), address.host())
                .recover(failure -> Future.failedFuture(new IllegalStateException(
                        "admin: cannot listen on " + address.host() + ":" + address.port() + ": "
                                + failure.getMessage(),
                        failure)));
    }
}
