package io.shardbus.contract;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.spi.SplitBrainArbiter;
import io.vertx.core.Future;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every arbiter must do. Subclasses give two that stand for two nodes, on the same store. */
public abstract class SplitBrainArbiterContract {
    protected static final String LEASE = "cluster-a";

    protected abstract SplitBrainArbiter arbiter();

    protected abstract SplitBrainArbiter another();

    /** After this a lease that was not given back is free. */
    protected abstract void waitUntilExpired();

    private static String stamp() {
        return UUID.randomUUID().toString();
    }

    @Test
    void atMostOneOwnerHasALease() {
        assertTrue(await(arbiter().acquire(LEASE, "left", stamp())));
        assertFalse(await(another().acquire(LEASE, "right", stamp())));
        assertFalse(await(arbiter().acquire(LEASE, "right", stamp())));
    }

    @Test
    void anOwnerHasItForAllWhoAskInItsName() {
        assertTrue(await(arbiter().acquire(LEASE, "left", stamp())));
        assertTrue(await(another().acquire(LEASE, "left", stamp())));
    }

    @Test
    void whatIsGivenBackIsFree() {
        assertTrue(await(arbiter().acquire(LEASE, "left", "s")));
        assertNull(await(another().release(LEASE, "left", "s")));
        assertNull(await(another().release(LEASE, "left", "s")));
        assertTrue(await(another().acquire(LEASE, "right", stamp())));
    }

    @Test
    void onlyItsOwnerGivesItBack() {
        assertTrue(await(arbiter().acquire(LEASE, "left", "s")));
        assertNull(await(another().release(LEASE, "right", "s")));
        assertFalse(await(another().acquire(LEASE, "right", stamp())));
    }

    @Test
    void whatWasTakenAgainIsNotGivenBackByTheStampOfBefore() {
        assertTrue(await(arbiter().acquire(LEASE, "left", "first")));
        assertTrue(await(another().acquire(LEASE, "left", "then")));
        assertEquals("then", await(arbiter().release(LEASE, "left", "first")));
        assertFalse(await(arbiter().acquire(LEASE, "right", stamp())));
        assertNull(await(arbiter().release(LEASE, "left", "then")));
        assertTrue(await(arbiter().acquire(LEASE, "right", stamp())));
    }

    @Test
    void clustersHaveLeasesOfTheirOwn() {
        assertTrue(await(arbiter().acquire(LEASE, "left", stamp())));
        assertTrue(await(another().acquire("cluster-b", "right", stamp())));
    }

    @Test
    void aLeaseWhoseOwnerDiedIsFreeAfterAWhile() {
        assertTrue(await(arbiter().acquire(LEASE, "left", stamp())));
        waitUntilExpired();
        assertTrue(await(another().acquire(LEASE, "right", stamp())));
        assertFalse(await(arbiter().acquire(LEASE, "left", stamp())));
    }

    @Test
    void manyAskAtOnceAndOneSideGetsIt() throws Exception {
        var threads = Executors.newFixedThreadPool(8);
        try {
            var asks = IntStream.range(0, 40)
                    .mapToObj(i -> (Callable<Future<Boolean>>)
                            () -> (i % 2 == 0 ? arbiter() : another()).acquire(LEASE, "side" + i % 4, stamp()))
                    .toList();
            var granted = new TreeMap<Integer, Integer>();
            var answers = threads.invokeAll(asks);
            for (int i = 0; i < asks.size(); i++) {
                if (await(answers.get(i).get())) {
                    granted.merge(i % 4, 1, Integer::sum);
                }
            }
            assertEquals(1, granted.size(), granted::toString);
        } finally {
            threads.shutdown();
        }
    }
}
