package purchases;

import common.NodeSettings;
import common.Web;
import io.shardbus.ClusterSharding;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.admin.AdminRouter;
import io.shardbus.admin.HttpFailure;
import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import purchases.CustomerMessage.Read;

/** One node: {@code PurchasesNode N}, with Kafka at KAFKA_SERVERS, 127.0.0.1:9092 unless said otherwise. */
public final class PurchasesNode extends AbstractVerticle {
    private static final NodeSettings.Ports PORTS = new NodeSettings.Ports(6800, 6700, 8480);

    private final NodeSettings settings;
    private final GracefulShutdown shutdown;
    private final Topic topic;
    private KafkaProducer<String, Long> producer;
    private PurchaseConsumer consumer;

    private PurchasesNode(NodeSettings settings, GracefulShutdown shutdown, Topic topic) {
        this.settings = settings;
        this.shutdown = shutdown;
        this.topic = topic;
    }

    public static void main(String[] arguments) {
        try {
            var topic = new Topic(System.getenv().getOrDefault("KAFKA_SERVERS", "127.0.0.1:9092"));
            start(
                    NodeSettings.of("purchases", PORTS, arguments.length == 1 ? arguments[0] : "", System.getenv()),
                    topic);
        } catch (IllegalArgumentException e) {
            System.err.println("purchases: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void start(NodeSettings settings, Topic topic) {
        // before anything that takes time: a signal may come while the node starts
        Promise<Vertx> started = Promise.promise();
        var vertx = started.future();
        var shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
        settings.startVertx().onComplete(started);
        var node = new PurchasesNode(settings, shutdown, topic);
        vertx.compose(clustered -> clustered.deployVerticle(node)).onFailure(failure -> {
            System.err.println("purchases: node " + settings.node() + " did not start: " + failure.getMessage());
            shutdown.exit(1);
        });
    }

    @Override
    public void start(Promise<Void> started) {
        var sharding =
                ClusterSharding.create(vertx, new ShardingOptions().setMinimumMembers(settings.minimumMembers()));
        vertx.executeBlocking(topic::create, false)
                .compose(partitions -> sharding.start(Customer.definition(partitions)))
                .compose(ShardRegion::ready)
                .compose(region -> vertx.executeBlocking(
                        () -> {
                            producer = topic.producer();
                            consumer = PurchaseConsumer.start(sharding, topic);
                            return consumer;
                        },
                        false))
                .compose(consuming -> Web.listen(shutdown.serves(vertx.createHttpServer(), router(sharding)), settings))
                .onSuccess(listening -> System.out.println("ready: node " + settings.node() + " (" + sharding.self()
                        + ") at http://" + settings.host() + ":" + settings.httpPort()))
                .<Void>mapEmpty()
                .onComplete(started);
    }

    /** Leaves the group of consumers before the cluster. */
    @Override
    public void stop(Promise<Void> stopped) {
        vertx.<Void>executeBlocking(
                        () -> {
                            if (consumer != null) {
                                consumer.close();
                                producer.close();
                            }
                            return null;
                        },
                        false)
                .onComplete(stopped);
    }

    private Router router(ClusterSharding sharding) {
        var router = Router.router(vertx);
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding));
        router.get("/partitions").handler(request -> answer(request, each -> partitions(sharding)));
        router.get("/customers/:id").handler(request -> answer(request, each -> read(sharding, each)));
        router.post("/customers/:id/purchases/:cents").handler(request -> answer(request, this::buy));
        return router;
    }

    private Future<JsonObject> partitions(ClusterSharding sharding) {
        return Future.succeededFuture(new JsonObject()
                .put("node", sharding.self().value())
                .put("partitions", new JsonArray(new ArrayList<>(consumer.partitions())))
                .put("answeredHere", consumer.here())
                .put("answeredElsewhere", consumer.elsewhere()));
    }

    private static Future<JsonObject> read(ClusterSharding sharding, RoutingContext request) {
        var id = request.pathParam("id");
        return sharding.entityRef(Customer.TYPE, id)
                .ask(new Read(id))
                .map(customer -> new JsonObject()
                        .put("id", customer.id())
                        .put("partition", customer.partition())
                        .put("purchases", customer.purchases())
                        .put("cents", customer.cents())
                        .put("node", customer.node()));
    }

    /** Answers when the topic has the purchase; the customer hears of it a moment later. */
    private Future<JsonObject> buy(RoutingContext request) {
        var cents = request.pathParam("cents");
        if (!cents.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException("cents: a whole number from 1 to 999999999 is needed");
        }
        var record = new ProducerRecord<>(Topic.NAME, request.pathParam("id"), Long.valueOf(cents));
        return vertx.executeBlocking(() -> producer.send(record).get(), false)
                .map(written ->
                        new JsonObject().put("partition", written.partition()).put("offset", written.offset()));
    }

    private static void answer(RoutingContext request, Function<RoutingContext, Future<JsonObject>> resource) {
        try {
            resource.apply(request)
                    .onSuccess(body -> answer(request, 200, body))
                    .onFailure(failure -> answer(request, HttpFailure.of(failure)));
        } catch (IllegalArgumentException e) {
            answer(request, HttpFailure.badRequest(e.getMessage()));
        } catch (ShardingException e) {
            answer(request, HttpFailure.of(e));
        }
    }

    private static void answer(RoutingContext request, HttpFailure failure) {
        answer(request, failure.status(), failure.toJson());
    }

    private static void answer(RoutingContext request, int status, JsonObject body) {
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(body.toBuffer());
    }
}
