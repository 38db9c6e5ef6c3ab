package io.shardbus.runtime.node;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.membership.LocalMembership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.NodeParts;
import io.shardbus.runtime.region.RegionSettings;
import io.shardbus.spi.StateStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.store.InMemoryStateStore;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays a join through once in each process, before its first region registers, with two nodes that only this process
 * sees. The first node coordinates; the second one joins, gets a shard that answers asks, and hands it back as it
 * leaves. So all classes of that path are loaded and linked before a message waits for them: otherwise the first shards
 * that a node gets or gives away would be silent meanwhile.
 */
final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final AtomicBoolean BEGUN = new AtomicBoolean();
    /** A process that is so slow must start all the same. */
    private static final long LONGEST_MS = 3000;

    private static final long PAUSE_MS = 5;
    private static final Duration LONGEST_ASK = Duration.ofMillis(LONGEST_MS);
    private static final String PREFIX = "shardbus.warm-up.";
    private static final List<String> IDS = List.of("a", "b", "c", "d");
    private static final int SHARDS = 2;
    static final NodeId FIRST = new NodeId("first");
    static final NodeId SECOND = new NodeId("second");

    /** Whether it is one of the two nodes that no operator knows. */
    static boolean plays(NodeId node) {
        return node.equals(FIRST) || node.equals(SECOND);
    }

    private final Vertx vertx;
    private final StateStore store = new InMemoryStateStore();
    private final BusTransport transport;
    private final ElapsedClock clock = new ElapsedClock();
    private final Actor first;
    private final Actor second;
    private final Set<NodeId> places = ConcurrentHashMap.newKeySet();
    private volatile boolean abandoned;

    /** One of the two nodes. */
    private record Actor(NodeAssembly assembly, RegionStarter regions, NodeQueries queries, NodeShutdown shutdown) {
        Future<Void> begin() {
            assembly.begin(queries);
            return assembly.started();
        }

        Future<ShardRegion<String>> start() {
            return regions.start(
                    EntityDefinition.of(EntityType.of("warm-up", String.class), id -> new Part())
                            .withNumberOfShards(SHARDS),
                    false);
        }
    }

    /** Says where it is. */
    private static final class Part implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(context.node().value());
        }
    }

    WarmUp(Vertx vertx) {
        this.vertx = vertx;
        this.transport = BusTransport.within(vertx, PREFIX, clock::now);
        this.first = actor(FIRST);
        this.second = actor(SECOND);
    }

    /**
     * Plays it if the node is one of a cluster, and it was not played in this process. Never fails, and takes
     * {@value #LONGEST_MS} ms at most.
     */
    static Future<Void> once(Vertx vertx) {
        if (!vertx.isClustered() || !BEGUN.compareAndSet(false, true)) {
            return Future.succeededFuture();
        }
        return Future.<Void>succeededFuture()
                .compose(begin -> {
                    WarmUp warmUp = new WarmUp(vertx);
                    return warmUp.play()
                            .timeout(LONGEST_MS, TimeUnit.MILLISECONDS)
                            .onFailure(failure -> warmUp.abandon());
                })
                .onFailure(failure -> LOG.debug("the warm-up by a join was abandoned", failure))
                .otherwiseEmpty();
    }

    /** Its time is over. */
    private void abandon() {
        abandoned = true;
        second.shutdown().close();
        first.shutdown().close();
    }

    /** The nodes at which entities were when they were asked. */
    Set<NodeId> places() {
        return Set.copyOf(places);
    }

    private Actor actor(NodeId self) {
        ShardingOptions options = new ShardingOptions()
                .setCoordinator(self.equals(FIRST))
                .setLanes(1)
                .setAwaitPredecessorLeases(false);
        Map<NodeId, NodeAttributes> members = Map.of(FIRST, attributes(true), SECOND, attributes(false));
        RememberedStores remembered = new RememberedStores(InMemoryRememberedEntities::new);
        NodeAssembly assembly = NodeAssembly.of(
                vertx,
                new NodeParts(
                        self,
                        1,
                        options,
                        clock,
                        transport,
                        new LocalMembership(self, members),
                        store,
                        remembered::started),
                remembered);
        RegionStarter regions = new RegionStarter(vertx, assembly, Future.succeededFuture());
        NodeQueries queries = new NodeQueries(assembly, regions);
        return new Actor(assembly, regions, queries, new NodeShutdown(assembly, regions, queries));
    }

    private static NodeAttributes attributes(boolean coordinates) {
        return new NodeAttributes(Set.of(), coordinates, "")
                .decidingBy(RegionSettings.safety(new ShardingOptions()).options());
    }

    Future<Void> play() {
        // the second node starts before the first one announces that it coordinates
        return second.begin()
                .compose(begun -> first.begin())
                .compose(begun -> first.start())
                .compose(home -> askAll(home)
                        .compose(asked -> second.start())
                        .compose(next -> askUntilMoved(home, next))
                        .eventually(second.shutdown()::close)
                        .compose(left -> askAll(home)))
                .eventually(second.shutdown()::close)
                .eventually(first.shutdown()::close)
                .mapEmpty();
    }

    /** Asks from the first node until one answers from the second, then from there. */
    private Future<Void> askUntilMoved(ShardRegion<String> home, ShardRegion<String> next) {
        return askAll(home)
                .compose(asked -> places.contains(SECOND) || abandoned
                        ? askAll(next)
                        : vertx.timer(PAUSE_MS).compose(later -> askUntilMoved(home, next)));
    }

    private Future<Void> askAll(ShardRegion<String> region) {
        Stream<Future<String>> answers = IDS.stream()
                .map(id -> region.entityRef(id)
                        .request("where", String.class, LONGEST_ASK)
                        .onSuccess(place -> places.add(new NodeId(place))));
        return Future.all(answers.toList()).mapEmpty();
    }
}
