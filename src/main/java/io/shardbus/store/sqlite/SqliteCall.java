package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.StoreException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.SQLException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A call on its way through a thread of the store. Its future completes on the caller's context. */
final class SqliteCall<T> {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteCall.class);

    private final Work<T> work;
    private final Context caller;
    private final Promise<T> promise = Promise.promise();
    /** Taken by the thread, or given up before. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private @Nullable T result;
    private @Nullable StoreException refusal;

    /** Work for the store's thread. */
    interface Work<T> {
        /** @throws StoreException for what the store refuses; nothing of the call is stored then */
        T run(Db db) throws SQLException;
    }

    SqliteCall(Context caller, Work<T> work) {
        this.caller = caller;
        this.work = work;
    }

    Future<T> future() {
        return promise.future();
    }

    /** True once: for the thread that runs the call, or for the caller that gives it up. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    /** Runs the work and keeps its result until {@link #deliver}. */
    void run(Db db) throws SQLException {
        result = work.run(db);
    }

    /** Keeps why the call changed nothing, in place of a result. */
    void refuse(StoreException reason) {
        refusal = reason;
    }

    boolean isRefused() {
        return refusal != null;
    }

    /** Says the result or the refusal, when what the call changed is stored. */
    void deliver() {
        StoreException reason = refusal;
        T value = result;
        try {
            caller.runOnContext(ignored -> {
                if (reason == null) {
                    promise.tryComplete(value);
                } else {
                    promise.tryFail(reason);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("a call has ended after the Vert.x of its caller was closed", e);
        }
    }

    void fail(StoreException reason) {
        refusal = reason;
        deliver();
    }

    /** Fails the call now, on its caller's context; a thread that is at it goes on. */
    void giveUp(StoreException reason) {
        take();
        promise.tryFail(reason);
    }
}
