package io.shardbus.integration.leases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.contract.LeaseProviderContract;
import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.spi.LeaseProvider;
import io.shardbus.store.HeartbeatLeases;
import io.shardbus.store.infinispan.InfinispanLeaseEntries;
import io.shardbus.store.infinispan.InfinispanStateStore;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Leases on the caches of three containers in one JVM, over real connections. */
class InfinispanLeasesIT extends LeaseProviderContract {
    private static final BareCluster CLUSTER = new BareCluster(3);
    private static final List<LeaseProvider> LIVES = new ArrayList<>();
    private static final List<InfinispanLeaseEntries> ENTRIES = new ArrayList<>();
    private static Vertx vertx;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        for (int i = 0; i < 3; i++) {
            var container = CLUSTER.startContainer();
            Await.result(new InfinispanStateStore(container).start());
            var entries = new InfinispanLeaseEntries(container);
            ENTRIES.add(entries);
            LongSupplier clock = () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
            LIVES.add(new HeartbeatLeases(vertx, entries, "life-" + i, 8_000, clock, clock));
        }
    }

    @AfterAll
    static void stop() {
        LIVES.forEach(life -> Await.result(life.close()));
        ENTRIES.forEach(InfinispanLeaseEntries::close);
        Await.result(vertx.close());
        CLUSTER.close();
    }

    @Override
    protected List<LeaseProvider> lives() {
        return LIVES;
    }

    @Test
    void entriesAreAgreedOn() {
        var first = ENTRIES.get(0);
        var last = ENTRIES.get(2);
        assertEquals(true, await(first.replace("k", Optional.empty(), Optional.of("1"))));
        assertEquals(false, await(last.replace("k", Optional.empty(), Optional.of("2"))));
        assertEquals(Optional.of("1"), await(last.read("k")));
        assertEquals(true, await(last.replace("k", Optional.of("1"), Optional.of("2"))));
        assertEquals(false, await(first.replace("k", Optional.of("1"), Optional.empty())));
        assertEquals(false, await(first.replace("k", Optional.empty(), Optional.empty())));
        assertEquals(true, await(first.replace("k", Optional.of("2"), Optional.empty())));
        assertEquals(true, await(first.replace("k", Optional.empty(), Optional.empty())));
        assertEquals(Optional.empty(), await(last.read("k")));
    }
}
