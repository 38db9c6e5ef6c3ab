package io.shardbus.store;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.contract.SplitBrainArbiterContract;
import io.shardbus.spi.SplitBrainArbiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreArbiterTest extends SplitBrainArbiterContract {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final InMemoryRecordStore store = new InMemoryRecordStore();

    @Override
    protected SplitBrainArbiter arbiter() {
        return new StoreArbiter(store, Duration.ofMinutes(5), clock::get);
    }

    @Override
    protected SplitBrainArbiter another() {
        return arbiter();
    }

    @Override
    protected void waitUntilExpired() {
        clock.addAndGet(Duration.ofMinutes(5).toMillis());
    }

    @Test
    void recordsAreComparedAndSet() {
        assertNull(await(store.read("a")));
        assertTrue(await(store.replace("a", null, "1")));
        assertFalse(await(store.replace("a", null, "2")));
        assertFalse(await(store.replace("a", "2", "3")));
        assertTrue(await(store.replace("a", "1", "2")));
        assertEquals("2", await(store.read("a")));
        assertTrue(await(store.replace("a", "2", null)));
        assertNull(await(store.read("a")));
    }

    @Test
    void whatIsNoLeaseIsOverwritten() {
        assertTrue(await(store.replace(LEASE, null, "somebody")));
        assertTrue(await(arbiter().acquire(LEASE, "left", "s")));
    }
}
