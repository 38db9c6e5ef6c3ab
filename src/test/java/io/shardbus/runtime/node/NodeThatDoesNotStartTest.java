package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.membership.LocalMembership;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.NodeParts;
import io.shardbus.spi.StateStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node whose store does not start, and types that were started on it. */
class NodeThatDoesNotStartTest {
    private static final NodeId SELF = new NodeId("self");

    private final Vertx vertx = Vertx.vertx();
    /** What the node's seat waits for. */
    private final List<Future<?>> occupied = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    private static final class Broken implements StateStore {
        @Override
        public Future<Void> start() {
            return Future.failedFuture("no disk");
        }

        @Override
        public Future<@Nullable TermRecord> readTerm() {
            return Future.failedFuture("no disk");
        }

        @Override
        public Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next) {
            return Future.failedFuture("no disk");
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    private Membership membership() {
        Membership alone = new LocalMembership(SELF, Map.of(SELF, NodeAttributes.DEFAULT));
        return (Membership) Proxy.newProxyInstance(
                Membership.class.getClassLoader(), new Class<?>[] {Membership.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("occupyUntil")) {
                        occupied.add((Future<?>) arguments[0]);
                        return null;
                    }
                    return method.invoke(alone, arguments);
                });
    }

    @Test
    void itsSeatWaitsForNoCode() {
        ElapsedClock clock = new ElapsedClock();
        RememberedStores remembered = new RememberedStores(InMemoryRememberedEntities::new);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                new ShardingOptions().setAwaitPredecessorLeases(false),
                clock,
                BusTransport.within(vertx, "unstarted.", clock::now),
                membership(),
                new Broken(),
                remembered::started);
        NodeAssembly assembly = NodeAssembly.of(vertx, parts, remembered);
        RegionStarter regions = new RegionStarter(vertx, assembly, Future.succeededFuture());
        NodeQueries queries = new NodeQueries(assembly, regions);
        assembly.begin(queries);
        var definition = LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message));
        Future<?> started = regions.start(definition, false);
        Await.until(() -> "the start goes on", started::isComplete);
        assertTrue(started.failed());
        Await.until(() -> "the type stays", () -> regions.types().isEmpty());
        Await.result(new NodeShutdown(assembly, regions, queries).close());
        assertEquals(
                List.of(), occupied.stream().filter(code -> !code.isComplete()).toList());
    }
}
