package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.logging.LogLevels;
import io.shardbus.model.NodeId;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.PassivationOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.TimeUnit;

/** A cluster of two nodes with something for each order that operators can give. */
record OrderedCluster(ClusterTestKit cluster, Projections projections) implements AutoCloseable {
    /** Entities of parcels that may be active on a node, as configured. */
    static final int LIMIT = 1000;

    /** A logger of Shardbus that says little. */
    static final String LOGGER = "io.shardbus.membership";

    private static final EntityType<String> PARCEL = EntityType.of("parcel", String.class);
    private static final EntityType<String> DEVICE = EntityType.of("device", String.class);
    private static final EntityType<Note> NOTE = EntityType.of("note", Note.class);
    private static final EventSourced<Note, Note, Integer> NOTES =
            EventSourced.of(NOTE, id -> new Notebook(), EventCodec.json(Note.class));
    private static final Projection<Note> VIEW =
            Projection.of("view", NOTES, ProjectionHandler.<Note>each(event -> Future.succeededFuture()));

    record Note(String text) {}

    /** Stores each message. */
    private static final class Notebook implements EventSourcedEntity<Note, Note, Integer> {
        @Override
        public Integer emptyState() {
            return 0;
        }

        @Override
        public Effect<Note, Integer> handle(Integer state, Note message, PersistenceContext<Note> context) {
            return persist(message);
        }

        @Override
        public Integer apply(Integer state, Note event) {
            return state + 1;
        }
    }

    /** Orders that stand until they are closed. */
    interface Orders extends AutoCloseable {
        @Override
        void close();
    }

    /** Starts the nodes, types with an entity of each, a set of workers and a projection. */
    static OrderedCluster start() {
        ClusterTestKit cluster = ClusterTestKit.start(2);
        cluster.startType(Counter.definition());
        cluster.startType(EntityDefinition.of(PARCEL, id -> new Parcel())
                .withRememberEntities(true)
                .withPassivation(new PassivationOptions()
                        .setStrategy("least-recently-used")
                        .setActiveEntityLimit(LIMIT)));
        cluster.startType(EntityDefinition.of(DEVICE, id -> new Parcel()).withAllocation(ShardingOptions.EXTERNAL));
        MemoryStore store = MemoryStore.create();
        cluster.startType(NOTES.on(store));
        for (Node node : cluster.nodes()) {
            await(Projections.create(node.vertx(), node.sharding(), store).start(VIEW));
            await(ShardedDaemonProcess.start(
                    node.vertx(),
                    node.sharding(),
                    new DaemonOptions().setName("feed").setWorkers(2),
                    worker -> new VerticleBase() {}));
        }
        var first = cluster.node(0);
        for (int i = 0; i < 30; i++) {
            await(first.sharding().entityRef(CounterMessage.COUNTER, "c" + i).ask(new CounterMessage.AddAndGet(1)));
        }
        first.sharding().entityRef(PARCEL, "p1").tell("go");
        first.sharding().entityRef(DEVICE, "d1").tell("go");
        first.sharding().entityRef(NOTE, "n1").tell(new Note("first"));
        cluster.until(
                "a shard of devices",
                () -> !await(first.sharding().typeState("device")).shards().isEmpty());
        return new OrderedCluster(cluster, Projections.create(first.vertx(), first.sharding(), store));
    }

    /** Gives each order that can be taken back, about these shards of counters and of devices. */
    Orders give(int shard, int device) {
        var sharding = cluster.node(0).sharding();
        var operations = sharding.operations();
        var parcels = sharding.region("parcel").orElseThrow();
        NodeId first = cluster.node(0).id();
        NodeId second = cluster.node(1).id();
        await(operations.pin("counter", shard, first));
        await(operations.setRebalancing("device", false));
        await(sharding.externalAllocation("device").setHome(device, first));
        await(operations.cordon(second, true));
        await(sharding.drain(second));
        // starts again where its shard is now
        sharding.entityRef(NOTE, "n1").tell(new Note("second"));
        parcels.limitActiveEntities(LIMIT + 1);
        LogLevels.set(LOGGER, "debug", TimeUnit.MINUTES.toMillis(5), 0);
        await(projections.pause(VIEW));
        return () -> {
            await(projections.resume(VIEW));
            LogLevels.reset(LOGGER);
            parcels.limitActiveEntities(LIMIT);
            await(sharding.undrain(second));
            await(operations.cordon(second, false));
            await(sharding.externalAllocation("device").clearAll());
            await(operations.setRebalancing("device", true));
            await(operations.unpin("counter", shard));
        };
    }

    @Override
    public void close() {
        cluster.close();
    }
}
