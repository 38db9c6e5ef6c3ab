package io.shardbus.integration.leases;

import io.shardbus.contract.LeaseProviderContract;
import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.spi.LeaseProvider;
import io.shardbus.store.HeartbeatLeases;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.shardbus.store.infinispan.InfinispanStateStore;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Leases on the caches of three containers in one JVM, over real connections. */
class InfinispanLeasesIT extends LeaseProviderContract {
    private static final BareCluster CLUSTER = new BareCluster(3);
    private static final List<LeaseProvider> LIVES = new ArrayList<>();
    private static final List<InfinispanRecords> ENTRIES = new ArrayList<>();
    private static Vertx vertx;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        for (int i = 0; i < 3; i++) {
            var container = CLUSTER.startContainer();
            Await.result(new InfinispanStateStore(container).start());
            var entries = InfinispanRecords.ofLeases(container);
            ENTRIES.add(entries);
            LongSupplier clock = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
            LIVES.add(new HeartbeatLeases(vertx, entries, "life-" + i, 8_000, clock, clock));
        }
    }

    @AfterAll
    static void stop() {
        LIVES.forEach(life -> Await.result(life.close()));
        ENTRIES.forEach(InfinispanRecords::close);
        Await.result(vertx.close());
        CLUSTER.close();
    }

    @Override
    protected List<LeaseProvider> lives() {
        return LIVES;
    }
}
