package io.shardbus.contract;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.spi.SplitBrainArbiter;
import io.vertx.core.Future;
import java.util.TreeMap;
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

    @Test
    void atMostOneOwnerHasALease() {
        assertTrue(await(arbiter().acquire(LEASE, "left")));
        assertFalse(await(another().acquire(LEASE, "right")));
        assertFalse(await(arbiter().acquire(LEASE, "right")));
    }

    @Test
    void anOwnerHasItForAllWhoAskInItsName() {
        assertTrue(await(arbiter().acquire(LEASE, "left")));
        assertTrue(await(another().acquire(LEASE, "left")));
    }

    @Test
    void whatIsGivenBackIsFree() {
        assertTrue(await(arbiter().acquire(LEASE, "left")));
        await(another().release(LEASE, "left"));
        await(another().release(LEASE, "left"));
        assertTrue(await(another().acquire(LEASE, "right")));
    }

    @Test
    void onlyItsOwnerGivesItBack() {
        assertTrue(await(arbiter().acquire(LEASE, "left")));
        await(another().release(LEASE, "right"));
        assertFalse(await(another().acquire(LEASE, "right")));
    }

    @Test
    void clustersHaveLeasesOfTheirOwn() {
        assertTrue(await(arbiter().acquire(LEASE, "left")));
        assertTrue(await(another().acquire("cluster-b", "right")));
    }

    @Test
    void aLeaseWhoseOwnerDiedIsFreeAfterAWhile() {
        assertTrue(await(arbiter().acquire(LEASE, "left")));
        waitUntilExpired();
        assertTrue(await(another().acquire(LEASE, "right")));
        assertFalse(await(arbiter().acquire(LEASE, "left")));
    }

    @Test
    void manyAskAtOnceAndOneSideGetsIt() throws Exception {
        var threads = Executors.newFixedThreadPool(8);
        try {
            var asks = IntStream.range(0, 40)
                    .mapToObj(i -> (Callable<Future<Boolean>>)
                            () -> (i % 2 == 0 ? arbiter() : another()).acquire(LEASE, "side" + i % 4))
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
