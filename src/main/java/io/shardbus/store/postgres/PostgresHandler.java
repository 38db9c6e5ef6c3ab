package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionBatch;
import io.shardbus.projection.ProjectionHandler;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Handler that handles each event exactly once: its writes and the move of the offset are one transaction. The tables
 * of the view must be in the database of the given store; the events may be in another one.
 */
public final class PostgresHandler<E> implements ProjectionHandler<E> {
    private static final String NO_FUTURE = "the handler's answer for events";

    private final PostgresStore target;
    private final BiFunction<List<EventEnvelope<E>>, SqlConnection, Future<?>> handler;

    private PostgresHandler(
            PostgresStore target, BiFunction<List<EventEnvelope<E>>, SqlConnection, Future<?>> handler) {
        this.target = target;
        this.handler = handler;
    }

    /**
     * @param target the database of the view; a started store
     * @param handler writes on this connection alone, and neither commits nor rolls back; the next event waits for its
     *     future. If the connection is silent for twice the target's {@code storeTimeoutMs}, it is closed, and the
     *     events come again
     */
    public static <E> PostgresHandler<E> each(
            PostgresStore target, BiFunction<EventEnvelope<E>, SqlConnection, Future<?>> handler) {
        return new PostgresHandler<>(target, (events, connection) -> {
            Future<?> handled = Future.succeededFuture();
            for (EventEnvelope<E> event : events) {
                handled =
                        handled.compose(before -> Objects.requireNonNull(handler.apply(event, connection), NO_FUTURE));
            }
            return handled;
        });
    }

    /**
     * As {@link #each}, with batches of consecutive events of a log, so that one statement can write them all; a
     * statement for each event costs a round trip each.
     *
     * @param target the database of the view; a started store
     * @param handler gets 1 to 500 events in order; after a failure one at a time, so that the failing event is known.
     *     As for {@link #each}, it writes on this connection alone, and neither commits nor rolls back
     */
    public static <E> PostgresHandler<E> batches(
            PostgresStore target, BiFunction<List<EventEnvelope<E>>, SqlConnection, Future<?>> handler) {
        return new PostgresHandler<>(target, handler);
    }

    @Override
    public OffsetStore offsets(OffsetStore ofEvents) {
        return target.offsets();
    }

    @Override
    public Future<Boolean> handle(ProjectionBatch<E> batch, OffsetStore offsets) {
        return target.transaction(connection -> {
            // The offset first: a worker that lost the log writes nothing, and waits for none of its rows.
            Future<Boolean> moved = connection
                    .preparedQuery(Sql.MOVE)
                    .execute(PostgresOffsets.moved(
                            batch.projection(), batch.log(), batch.before(), batch.after(), batch.token()))
                    .map(rows -> rows.rowCount() == 1);
            return moved.compose(isMoved -> isMoved && !batch.events().isEmpty()
                    ? Objects.requireNonNull(handler.apply(batch.events(), connection), NO_FUTURE)
                            .map(true)
                    : Future.succeededFuture(isMoved));
        });
    }
}
