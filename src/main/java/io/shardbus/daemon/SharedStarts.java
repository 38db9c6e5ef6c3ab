package io.shardbus.daemon;

import io.shardbus.ClusterSharding;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was started on a Vertx under a name, shared by all starts with equal options; it ends with the last stop. Kept
 * by the Vertx itself, so that it ends with it. Any thread.
 *
 * @param <P> what is shared
 */
final class SharedStarts<P> {
    private final String kind;
    private final Function<P, Future<Void>> end;
    private final Predicate<P> isOver;

    /**
     * @param kind name of the kind of objects, for texts; one for all of a kind
     * @param end ends a part after its last stop, or when it is over; must begin to do so before it returns
     * @param isOver whether a part does nothing any more, as its region has left: the next start begins another
     */
    SharedStarts(String kind, Function<P, Future<Void>> end, Predicate<P> isOver) {
        this.kind = kind;
        this.end = end;
        this.isOver = isOver;
    }

    /** Whether the region leaves, or has left: not by a stop of what has it, but by a call of the user. */
    static boolean hasLeft(ShardRegion<?> region) {
        Future<Void> ready = region.ready();
        return ready.failed()
                && ready.cause() instanceof ShardingException refused
                && refused.code() == FailureCode.SHUTTING_DOWN;
    }

    /** @param starts number of starts without a stop */
    private record Entry<P>(ClusterSharding sharding, Object options, int starts, Promise<P> part)
            implements Shareable {
        Entry<P> with(int changed) {
            return new Entry<>(sharding, options, changed, part);
        }

        boolean isOf(Promise<P> other) {
            return part == other;
        }
    }

    private LocalMap<String, Entry<P>> map(Vertx vertx) {
        return vertx.sharedData().getLocalMap("__shardbus.shared." + kind);
    }

    /** One start's share of a part. */
    final class Share {
        private final Vertx vertx;
        private final String name;
        private final Promise<P> generation;
        private final P part;
        private final AtomicBoolean over = new AtomicBoolean();
        private final Promise<Void> ended = Promise.promise();

        private Share(Vertx vertx, String name, Promise<P> generation, P part) {
            this.vertx = vertx;
            this.name = name;
            this.generation = generation;
            this.part = part;
        }

        P part() {
            return part;
        }

        /** Gives the share back; completes at once unless it is the last one. Further calls do nothing. */
        Future<Void> stop() {
            if (over.compareAndSet(false, true)) {
                leave(vertx, name, generation, part).onComplete(ended);
            }
            return CallerContext.complete(ended.future());
        }
    }

    /**
     * Starts a part, or joins the one of this name.
     *
     * @param options equal for all that share a part
     * @param begin begins a part if none of the sharding is there
     * @return fails as the part's start does, or with an IllegalStateException if it was started with other options
     */
    Future<Share> start(Vertx vertx, ClusterSharding sharding, String name, Object options, Supplier<Future<P>> begin) {
        if (sharding.isLeaving()) {
            return Future.failedFuture(new ShardingException(
                    FailureCode.SHUTTING_DOWN,
                    kind + " '" + name + "' does not start: its sharding leaves the cluster"));
        }
        Promise<P> mine = Promise.promise();
        Entry<P> entry;
        try {
            entry = map(vertx)
                    .compute(name, (key, present) -> joined(present, new Entry<>(sharding, options, 1, mine), name));
        } catch (IllegalStateException e) {
            return Future.failedFuture(e);
        }
        if (entry.isOf(mine)) {
            // what it throws fails the start as well
            Future.succeededFuture().compose(go -> begin.get()).onComplete(begun -> {
                if (begun.failed()) {
                    // before the start fails, which may be tried again at once
                    map(vertx).computeIfPresent(name, (key, present) -> present.isOf(mine) ? null : present);
                }
                mine.handle(begun);
            });
        }
        Promise<P> generation = entry.part();
        return CallerContext.complete(generation.future().map(part -> new Share(vertx, name, generation, part)));
    }

    /**
     * A Vertx may have several shardings, one after the other: what an earlier one ran ends here, if it has not, and so
     * does a part that is over.
     */
    private Entry<P> joined(@Nullable Entry<P> present, Entry<P> first, String name) {
        if (present == null) {
            return first;
        }
        Future<P> part = present.part().future();
        if (!present.sharding().equals(first.sharding()) || part.succeeded() && isOver.test(part.result())) {
            part.compose(end);
            return first;
        }
        if (!present.options().equals(first.options())) {
            throw new IllegalStateException(kind + " '" + name + "' was started on this Vertx with other options: "
                    + present.options() + ", now " + first.options());
        }
        return present.with(present.starts() + 1);
    }

    /** The end begins before another start can find the name free. */
    private Future<Void> leave(Vertx vertx, String name, Promise<P> generation, P part) {
        AtomicReference<Future<Void>> ends = new AtomicReference<>(Future.succeededFuture());
        map(vertx).computeIfPresent(name, (key, present) -> {
            if (!present.isOf(generation)) {
                return present;
            }
            if (present.starts() > 1) {
                return present.with(present.starts() - 1);
            }
            ends.set(end.apply(part));
            return null;
        });
        return Objects.requireNonNull(ends.get(), "begins as an ended one");
    }
}
