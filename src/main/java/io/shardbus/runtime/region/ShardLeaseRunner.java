package io.shardbus.runtime.region;

import io.shardbus.runtime.entity.UserCode;
import io.shardbus.spi.LeaseProvider.ShardLease;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acquires, keeps and releases the external leases of one region's shards. On the control context. */
public final class ShardLeaseRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLeaseRunner.class);

    /** Listener of a lease: it is held from now on, or it is lost. */
    interface Listener {
        void changed(int shard, boolean held);
    }

    /**
     * Source of leases.
     *
     * @param leases the lease of a shard
     * @param retryInterval the pause after a lease was not obtained, in milliseconds
     */
    public record Source(IntFunction<ShardLease> leases, long retryInterval) {}

    private enum Step {
        IDLE,
        ACQUIRING,
        HELD,
        RELEASING
    }

    private static final class Entry {
        @Nullable
        ShardLease lease;

        Step step = Step.IDLE;
        boolean wanted;
        /**
         * Whether the shard runs under it, or still ends: a later life of the shard that gives up its wait does not
         * give it back.
         */
        boolean used;
        /** Whether a request failed, so that the lease may have been obtained, or was not given back. */
        boolean doubtful;

        String loss = "";
        /** The reason why it was lost before its answer was here; null if it was not. */
        @Nullable
        String lostEarly;
    }

    private final String type;
    private final @Nullable Source source;
    private final Supplier<Context> context;
    private final Listener listener;
    private final Runnable failed;
    private final Map<Integer, Entry> entries = new HashMap<>();
    private final Promise<Void> closed = Promise.promise();
    private boolean closing;

    /** @param failed hears of each request that failed */
    ShardLeaseRunner(
            String type, @Nullable Source source, Supplier<Context> context, Listener listener, Runnable failed) {
        this.type = type;
        this.source = source;
        this.context = context;
        this.listener = listener;
        this.failed = failed;
    }

    boolean isRequired() {
        return source != null;
    }

    /** Tries until the lease is held or not wanted any more. */
    void want(int shard) {
        if (source != null) {
            Entry entry = entries.computeIfAbsent(shard, number -> new Entry());
            entry.wanted = true;
            begin(shard, entry);
        }
    }

    /** The shard does not start after all. */
    void cancel(int shard) {
        Entry entry = entries.get(shard);
        if (entry != null) {
            entry.wanted = false;
            if (!entry.used) {
                release(shard, entry);
            }
        }
    }

    /** The shard has stopped; completes when the lease is given back, or could not be. */
    Future<Void> ended(int shard) {
        Entry entry = entries.get(shard);
        if (entry == null) {
            return Future.succeededFuture();
        }
        entry.used = false;
        return release(shard, entry);
    }

    /** The reason why the lease of a shard was lost last. */
    String loss(int shard) {
        Entry entry = entries.get(shard);
        return entry == null ? "" : entry.loss;
    }

    /**
     * All shards have stopped for good; completes when every lease is given back, or could not be. Another region on
     * the node would call the same leases: not before.
     */
    Future<Void> close() {
        closing = true;
        entries.values().forEach(entry -> entry.used = false);
        entries.keySet().forEach(this::cancel);
        closeIfIdle();
        return closed.future();
    }

    private void closeIfIdle() {
        if (closing && entries.values().stream().allMatch(entry -> entry.step == Step.IDLE)) {
            closed.tryComplete();
        }
    }

    private void begin(int shard, Entry entry) {
        if (entry.step != Step.IDLE || !entry.wanted) {
            return;
        }
        entry.step = Step.ACQUIRING;
        entry.lostEarly = null;
        UserCode.call(() -> lease(shard, entry).acquire(reason -> back(() -> lost(shard, entry, "" + reason))))
                .onFailure(failure -> failed.run())
                .onComplete(answer -> back(() -> {
                    String early = entry.lostEarly;
                    entry.step = Boolean.TRUE.equals(answer.result()) && early == null ? Step.HELD : Step.IDLE;
                    entry.doubtful |= answer.failed() || early != null;
                    if (!entry.wanted) {
                        release(shard, entry);
                    } else if (entry.step == Step.HELD) {
                        entry.wanted = false;
                        listener.changed(shard, true);
                        entry.used = entry.step == Step.HELD;
                    } else {
                        retry(shard, entry, early == null ? why(answer.cause()) : early);
                    }
                    closeIfIdle();
                }));
    }

    private ShardLease lease(int shard, Entry entry) {
        ShardLease made = entry.lease;
        if (made == null) {
            made = Objects.requireNonNull(source, "leases are required")
                    .leases()
                    .apply(shard);
            entry.lease = made;
        }
        return made;
    }

    private static String why(@Nullable Throwable failure) {
        return failure == null ? "another owner holds it" : failure.toString();
    }

    private void retry(int shard, Entry entry, String why) {
        LOG.error("type={} shard={}: the external lease was not obtained, retrying: {}", type, shard, why);
        long pause = source == null ? 1 : source.retryInterval();
        context.get().owner().setTimer(pause, ignored -> back(() -> begin(shard, entry)));
    }

    private void lost(int shard, Entry entry, String reason) {
        if (entry.step == Step.HELD) {
            entry.loss = reason;
            listener.changed(shard, false);
        } else if (entry.step == Step.ACQUIRING) {
            entry.lostEarly = reason;
        }
    }

    private Future<Void> release(int shard, Entry entry) {
        boolean mayBeHeld = entry.step == Step.HELD || (entry.step == Step.IDLE && entry.doubtful);
        if (!mayBeHeld) {
            return Future.succeededFuture();
        }
        entry.step = Step.RELEASING;
        Promise<Void> released = Promise.promise();
        UserCode.call(() -> lease(shard, entry).release())
                .onFailure(failure -> failed.run())
                .onComplete(done -> back(() -> {
                    entry.doubtful = done.failed();
                    if (done.failed()) {
                        LOG.warn(
                                "type={} shard={}: the external lease was not released: {}",
                                type,
                                shard,
                                "" + done.cause());
                    }
                    entry.step = Step.IDLE;
                    released.complete();
                    begin(shard, entry);
                    closeIfIdle();
                }));
        return released.future();
    }

    private void back(Runnable task) {
        context.get().runOnContext(ignored -> task.run());
    }
}
