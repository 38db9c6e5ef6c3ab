package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;

import io.shardbus.admin.AdminRouter;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.ext.web.Router;

/** The page of a node, served until the node's Vertx closes. */
final class ServedPage {
    private ServedPage() {}

    /** Serves the page; its address. */
    static String of(Node node, AdminOptions options) {
        Router router = Router.router(node.vertx());
        router.route("/sharding/*").subRouter(AdminRouter.create(node.vertx(), node.sharding(), options));
        int port = await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        return "http://127.0.0.1:" + port + "/sharding/ui/";
    }
}
