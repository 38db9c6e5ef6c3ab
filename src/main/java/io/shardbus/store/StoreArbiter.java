package io.shardbus.store;

import io.shardbus.spi.RecordStore;
import io.shardbus.spi.SplitBrainArbiter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An arbiter on any store with compare-and-set. The record of a lease is its owner and, by the wall clock of the node that
 * took it, when it ends: a lease whose owner died before giving it back is free again after a while.
 */
public final class StoreArbiter implements SplitBrainArbiter {
    private final RecordStore store;
    private final Duration longest;
    private final LongSupplier wallMillis;

    /**
     * @param longest after which a lease that was not given back is free; much longer than {@code releaseAfterMs} and than
     *     the nodes' wall clocks differ
     * @param wallMillis the wall clock, as System::currentTimeMillis
     */
    public StoreArbiter(RecordStore store, Duration longest, LongSupplier wallMillis) {
        this.store = store;
        this.longest = longest;
        this.wallMillis = wallMillis;
    }

    @Override
    public Future<Boolean> acquire(String name, String owner) {
        return store.read(name).compose(found -> {
            Lease present = Lease.parse(found);
            long now = wallMillis.getAsLong();
            if (present != null && !present.owner().equals(owner) && now < present.end()) {
                return Future.succeededFuture(false);
            }
            String next = new Lease(owner, now + longest.toMillis()).text();
            // where somebody else was quicker, a node of the same side may have been it
            return store.replace(name, found, next)
                    .compose(written -> written ? Future.succeededFuture(true) : isHeldBy(name, owner));
        });
    }

    private Future<Boolean> isHeldBy(String name, String owner) {
        return store.read(name).map(found -> {
            Lease present = Lease.parse(found);
            return present != null && present.owner().equals(owner);
        });
    }

    @Override
    public Future<Void> release(String name, String owner) {
        return store.read(name).compose(found -> {
            Lease present = Lease.parse(found);
            return present != null && present.owner().equals(owner)
                    ? store.replace(name, found, null).mapEmpty()
                    : Future.succeededFuture();
        });
    }

    private record Lease(String owner, long end) {
        /** Null for none, and for what is no lease: that is overwritten, it cannot be an owner's. */
        static @Nullable Lease parse(@Nullable String text) {
            int space = text == null ? -1 : text.indexOf(' ');
            if (text == null || space < 1 || !text.substring(0, space).matches("\\d{1,18}")) {
                return null;
            }
            return new Lease(text.substring(space + 1), Long.parseLong(text.substring(0, space)));
        }

        String text() {
            return end + " " + owner;
        }
    }
}
