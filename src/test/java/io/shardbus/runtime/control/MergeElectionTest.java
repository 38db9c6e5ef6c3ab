package io.shardbus.runtime.control;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.splitbrain.DownAll;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.spi.StateStore;
import io.shardbus.store.InMemoryStateStore;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A node whose side was stopped meets the other: what it does with the record of who coordinates. */
class MergeElectionTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final int LEASE = 400;

    private final Vertx vertx = Vertx.vertx();
    private final Watched store = new Watched();
    private final Views views = new Views();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** What is done with the record. */
    private static final class Watched implements StateStore {
        final InMemoryStateStore store = new InMemoryStateStore();
        final List<String> operations = new CopyOnWriteArrayList<>();

        @Override
        public Future<Void> start() {
            return store.start();
        }

        @Override
        public Future<@Nullable TermRecord> readTerm() {
            operations.add("read");
            return store.readTerm();
        }

        @Override
        public Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next) {
            operations.add("replace");
            return store.replaceTerm(expected, next);
        }

        @Override
        public Future<Void> close() {
            return store.close();
        }
    }

    /** Shows what the test says. */
    private static final class Views implements Membership {
        private final NodeAttributes attributes = new NodeAttributes(Set.of(), true, "");
        private volatile @Nullable Listener listener;
        private long number;

        void show(boolean merged, NodeId... members) {
            Objects.requireNonNull(listener, "started")
                    .viewChanged(new ClusterView(++number, List.of(members), merged, true));
        }

        @Override
        public NodeId self() {
            return SELF;
        }

        @Override
        public Future<Void> start(Listener listening) {
            listener = listening;
            show(false, OTHER, SELF);
            listening.attributesChanged(attributes());
            return Future.succeededFuture();
        }

        @Override
        public Map<NodeId, NodeAttributes> attributes() {
            return Map.of(SELF, attributes, OTHER, attributes);
        }

        @Override
        public Future<Void> stop() {
            return Future.succeededFuture();
        }
    }

    private void start() {
        ShardingOptions options =
                new ShardingOptions().setLeaseDurationMs(LEASE).setDecisionTimeMs(1);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                options,
                new ElapsedClock(),
                new BusTransport(vertx, "", null, () -> 0),
                views,
                store,
                () -> Future.failedFuture("nothing is remembered"));
        SplitTimes times = new SplitTimes(1, 60_000, 0, 40_000);
        SplitBrainSetup setup = new SplitBrainSetup("down-all", new DownAll(), times, null, "lease", null);
        CoordinatorVerticle verticle = new CoordinatorVerticle(parts, setup);
        await(vertx.deployVerticle(verticle));
        until("the record is known", () -> store.operations.contains("read"));
        views.show(false, SELF);
        until("its side has stopped", () -> !verticle.status().picture().available());
    }

    @Test
    void theRecordIsReadAnewBeforeItIsClaimed() {
        assertTrue(await(store.store.replaceTerm(null, new TermRecord(7, OTHER, 1, 0, LEASE, null))));
        start();
        // the picture shows the view before the control plane has handled it: a tick in between reads once more
        await(vertx.timer(LEASE).mapEmpty());
        // no read took place for so long that the other's beat would count as standing still
        long done = store.operations.size();
        await(vertx.timer(2 * LEASE).mapEmpty());
        assertEquals(done, store.operations.size(), "a side that is stopped neither reads nor writes");
        views.show(true, OTHER, SELF);
        until("the record is looked at", () -> store.operations.size() > done);
        assertEquals("read", store.operations.get((int) done));
    }
}
