package io.shardbus.runtime.region;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Readiness of a region: it is registered and its shards can be given a home. Senders wait here until that is so.
 * Any thread.
 */
public final class Readiness {
    private final String type;
    private final BooleanSupplier available;
    private final Queue<Promise<Void>> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean registered;
    private volatile boolean open;
    private volatile int missing;
    private volatile long opensIn;
    private volatile @Nullable ShardingException end;

    /** @param available whether this side of the cluster may act */
    Readiness(String type, BooleanSupplier available) {
        this.type = type;
        this.available = available;
    }

    boolean isRegistered() {
        return registered;
    }

    void registered(boolean now) {
        registered = now;
        settle();
    }

    /** Whether shards without a home can get one; learnt from the coordinator once. */
    public boolean isOpen() {
        return open;
    }

    /**
     * Notes why shards get no home yet, as the coordinator has told it.
     *
     * @param members how many nodes more must host the type before its first shard gets a home
     * @param leaseMillis how long leases of an earlier coordinator may last, in milliseconds
     */
    public void waits(int members, long leaseMillis) {
        missing = members;
        opensIn = leaseMillis;
    }

    /** In milliseconds, as of the last answer; 0 where no lease is in the way. */
    public long opensIn() {
        return open ? 0 : opensIn;
    }

    int missing() {
        return missing;
    }

    public void opened() {
        open = true;
        settle();
    }

    /** The region leaves, or has left. */
    public void leaving() {
        ended(new ShardingException(FailureCode.SHUTTING_DOWN, "the region of '" + type + "' has left"));
    }

    /** The region cannot become ready any more, for this reason. */
    void ended(ShardingException reason) {
        end = reason;
        settle();
    }

    /** Completes on the caller's context if there is one. */
    Future<Void> ready() {
        Promise<Void> ready = CallerContext.promise();
        waiting.add(ready);
        settle();
        return ready.future();
    }

    private void settle() {
        ShardingException over = end;
        if (over == null && !(registered && open && available.getAsBoolean())) {
            return;
        }
        for (Promise<Void> next = waiting.poll(); next != null; next = waiting.poll()) {
            Promise<Void> ready = next;
            CallerContext.guarded(() -> {
                if (over == null) {
                    ready.complete();
                } else {
                    ready.fail(over);
                }
            });
        }
    }
}
