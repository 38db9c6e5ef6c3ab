package io.shardbus.delivery;

import io.shardbus.core.persistence.QueueRoom;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * Partition of a delivery queue. It stores each batch once, while it has room, and answers with the number of
 * unconfirmed commands, or with one of the constants here.
 */
final class QueuePartition implements EventSourcedEntity<QueueBatch, QueuedCommand, QueueState> {
    /** There is no room for the batch; nothing of it is stored. */
    static final long REFUSED = -1;
    /** The session is unknown, and the batch is not its first: the batch may have been stored before. */
    static final long UNKNOWN_SESSION = -2;
    /**
     * Nothing of the batch is stored. Commands were on their way to the store when the partition counted, so it may
     * have room: the sender repeats the batch.
     */
    static final long UNCERTAIN = -3;

    private final IntFunction<Future<Long>> unconfirmed;
    private final LongSupplier clock;
    private final QueueRoom room = new QueueRoom();
    /** Sequence number up to which the store has all commands. */
    private long stored;

    /**
     * @param unconfirmed reads from the store how many commands of a shard are not confirmed
     * @param clock elapsed milliseconds
     */
    QueuePartition(IntFunction<Future<Long>> unconfirmed, LongSupplier clock) {
        this.unconfirmed = unconfirmed;
        this.clock = clock;
    }

    @Override
    public QueueState emptyState() {
        return QueueState.EMPTY;
    }

    @Override
    public void recovered(QueueState state, PersistenceContext<QueueBatch> context) {
        stored = context.sequenceNumber();
    }

    @Override
    public Effect<QueuedCommand, QueueState> handle(
            QueueState state, QueueBatch message, PersistenceContext<QueueBatch> context) {
        List<QueuedCommand> batch = message.commands();
        if (!batch.isEmpty()) {
            long number = batch.get(0).number();
            long last = state.last(batch.get(0).session());
            if (number <= last) {
                return reply(room.unconfirmed(context.sequenceNumber()));
            }
            if (last == 0 && number != 1) {
                return reply(UNKNOWN_SESSION);
            }
        }
        if (!room.isLookDue(context.sequenceNumber(), batch.size(), clock.getAsLong())) {
            return decide(batch, context);
        }
        return after(look(context).map(looked -> decide(batch, context)));
    }

    /** Reads from the store how many commands are not confirmed; {@link QueueRoom} adds those that are being stored. */
    private Future<Void> look(PersistenceContext<QueueBatch> context) {
        long sequence = stored;
        long underWay = context.sequenceNumber() - sequence;
        return CallerContext.complete(unconfirmed.apply(context.shard())).transform(shown -> {
            if (shown.succeeded()) {
                room.looked(shown.result(), sequence, underWay, clock.getAsLong());
                return Future.succeededFuture();
            }
            room.failed(clock.getAsLong());
            return room.isKnown()
                    ? Future.succeededFuture()
                    : Future.failedFuture(new CodedFailure(
                            FailureCode.STORE_UNAVAILABLE,
                            "the number of unconfirmed commands cannot be read: " + shown.cause()));
        });
    }

    private Effect<QueuedCommand, QueueState> decide(
            List<QueuedCommand> batch, PersistenceContext<QueueBatch> context) {
        long sequence = context.sequenceNumber();
        if (batch.isEmpty()) {
            return reply(room.unconfirmed(sequence));
        }
        if (room.admits(sequence, batch.size())) {
            return persist(batch)
                    .thenRun(state -> stored = context.sequenceNumber())
                    .thenReply(state -> room.unconfirmed(sequence + batch.size()));
        }
        return reply(room.isExact() ? REFUSED : UNCERTAIN);
    }

    @Override
    public QueueState apply(QueueState state, QueuedCommand command) {
        return state.after(command);
    }
}
