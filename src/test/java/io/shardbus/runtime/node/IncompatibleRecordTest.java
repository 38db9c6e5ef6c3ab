package io.shardbus.runtime.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.LoneNode;
import io.shardbus.membership.LocalMembership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.CoordinatorVerticle;
import io.shardbus.runtime.control.NodeParts;
import io.shardbus.spi.StateStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.store.IncompatibleRecordException;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node that finds, when it is already there, that nodes of an incompatible build run the cluster. */
class IncompatibleRecordTest {
    private static final NodeId SELF = new NodeId("self");
    private static final EntityType<String> TYPE = EntityType.of("echo", String.class);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    /** Nothing is there at the start, and then what somebody else has claimed. */
    private final class ClaimedByOthers implements StateStore {
        @Override
        public Future<Void> start() {
            return Future.succeededFuture();
        }

        @Override
        public Future<@Nullable TermRecord> readTerm() {
            return reads.getAndIncrement() == 0
                    ? Future.succeededFuture()
                    : Future.failedFuture(new IncompatibleRecordException(1));
        }

        @Override
        public Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next) {
            writes.incrementAndGet();
            return Future.succeededFuture(false);
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    private ShardingException refusal(RegionStarter regions, EntityType<String> type) {
        return LoneNode.failure(
                regions.start(EntityDefinition.of(type, id -> (message, context) -> Future.succeededFuture()), false));
    }

    @Test
    void itsRegionsAreRefusedAndItSaysWhyOnce() {
        ElapsedClock clock = new ElapsedClock();
        RememberedStores remembered = new RememberedStores(InMemoryRememberedEntities::new);
        NodeAssembly assembly = NodeAssembly.of(
                vertx,
                new NodeParts(
                        SELF,
                        1,
                        new ShardingOptions().setAwaitPredecessorLeases(false),
                        clock,
                        new BusTransport(vertx, "test.", null, clock::now),
                        new LocalMembership(SELF, Map.of(SELF, NodeAttributes.DEFAULT)),
                        new ClaimedByOthers(),
                        remembered::started),
                remembered);
        RegionStarter regions = new RegionStarter(vertx, assembly, Future.succeededFuture());
        NodeQueries queries = new NodeQueries(assembly, regions);
        try (var log = new LogLines(CoordinatorVerticle.class.getPackageName() + ".NodeCommandRunner")) {
            assembly.begin(queries);
            for (var type : List.of(TYPE, EntityType.of("later", String.class))) {
                ShardingException refusal = refusal(regions, type);
                assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
                assertTrue(String.valueOf(refusal.getMessage()).contains("wire version 1"), refusal.getMessage());
            }
            assertEquals(1, log.with("this node hosts nothing").size(), () -> "" + log.with(""));
        }
        assertTrue(writes.get() <= 1, "it claims only what it has seen");
        Await.result(new NodeShutdown(assembly, regions, queries).close());
    }
}
