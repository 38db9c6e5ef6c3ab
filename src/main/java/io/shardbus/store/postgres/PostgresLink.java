package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, made with the first call and again after it was lost. Used on one event loop. Statements are sent in
 * the order of the calls without waiting for each other's answers. When a call gets no answer in time, when the
 * connection breaks, or its server takes no writes, it is closed, and all calls that are under way fail.
 */
final class PostgresLink {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresLink.class);

    private final Vertx vertx;
    private final PgConnectOptions options;
    private final String store;
    private final long timeoutMs;
    private final Runnable isReadOnly;
    private final Set<Promise<?>> underWay = new LinkedHashSet<>();
    private @Nullable Future<PgConnection> connecting;
    private boolean closed;

    /** @param isReadOnly called when the server has refused a write, as it takes none */
    PostgresLink(Vertx vertx, PgConnectOptions options, String store, long timeoutMs, Runnable isReadOnly) {
        this.isReadOnly = isReadOnly;
        this.vertx = vertx;
        this.options = options;
        this.store = store;
        this.timeoutMs = timeoutMs;
    }

    Future<RowSet<Row>> send(String statement, Tuple parameters) {
        return run(connection -> connection.preparedQuery(statement).execute(parameters));
    }

    /** Sends statements on the connection, and ends within the time limit. */
    <T> Future<T> run(Function<PgConnection, Future<T>> call) {
        if (closed) {
            return Future.failedFuture(new StoreException(Kind.UNREACHABLE, store + " is closed"));
        }
        Promise<T> promise = Promise.promise();
        underWay.add(promise);
        long timer = vertx.setTimer(
                timeoutMs,
                late -> fail(
                        promise,
                        new StoreException(
                                Kind.UNREACHABLE,
                                store + " did not answer within " + timeoutMs + " ms (storeTimeoutMs)")));
        connected().compose(call).onComplete(answer -> {
            vertx.cancelTimer(timer);
            if (answer.succeeded()) {
                underWay.remove(promise);
                promise.tryComplete(answer.result());
            } else {
                fail(promise, PostgresFailures.of(store, answer.cause()));
            }
        });
        return promise.future();
    }

    private void fail(Promise<?> promise, StoreException failure) {
        if (underWay.remove(promise)) {
            promise.tryFail(failure);
            if (failure.kind() == Kind.UNREACHABLE) {
                breakOff(failure);
            } else if (PostgresFailures.isReadOnly(failure.getCause())) {
                // the address may lead to another server by now, as after a failover
                breakOff(new StoreException(Kind.UNREACHABLE, store + " took no writes on the connection, now closed"));
                isReadOnly.run();
            }
        }
    }

    /** The next call connects anew; those under way end on the connection that they have, which is closed then. */
    void leave() {
        Future<PgConnection> left = connecting;
        connecting = null;
        if (left != null) {
            Future.join(underWay.stream().map(Promise::future).toList())
                    .onComplete(ended -> left.onSuccess(connection -> connection
                            .close()
                            .onFailure(e -> LOG.debug("store={} a left connection did not close", store, e))));
        }
    }

    /** Fails all calls that are under way; the next one connects again. */
    private void breakOff(StoreException failure) {
        Future<PgConnection> broken = connecting;
        connecting = null;
        if (broken != null) {
            broken.onSuccess(connection -> connection
                    .close()
                    .onFailure(e -> LOG.debug("store={} a broken connection did not close in good order", store, e)));
        }
        List<Promise<?>> failed = List.copyOf(underWay);
        underWay.clear();
        failed.forEach(promise -> promise.tryFail(failure));
    }

    private Future<PgConnection> connected() {
        Future<PgConnection> current = connecting;
        if (current == null) {
            Future<PgConnection> made = PgConnection.connect(vertx, options)
                    .recover(failure -> Future.failedFuture(PostgresFailures.ofConnecting(store, failure)));
            connecting = made;
            current = made;
            made.onFailure(failure -> {
                if (connecting == made) {
                    connecting = null;
                }
            });
            made.onSuccess(connection -> connection.closeHandler(lost -> {
                if (connecting == made) {
                    breakOff(new StoreException(Kind.UNREACHABLE, store + " closed the connection"));
                }
            }));
        }
        return current;
    }

    /** Lets calls that are under way end, and then closes the connection. */
    Future<Void> close() {
        closed = true;
        return Future.join(underWay.stream().map(Promise::future).toList())
                .transform(ended -> {
                    Future<PgConnection> last = connecting;
                    connecting = null;
                    return last == null ? Future.succeededFuture() : last.compose(PgConnection::close);
                })
                .recover(failure -> Future.succeededFuture());
    }
}
