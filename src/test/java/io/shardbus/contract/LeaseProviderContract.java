package io.shardbus.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.spi.LeaseProvider;
import io.shardbus.spi.LeaseProvider.ShardLease;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every provider of leases keeps. */
public abstract class LeaseProviderContract {
    protected final String name = "cluster-shard-type-" + UUID.randomUUID();
    protected final List<Throwable> losses = new CopyOnWriteArrayList<>();

    /** Providers of several lives that share what they agree on. */
    protected abstract List<LeaseProvider> lives();

    protected ShardLease lease(int life) {
        return lives().get(life).lease(name, "host-" + life + ":1");
    }

    protected boolean acquire(ShardLease lease) {
        return await(lease.acquire(losses::add));
    }

    @Test
    void oneHoldsIt() {
        assertTrue(acquire(lease(0)));
        assertFalse(acquire(lease(1)));
        assertTrue(acquire(lease(0)), "again by its holder");
        assertEquals(List.of(), losses);
    }

    @Test
    void whatIsReleasedIsFree() {
        ShardLease first = lease(0);
        assertTrue(acquire(first));
        await(first.release());
        assertTrue(acquire(lease(1)));
        assertFalse(acquire(first));
    }

    @Test
    void aReleaseTakesNothingFromAnother() {
        assertTrue(acquire(lease(0)));
        await(lease(1).release());
        assertFalse(acquire(lease(1)));
    }

    @Test
    void leasesOfOtherNamesAreOthers() {
        assertTrue(acquire(lease(0)));
        assertTrue(acquire(lives().get(1).lease(name + "0", "host-1:1")));
    }

    @Test
    void ofManyWhoWantItExactlyOneGetsIt() {
        List<Future<Boolean>> attempts = IntStream.range(0, lives().size())
                .mapToObj(life -> lease(life).acquire(losses::add))
                .toList();
        assertEquals(1, attempts.stream().filter(LeaseProviderContract::await).count());
    }

    @Test
    void manyAtATimeAreNotTooMany() {
        List<Future<Boolean>> attempts = IntStream.range(0, 300)
                .mapToObj(shard ->
                        lives().get(0).lease(name + "-" + shard, "host-0:1").acquire(losses::add))
                .toList();
        assertTrue(attempts.stream().allMatch(LeaseProviderContract::await));
    }

    protected static <T> T await(Future<T> future) {
        try {
            return future.await(20, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within 20 s", e);
        }
    }
}
