package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.spi.LeaseProvider.ShardLease;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of a user's provider on this node. A request that has not ended in time has failed for its caller, also
 * for the end of a region; until it ends there is no other one for that name, and what it has obtained then is given
 * back.
 */
final class LeaseTimeouts {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseTimeouts.class);

    private final Vertx vertx;
    /** Belongs to no verticle: a timer would end with it. */
    private final ContextInternal context;

    private final long patience;
    /** The names whose last request has not ended. */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    /** @param patience how long a request may take, in milliseconds */
    LeaseTimeouts(Vertx vertx, long patience) {
        this.vertx = vertx;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.patience = patience;
    }

    /** @param made of the provider, for this name */
    ShardLease lease(String name, ShardLease made) {
        return new ShardLease() {
            @Override
            public Future<Boolean> acquire(Consumer<Throwable> lost) {
                AtomicBoolean over = new AtomicBoolean();
                Consumer<Throwable> heard = reason -> {
                    if (!over.get()) {
                        lost.accept(reason);
                    }
                };
                return request(name, () -> made.acquire(heard), late -> {
                    over.set(true);
                    return late.failed() || Boolean.TRUE.equals(late.result())
                            ? UserCode.call(made::release)
                            : Future.succeededFuture();
                });
            }

            @Override
            public Future<Void> release() {
                return request(name, made::release, late -> Future.succeededFuture());
            }
        };
    }

    private interface Late<T> {
        /** Handles an answer that comes after the timeout. */
        Future<Void> came(AsyncResult<T> answer);
    }

    private <T> Future<T> request(String name, Supplier<Future<T>> call, Late<T> late) {
        if (!busy.add(name)) {
            return Future.failedFuture(timedOut("the last request for lease " + name + " has not ended yet"));
        }
        Promise<T> timely = Promise.promise();
        AtomicBoolean decided = new AtomicBoolean();
        long timer = context.setTimer(patience, ignored -> {
            if (decided.compareAndSet(false, true)) {
                timely.fail(timedOut("no answer from the provider of lease " + name + " for " + patience + " ms"));
            }
        });
        UserCode.call(call).onComplete(answer -> {
            vertx.cancelTimer(timer);
            if (decided.compareAndSet(false, true)) {
                busy.remove(name);
                timely.handle(answer);
            } else {
                late.came(answer).onComplete(done -> {
                    LOG.info("late answer of the provider of lease {}, after the timeout: {}", name, answer);
                    busy.remove(name);
                });
            }
        });
        return timely.future();
    }

    private static ShardingException timedOut(String text) {
        return new ShardingException(FailureCode.TIMED_OUT, text);
    }
}
