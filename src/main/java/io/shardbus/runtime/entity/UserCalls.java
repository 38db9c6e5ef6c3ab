package io.shardbus.runtime.entity;

import io.shardbus.EntityFailure;
import io.shardbus.ExecutionModel;
import io.shardbus.core.entity.EntityOwner;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls the user's code in one shard: on the lane, or on a thread of its own, from where the call comes back to
 * the lane.
 */
final class UserCalls {
    /** Continuation at the end of a call of the user's code. On the lane. */
    interface Ending {
        void ended(@Nullable Object value, @Nullable Throwable failure, boolean threw);
    }

    /** The entity whose code is called. */
    interface Called {
        String id();

        /** The number of the live instance; 0 for none. Any thread. */
        long life();

        /** The continuation of a call has thrown: the call ends as a failure. On the lane. */
        void endBroken(Throwable fault);

        /** So many more calls of its code are on threads of their own, or fewer. On the lane. */
        void onThreads(int change);
    }

    /** Failure of a call that did not begin, as the lease had ended. */
    static final class LeaseOver extends RuntimeException {
        private static final long serialVersionUID = 1;

        LeaseOver() {
            super("the lease ended before there was a thread for it", null, false, false);
        }
    }

    private final EntityHost<?> host;
    private final EntityLane lane;
    private final EntityOwner owner;
    private final long stay;

    UserCalls(EntityHost<?> host, EntityLane lane, EntityOwner owner) {
        this.host = host;
        this.lane = lane;
        this.owner = owner;
        this.stay = lane.stay();
    }

    /** Calls code that may begin under a lease only. */
    void call(Called entity, Callable<Future<?>> code, Ending ending) {
        if (host.definition.execution() == ExecutionModel.EVENT_LOOP) {
            callHere(entity, code, ending);
            return;
        }
        onThread(entity, () -> {
            if (mayBegin()) {
                callOnThread(entity, code, ending);
            } else {
                comeBack(entity, entity.life(), () -> ending.ended(null, new LeaseOver(), false));
            }
        });
    }

    /** Goes on with code whose call has come back to the lane before; see {@link HostedContext#goOn}. */
    <T> Future<T> goOn(Called entity, Supplier<Future<T>> code) {
        if (host.definition.execution() == ExecutionModel.EVENT_LOOP) {
            return lateIfThrown(code);
        }
        long of = entity.life();
        Promise<T> ended = Promise.promise();
        onThread(entity, () -> {
            Future<T> going = mayBegin() ? lateIfThrown(code) : Future.failedFuture(new LeaseOver());
            comeBack(entity, of, () -> going.onComplete(result -> lane.execute((on, now) -> ended.handle(result))));
        });
        return ended.future();
    }

    private static <T> Future<T> lateIfThrown(Supplier<Future<T>> code) {
        try {
            return code.get();
        } catch (Throwable e) {
            // also a checked exception, which Future.await throws undeclared
            return Future.failedFuture(new LateThrow(e));
        }
    }

    /** Calls code that ends an instance, with a lease or without. */
    void callAtEnd(Called entity, Callable<Future<?>> code, Ending ending) {
        if (host.definition.execution() == ExecutionModel.EVENT_LOOP) {
            callHere(entity, code, ending);
        } else {
            onThread(entity, () -> callOnThread(entity, code, ending));
        }
    }

    private void callHere(Called entity, Callable<Future<?>> code, Ending ending) {
        try {
            await(entity, host.run(entity.id(), code), ending);
        } catch (Throwable e) {
            fail(entity, e, ending);
        }
    }

    private void onThread(Called entity, Runnable run) {
        entity.onThreads(1);
        Executor threads = host.virtualThreads;
        if (threads == null) {
            host.vertx.executeBlocking(
                    () -> {
                        run.run();
                        return null;
                    },
                    false);
        } else {
            threads.execute(run);
        }
    }

    /**
     * It may have waited for its thread for long, or the process was frozen meanwhile: the shard may have another home.
     */
    private boolean mayBegin() {
        return !owner.isLost() && host.hasLease(stay);
    }

    private void callOnThread(Called entity, Callable<Future<?>> code, Ending ending) {
        long of = entity.life();
        try {
            Future<?> future = host.run(entity.id(), code);
            comeBack(entity, of, () -> await(entity, future, ending));
        } catch (Throwable e) {
            comeBack(entity, of, () -> fail(entity, e, ending));
        }
    }

    /** The code has returned from its thread; its result counts only if its instance is still the live one. */
    private void comeBack(Called entity, long of, Runnable then) {
        lane.execute((on, now) -> {
            entity.onThreads(-1);
            if (entity.life() == of) {
                then.run();
            }
        });
    }

    void fail(Called entity, Throwable failure, Ending ending) {
        if (!(failure instanceof EntityFailure)) {
            host.logFailure(entity.id(), failure);
        }
        end(entity, ending, null, failure, true);
    }

    private static void end(
            Called entity, Ending ending, @Nullable Object value, @Nullable Throwable failure, boolean threw) {
        try {
            ending.ended(value, failure, threw);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            entity.endBroken(e);
        }
    }

    void await(Called entity, @Nullable Future<?> future, Ending ending) {
        if (future == null) {
            end(entity, ending, null, null, false);
        } else if (future.isComplete()) {
            ended(entity, future.result(), future.cause(), ending);
        } else {
            long of = entity.life();
            // at once on the lane: a later message may be answered within a task that waits there
            future.onComplete(result -> lane.executeNow((on, now) -> {
                if (entity.life() == of) {
                    ended(entity, result.result(), result.cause(), ending);
                }
            }));
        }
    }

    private void ended(Called entity, @Nullable Object value, @Nullable Throwable failure, Ending ending) {
        if (failure instanceof LateThrow late) {
            fail(entity, late.thrown(), ending);
        } else {
            end(entity, ending, value, failure, false);
        }
    }
}
