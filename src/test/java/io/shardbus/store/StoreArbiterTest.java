package io.shardbus.store;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.contract.SplitBrainArbiterContract;
import io.shardbus.spi.RecordStore;
import io.shardbus.spi.SplitBrainArbiter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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

    /** As a build without numbered fields wrote it, and as a later one may. */
    @Test
    void leasesOfOtherBuildsAreRead() {
        for (String held : List.of("1000001 1 sright", "1=7:1000001 2=1:s 3=5:right 44=8:invented ")) {
            assertTrue(await(store.replace(LEASE, await(store.read(LEASE)), held)));
            assertFalse(await(arbiter().acquire(LEASE, "left", "1")));
            assertEquals("s", await(arbiter().release(LEASE, "right", "t")), "it bears this stamp");
        }
    }

    /** Somebody else is quicker each time that this arbiter has read and is about to write. */
    private StoreArbiter overtakenBy(Supplier<Future<?>> other, AtomicInteger writes) {
        return new StoreArbiter(
                new RecordStore() {
                    @Override
                    public Future<@Nullable String> read(String name) {
                        return store.read(name);
                    }

                    @Override
                    public Future<Boolean> replace(String name, @Nullable String expected, @Nullable String next) {
                        writes.incrementAndGet();
                        return other.get().compose(done -> store.replace(name, expected, next));
                    }
                },
                Duration.ofMinutes(5),
                clock::get);
    }

    @Test
    void aTakingThatWasOvertakenByAReleaseLooksAgain() {
        assertTrue(await(arbiter().acquire(LEASE, "left", "1")));
        AtomicInteger writes = new AtomicInteger();
        SplitBrainArbiter slow = overtakenBy(() -> another().release(LEASE, "left", "1"), writes);
        assertTrue(await(slow.acquire(LEASE, "left", "2")));
        assertEquals(2, writes.get());
        assertEquals("2", await(another().release(LEASE, "left", "1")), "the lease bears its stamp");
        assertFalse(await(another().acquire(LEASE, "right", "3")));
    }

    @Test
    void aTakingThatWasOvertakenByTheOtherSideLooksAgainAndHasLost() {
        AtomicInteger writes = new AtomicInteger();
        SplitBrainArbiter slow = overtakenBy(() -> another().acquire(LEASE, "right", "1"), writes);
        assertFalse(await(slow.acquire(LEASE, "left", "2")));
        assertEquals(1, writes.get());
    }

    @Test
    void aTakingThatIsOvertakenAgainAndAgainEnds() {
        AtomicInteger writes = new AtomicInteger();
        SplitBrainArbiter slow = overtakenBy(
                () -> store.read(LEASE).compose(found -> store.replace(LEASE, found, "no lease " + writes)), writes);
        assertFalse(await(slow.acquire(LEASE, "left", "2")));
        assertEquals(3, writes.get());
    }
}
