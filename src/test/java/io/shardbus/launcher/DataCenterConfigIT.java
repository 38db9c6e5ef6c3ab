package io.shardbus.launcher;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.daemon.ClusterSingleton;
import io.shardbus.daemon.SingletonVerticle;
import io.shardbus.datacenter.DataCenters;
import io.shardbus.integration.Await;
import io.shardbus.metrics.ShardbusMetrics;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.client.WebClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two clusters that are two data centers by their files alone. */
class DataCenterConfigIT {
    private static final EntityType<String> GREETER = EntityType.of("greeter", String.class);
    private static final Duration ASK = Duration.ofSeconds(20);

    /** A singleton that says on which Vertx it runs. */
    public static final class Where extends SingletonVerticle<String> {
        @Override
        protected Future<?> receive(String message) {
            return Future.succeededFuture(
                    ClusterSharding.find(vertx).orElseThrow().self().value());
        }
    }

    private final ClusterTestKit east = ClusterTestKit.start(1);
    private final ClusterTestKit west = ClusterTestKit.start(1);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        east.close();
        west.close();
    }

    private static JsonObject file(String self, int port, String other, int itsPort) {
        var links = new JsonObject()
                .put("name", self)
                .put("port", port)
                .put("others", new JsonObject().put(other, JsonArray.of("127.0.0.1:" + itsPort)))
                .put("heartbeatIntervalMs", 100)
                .put("unreachableAfterMs", 1000);
        var region = new JsonObject()
                .put("type", GREETER.name())
                .put("messageClass", String.class.getName())
                .put("dataCenter", "west");
        if (self.equals("west")) {
            region.put("entityClass", Greeter.class.getName());
        }
        // "both" is a singleton of each data center, and each shares its own; "one" is in west only
        var both = new JsonObject()
                .put("name", "both")
                .put("messageClass", String.class.getName())
                .put("verticleClass", Where.class.getName())
                .put("dataCenter", self);
        var one = both.copy().put("name", "one").put("dataCenter", "west");
        if (!self.equals("west")) {
            one.remove("verticleClass");
        }
        return ClusterTestKit.options()
                .toJson()
                .put("dataCenter", links)
                .put("regions", JsonArray.of(region))
                .put("singletons", JsonArray.of(both, one));
    }

    /** As the launcher does it. */
    private static void start(Node node, JsonObject file) {
        var config = LauncherConfig.of(file);
        config.regions().forEach(region -> deploy(node, ShardRegionVerticle.class, region));
        config.singletons().forEach(singleton -> deploy(node, ClusterSingletonVerticle.class, singleton));
        await(config.dataCenter().orElseThrow().start(node.vertx(), node.sharding()));
    }

    private static void deploy(Node node, Class<?> verticle, JsonObject config) {
        var sharding = node.sharding().options().toJson();
        await(node.vertx()
                .deployVerticle(
                        verticle.getName(), new DeploymentOptions().setConfig(config.put("sharding", sharding))));
    }

    private static String home(Node from, String singleton, String dataCenter) {
        return await(DataCenters.startedOn(from.vertx())
                .orElseThrow()
                .singletonProxy(singleton, String.class, dataCenter)
                .request("where", String.class, ASK));
    }

    @Test
    @DisplayName("DC-09 singletons by configuration: one per data center, each reached from both")
    void eachDataCenterHasItsSingletons() {
        Node ours = east.node(0);
        Node theirs = west.node(0);
        int toEast = ClusterTestKit.freePort();
        int toWest = ClusterTestKit.freePort();
        start(ours, file("east", toEast, "west", toWest));
        start(theirs, file("west", toWest, "east", toEast));
        for (Node from : List.of(ours, theirs)) {
            assertEquals(ours.id().value(), home(from, "both", "east"));
            assertEquals(theirs.id().value(), home(from, "both", "west"));
            assertEquals(theirs.id().value(), home(from, "one", "west"));
        }
        assertEquals(Set.of("both"), ClusterSingleton.startedOn(ours.vertx()).keySet());
        assertEquals(
                Set.of("both", "one"),
                ClusterSingleton.startedOn(theirs.vertx()).keySet());
    }

    private static JsonObject shown(Node node) {
        var router = AdminRouter.create(node.vertx(), node.sharding());
        var server =
                await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
        var client = WebClient.create(node.vertx());
        var answer = await(client.get(server.actualPort(), "127.0.0.1", "/api/v1/data-centers")
                        .send())
                .bodyAsJsonObject();
        client.close();
        return answer;
    }

    private double value(String meter) {
        return registry.find("shardbus.datacenter." + meter).meters().stream()
                .map(Meter::measure)
                .flatMap(measured -> StreamSupport.stream(measured.spliterator(), false))
                .mapToDouble(measured -> measured.getValue())
                .sum();
    }

    private void untilValue(double wanted, String meter) {
        Await.until(() -> meter + " = " + value(meter), () -> value(meter) == wanted);
    }

    @Test
    @DisplayName("DC-01 DC-03 data centers by configuration: a type of the other one is reached, shown and counted")
    void reachesShowsAndCountsTheOther() {
        Node ours = east.node(0);
        Node theirs = west.node(0);
        assertEquals(new JsonObject().putNull("self").put("others", new JsonArray()), shown(ours));
        int toEast = ClusterTestKit.freePort();
        int toWest = ClusterTestKit.freePort();
        start(ours, file("east", toEast, "west", toWest));
        start(theirs, file("west", toWest, "east", toEast));
        var links = DataCenters.startedOn(ours.vertx()).orElseThrow();
        var metrics = ShardbusMetrics.bind(ours.sharding(), registry, Duration.ofMillis(20));
        untilValue(1, "reachable");

        var greeter = links.entityRef(GREETER, "west", "a");
        var answer = await(greeter.request("x", String.class, ASK));
        var here = await(theirs.sharding().entityRef(GREETER, "a").request("x", String.class, ASK));
        assertEquals(here, answer);
        assertEquals(Set.of("singleton-both"), ours.sharding().startedTypes(), "nothing of west is hosted in east");
        var shown = shown(ours);
        assertEquals("east", shown.getString("self"));
        assertEquals(toEast, shown.getInteger("port"));
        assertEquals(
                JsonArray.of(new JsonObject()
                        .put("name", "west")
                        .put("reachability", "REACHABLE")
                        .put("pending", 0)
                        .put("lostTells", 0)),
                shown.getJsonArray("others"));

        west.close();
        untilValue(0, "reachable");
        greeter.tell("x");
        untilValue(1, "tells.lost");
        var cut = shown(ours).getJsonArray("others").getJsonObject(0);
        assertEquals("UNREACHABLE", cut.getString("reachability"));
        assertEquals(1, cut.getInteger("lostTells"));

        await(links.close());
        Await.until(
                () -> "meters of links that are closed",
                () -> registry.find("shardbus.datacenter.reachable").meter() == null);
        assertEquals(true, shown(ours).getValue("self") == null);
        metrics.close();
    }
}
