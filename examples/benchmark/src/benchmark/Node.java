package benchmark;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.List;

/** One node of the cluster under test. */
record Node(Vertx vertx, ClusterSharding sharding, ShardRegion<CounterMessage> counters) {
    static final EntityType<CounterMessage> COUNTER = EntityType.of("counter", CounterMessage.class);
    static final String HOSTING = "host";

    static final int LOOPS = Integer.getInteger("benchmark.loops", VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int CONNECT_TIMEOUT_MS = 2000;
    private static final long PING_INTERVAL_MS = 3000;

    /**
     * The cluster of one run.
     *
     * @param ports where its nodes may be; this node takes the one of its number
     */
    record Place(String cluster, List<Integer> ports, int number) {
        ClusterOptions options() {
            return new ClusterOptions()
                    .setClusterName(cluster)
                    .setNodeName("node-" + number)
                    .setBindAddress(LOOPBACK)
                    .setBindPort(ports.get(number))
                    .setPeers(ports.stream().map(port -> LOOPBACK + ":" + port).toList());
        }
    }

    /** Starts a node; it hosts counters if its options have the role, and is a proxy otherwise. */
    static Future<Node> start(Place place, ShardingOptions options) {
        return start(
                place,
                options,
                EntityDefinition.of(COUNTER, id -> new Counter())
                        .withCodec(new CounterCodec())
                        .withRole(HOSTING));
    }

    /** The same with counters of another definition. */
    static Future<Node> start(Place place, ShardingOptions options, EntityDefinition<CounterMessage> definition) {
        return start(place, options, definition, null);
    }

    /** The same with a tracer. */
    static Future<Node> start(Place place, ShardingOptions options, VertxTracer<?, ?> tracer) {
        return start(
                place,
                options,
                EntityDefinition.of(COUNTER, id -> new Counter())
                        .withCodec(new CounterCodec())
                        .withRole(HOSTING),
                tracer);
    }

    private static Future<Node> start(
            Place place,
            ShardingOptions options,
            EntityDefinition<CounterMessage> definition,
            VertxTracer<?, ?> tracer) {
        var bus = new EventBusOptions()
                .setHost(LOOPBACK)
                .setPort(0)
                .setConnectTimeout(CONNECT_TIMEOUT_MS)
                .setClusterPingInterval(PING_INTERVAL_MS)
                .setClusterPingReplyInterval(PING_INTERVAL_MS);
        var builder = tracer == null ? Vertx.builder() : Vertx.builder().withTracer(given -> tracer);
        return builder.with(new VertxOptions().setEventLoopPoolSize(LOOPS).setEventBusOptions(bus))
                .withClusterManager(ShardbusClusterManager.create(place.options()))
                .buildClustered()
                .compose(vertx -> start(vertx, options, definition));
    }

    private static Future<Node> start(
            Vertx vertx, ShardingOptions options, EntityDefinition<CounterMessage> definition) {
        var sharding = ClusterSharding.create(vertx, options);
        return sharding.start(definition).map(counters -> new Node(vertx, sharding, counters));
    }
}
