package io.shardbus.runtime.node;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.integration.Await;
import io.shardbus.membership.LocalMembership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.control.NodeParts;
import io.shardbus.spi.StateStore;
import io.shardbus.store.InMemoryRememberedEntities;
import io.shardbus.store.InMemoryStateStore;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One node with one lane and a short lease, which can be cut off from its store: then its lease runs out. Close it. */
final class CutOffNode implements AutoCloseable {
    static final long LEASE = 1_000;
    private static final NodeId SELF = new NodeId("alone");

    final ElapsedClock clock = new ElapsedClock();
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(4));
    private final SilentStore store = new SilentStore();
    private @Nullable NodeQueries queries;

    private static final class SilentStore implements StateStore {
        private final InMemoryStateStore content = new InMemoryStateStore();
        private volatile boolean silent;

        @Override
        public Future<Void> start() {
            return content.start();
        }

        @Override
        public Future<@Nullable TermRecord> readTerm() {
            return content.readTerm();
        }

        @Override
        public Future<Boolean> replaceTerm(@Nullable TermRecord expected, TermRecord next) {
            return silent ? Promise.<Boolean>promise().future() : content.replaceTerm(expected, next);
        }

        @Override
        public Future<Void> close() {
            return content.close();
        }
    }

    /** From now on writes to the store are not answered. */
    void cutOff() {
        store.silent = true;
    }

    /** The store answers again; what was written meanwhile is lost. */
    void reconnect() {
        store.silent = false;
    }

    Vertx vertx() {
        return vertx;
    }

    <M> ShardRegion<M> start(EntityDefinition<M> definition) {
        RememberedStores remembered = new RememberedStores(InMemoryRememberedEntities::new);
        NodeParts parts = new NodeParts(
                SELF,
                1,
                new ShardingOptions()
                        .setLeaseDurationMs(LEASE)
                        .setLanes(1)
                        .setStopTimeoutMs(20_000)
                        .setShutdownTimeoutMs(100)
                        .setAwaitPredecessorLeases(false),
                clock,
                BusTransport.within(vertx, "cut-off.", clock::now),
                new LocalMembership(SELF, Map.of(SELF, new NodeAttributes(Set.of(), true, ""))),
                store,
                remembered::started);
        NodeAssembly assembly = NodeAssembly.of(vertx, parts, remembered);
        RegionStarter regions = new RegionStarter(vertx, assembly, Future.succeededFuture());
        NodeQueries answering = new NodeQueries(assembly, regions);
        queries = answering;
        assembly.begin(answering);
        return Await.result(regions.start(definition, false));
    }

    /** Its answer to another node, once it has started. */
    <A extends QueryAnswer> Future<A> answer(Query<A> query) {
        return Objects.requireNonNull(queries).answer(query);
    }

    @Override
    public void close() {
        Await.result(vertx.close());
    }
}
