package io.shardbus.delivery;

import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.core.persistence.QueueRoom;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.clock.FreshNumbers;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sender of one node to one partition of a delivery queue. It sends one batch at a time, again with the same number
 * until the partition answers or the deadlines of the commands have passed. On one context.
 */
final class QueueLine {
    /** Limit of the commands in a batch. */
    static final int MOST = 256;

    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5_000;
    private static final long LOOK_MS = 100;
    private static final Duration ATTEMPT = Duration.ofSeconds(5);
    /** After these failures nothing was stored; after other retried failures the batch may be stored. */
    private static final Set<FailureCode> NOT_STORED = EnumSet.of(
            FailureCode.STORE_UNAVAILABLE,
            FailureCode.SUPERSEDED,
            FailureCode.REGION_BUFFER_FULL,
            FailureCode.MAILBOX_FULL);

    private final Vertx vertx;
    private final Context context;
    private final EntityRef<QueueBatch> partition;
    private final int mostBytes;
    private final LongSupplier clock;
    private final Told told;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    /** The batch under way; empty if there is none. */
    private List<Waiting> batch = List.of();

    private QueueBatch message = new QueueBatch(List.of());
    private long session = FreshNumbers.next();
    private long number;
    /** Whether an attempt for the batch may have stored it. */
    private boolean isUncertain;

    private long pause;
    /** Number of next commands to send one by one, because the batch that had them was refused. */
    private int alone;

    private long unconfirmed;
    private long timer = -1;
    private boolean isLooking;
    private boolean isClosed;

    /** A command that is not stored. */
    record Waiting(String type, String id, Buffer payload, long deadline, Promise<Void> stored) {
        int bytes() {
            // three bytes of UTF-8 for a character at most
            return QueuedCommand.OVERHEAD + 3 * (type.length() + id.length()) + payload.length();
        }
    }

    /** Takes the outcome of each command. */
    interface Told {
        /** @param failure null: it is stored */
        void over(Waiting command, @Nullable ShardingException failure);

        /** @param isFull whether producers should wait, as the partition has {@link QueueRoom#FULL} commands */
        void full(boolean isFull);
    }

    /**
     * @param mostBytes of a batch, unless its one command is larger
     * @param clock elapsed milliseconds
     */
    QueueLine(
            Vertx vertx,
            Context context,
            EntityRef<QueueBatch> partition,
            int mostBytes,
            LongSupplier clock,
            Told told) {
        this.vertx = vertx;
        this.context = context;
        this.partition = partition;
        this.mostBytes = mostBytes;
        this.clock = clock;
        this.told = told;
    }

    void add(Waiting command) {
        waiting.addLast(command);
        send();
    }

    private void send() {
        if (!batch.isEmpty() || isClosed) {
            return;
        }
        expire();
        if (waiting.isEmpty()) {
            look();
            return;
        }
        batch = take();
        isUncertain = false;
        pause = FIRST_PAUSE_MS;
        attempt(number + 1);
    }

    private void expire() {
        long now = clock.getAsLong();
        while (!waiting.isEmpty() && waiting.peekFirst().deadline() <= now) {
            told.over(
                    waiting.removeFirst(),
                    new ShardingException(
                            FailureCode.TIMED_OUT,
                            partition + " did not answer in time: the command was not sent and is not stored; deliver"
                                    + " it again"));
        }
    }

    /** The next batch: as many commands as the partition has room for, by its last answer. */
    private List<Waiting> take() {
        long most = alone > 0 ? 1 : Math.max(1, Math.min(MOST, QueueRoom.MOST - unconfirmed));
        alone = Math.max(0, alone - 1);
        List<Waiting> taken = new ArrayList<>();
        int bytes = 0;
        while (taken.size() < most && !waiting.isEmpty()) {
            bytes += waiting.peekFirst().bytes();
            if (!taken.isEmpty() && bytes > mostBytes) {
                break;
            }
            taken.add(waiting.removeFirst());
        }
        return taken;
    }

    /** Begins the first attempt for a batch, which gets this number. */
    private void attempt(long next) {
        number = next;
        message = message(next);
        attempt();
    }

    private QueueBatch message(long next) {
        return new QueueBatch(batch.stream()
                .map(one -> new QueuedCommand(session, next, one.type(), one.id(), one.payload()))
                .toList());
    }

    private void attempt() {
        if (isClosed) {
            return;
        }
        partition
                .request(message, Long.class, ATTEMPT)
                .onComplete(answer -> context.runOnContext(now -> {
                    if (isClosed) {
                        return;
                    }
                    if (answer.succeeded()) {
                        answered(answer.result());
                    } else {
                        failed(answer.cause());
                    }
                }));
    }

    private void answered(long answer) {
        if (answer >= 0) {
            shown(answer);
            over(null);
        } else if (answer == QueuePartition.UNCERTAIN) {
            failed(new ShardingException(
                    FailureCode.STORE_UNAVAILABLE,
                    partition + " stores other commands, and does not know yet whether it has room for more"));
        } else if (isUncertain) {
            over(unknown("an attempt had no answer, and a later one was answered with '"
                    + (answer == QueuePartition.REFUSED ? "no room" : "unknown session") + "'"));
        } else if (answer == QueuePartition.UNKNOWN_SESSION) {
            session = FreshNumbers.next();
            attempt(1);
        } else {
            shown(QueueRoom.MOST);
            over(new ShardingException(
                    FailureCode.DELIVERY_REFUSED,
                    partition + " has " + QueueRoom.MOST + " commands that are not confirmed: wait for the queue's"
                            + " drainHandler, or find out why its targets do not confirm them"));
        }
    }

    private void failed(Throwable failure) {
        FailureCode code = failure instanceof ShardingException known ? known.code() : FailureCode.ENTITY_FAILED;
        if (!DeliveryRef.REPEATED.contains(code)) {
            ended(failure, code);
            return;
        }
        isUncertain |= !NOT_STORED.contains(code);
        late(isUncertain ? unknown("the last failure: " + failure.getMessage()) : failure(code, failure));
        if (batch.isEmpty()) {
            send();
        } else {
            timer = vertx.setTimer(pause, again -> attempt());
            pause = Math.min(LONGEST_PAUSE_MS, 2 * pause);
        }
    }

    /**
     * Ends the commands whose deadline comes before the next attempt. If no attempt can have stored the batch, those
     * commands are not sent again.
     */
    private void late(ShardingException failure) {
        long next = clock.getAsLong() + pause;
        List<Waiting> late =
                batch.stream().filter(one -> one.deadline() <= next).toList();
        if (late.isEmpty()) {
            return;
        }
        batch = batch.stream().filter(one -> one.deadline() > next).toList();
        if (!isUncertain) {
            message = message(number);
        }
        late.forEach(one -> told.over(one, failure));
    }

    /** Every later attempt with the same batch would fail, too. */
    private void ended(Throwable failure, FailureCode code) {
        if (isUncertain) {
            over(unknown("the last failure: " + failure.getMessage()));
        } else if (batch.size() == 1) {
            over(failure(code, failure));
        } else {
            // one command is the cause; sent one by one, the others are stored
            alone = batch.size();
            for (int i = batch.size() - 1; i >= 0; i--) {
                waiting.addFirst(batch.get(i));
            }
            batch = List.of();
            send();
        }
    }

    private ShardingException failure(FailureCode code, Throwable cause) {
        return new ShardingException(code, "not stored by " + partition + ": " + cause.getMessage(), cause);
    }

    private ShardingException unknown(String why) {
        return new ShardingException(
                FailureCode.OUTCOME_UNKNOWN,
                partition + " may have stored the command, which is then delivered; " + why
                        + ". Ask its target before you deliver the command again");
    }

    /** @param failure null: the batch is stored */
    private void over(@Nullable ShardingException failure) {
        List<Waiting> ended = batch;
        batch = List.of();
        ended.forEach(one -> told.over(one, failure));
        send();
    }

    private void shown(long now) {
        boolean wasFull = unconfirmed >= QueueRoom.FULL;
        unconfirmed = now;
        boolean isFull = unconfirmed >= QueueRoom.FULL;
        if (wasFull != isFull) {
            told.full(isFull);
        }
    }

    /**
     * Asks a full partition how many commands are not confirmed, until it has room: waiting producers send no batch
     * whose answer would show that.
     */
    private void look() {
        if (unconfirmed < QueueRoom.FULL || isLooking) {
            return;
        }
        isLooking = true;
        timer = vertx.setTimer(
                LOOK_MS,
                now -> partition
                        .request(new QueueBatch(List.of()), Long.class, ATTEMPT)
                        .onComplete(answer -> context.runOnContext(told -> {
                            isLooking = false;
                            if (isClosed) {
                                return;
                            }
                            if (answer.succeeded() && batch.isEmpty()) {
                                shown(answer.result());
                            }
                            send();
                        })));
    }

    void close(ShardingException notStored, ShardingException unknown) {
        isClosed = true;
        vertx.cancelTimer(timer);
        List.copyOf(batch).forEach(one -> told.over(one, unknown));
        waiting.forEach(one -> told.over(one, notStored));
        batch = List.of();
        waiting.clear();
        // no command waits for room any more
        shown(0);
    }
}
