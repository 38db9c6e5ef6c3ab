package io.shardbus.runtime.reminder;

import io.shardbus.ShardingException;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.persistence.spi.ReminderStore.Settled;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivery of some reminders of a type. A round settles answered reminders in the store, reads the first ones, and
 * delivers those that are due and not under way. A reminder of a slow entity stays under way, one of at most {@link
 * #MOST}, and does not delay the others. Used on one event loop, one round at a time; results of the store, which may
 * complete on another thread, return to this event loop.
 */
public final class DueReminders {
    /** Limit of the reminders under way at a time, and of those that a round reads. */
    public static final int MOST = 100;

    /** Pause in milliseconds after an attempt whose message may not have arrived, as while its shard has no home. */
    public static final long AGAIN_MS = 1_000;

    /** Pause in milliseconds after the entity's code has failed, or the message could not be decoded here. */
    public static final long FAILED_MS = 10_000;

    /**
     * Failures that end a reminder: of its answer, after the message took effect, or of a message that cannot be sent.
     */
    private static final Set<FailureCode> UNCARRIED =
            EnumSet.of(FailureCode.PAYLOAD_NOT_ENCODABLE, FailureCode.PAYLOAD_TOO_LARGE);

    private static final Logger LOG = LoggerFactory.getLogger(DueReminders.class);

    private final String type;
    private final PersistenceStore store;
    private final Source source;
    private final Delivery delivery;
    private final LongSupplier wall;
    private final long pollMs;
    private final Runnable answered;
    private final LogPace pace;
    private final Set<Key> underWay = new HashSet<>();
    /** Outcomes of reminders under way that are not settled in the store yet. */
    private final List<Settled> settled = new ArrayList<>();
    /** Number of reminders that were due in the last round, at most {@link #MOST}. */
    private volatile int waiting;

    /** Reads the first reminders that are not done, in the order of their due times. */
    public interface Source {
        /** @param type the store's number of the type */
        Future<List<Reminder>> first(int type);
    }

    /**
     * Sends the message of a reminder; the future completes or fails with the entity's answer, within a bounded time.
     */
    public interface Delivery {
        Future<Void> deliver(Reminder reminder);

        /** Counts a delivery that failed and is repeated. */
        default void failed() {}
    }

    private record Key(String id, String name) {
        static Key of(Reminder reminder) {
            return new Key(reminder.id(), reminder.name());
        }
    }

    /**
     * @param wall milliseconds since 1970
     * @param pollMs the longest pause between rounds, in milliseconds
     * @param answered runs when a reminder was answered or has failed
     */
    public DueReminders(
            String type,
            PersistenceStore store,
            Source source,
            Delivery delivery,
            LongSupplier wall,
            long pollMs,
            Runnable answered) {
        this.type = type;
        this.store = store;
        this.source = source;
        this.delivery = delivery;
        this.wall = wall;
        this.pollMs = pollMs;
        this.answered = answered;
        this.pace = new LogPace(wall);
    }

    /** Runs a round; returns the milliseconds until the next one, if no reminder is answered before. */
    public Future<Long> round() {
        return CallerContext.complete(store.reader().type(type))
                .compose(known -> known == null
                        ? Future.succeededFuture(pollMs)
                        : settle(known)
                                .compose(done -> CallerContext.complete(source.first(known)))
                                .map(this::begin));
    }

    /** Number of reminders that were due in the last round, at most {@link #MOST}; any thread. */
    public int waiting() {
        return waiting;
    }

    /** Whether outcomes are to be settled: a round is due now. */
    public boolean hasAnswers() {
        return !settled.isEmpty();
    }

    /** Settles answered reminders, and delivers none; true if none is under way any more. */
    public Future<Boolean> finish() {
        return CallerContext.complete(store.reader().type(type))
                .compose(known -> known == null ? Future.succeededFuture() : settle(known))
                .map(done -> underWay.isEmpty());
    }

    private Future<Void> settle(int number) {
        if (settled.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Settled> now = List.copyOf(settled);
        return CallerContext.complete(store.reminders().settle(number, now)).onSuccess(done -> {
            settled.removeAll(now);
            now.forEach(one -> underWay.remove(Key.of(one.reminder())));
        });
    }

    private long begin(List<Reminder> first) {
        long now = wall.getAsLong();
        waiting = (int) first.stream().filter(reminder -> reminder.due() <= now).count();
        for (Reminder reminder : first) {
            if (reminder.due() > now) {
                return Math.min(pollMs, reminder.due() - now);
            }
            if (underWay.size() < MOST && underWay.add(Key.of(reminder))) {
                deliver(reminder);
            }
        }
        return pollMs;
    }

    private void deliver(Reminder reminder) {
        // a thrown exception or Error of the codec fails this reminder only
        CallerContext.complete(Future.succeededFuture(reminder).compose(delivery::deliver))
                .onComplete(answer -> {
                    settled.add(new Settled(reminder, answer.succeeded() ? 0 : nextTry(reminder, answer.cause())));
                    answered.run();
                });
    }

    /** When the reminder is due again, in milliseconds since 1970; 0 if it is done. */
    private long nextTry(Reminder reminder, Throwable failure) {
        if (failure instanceof ShardingException refusal && refusal.entityCode() != null) {
            return 0;
        }
        if (failure instanceof ShardingException refusal && UNCARRIED.contains(refusal.code())) {
            LOG.error(
                    "type={}: the reminder '{}' of {} is dropped: its message or its answer cannot be encoded, or is"
                            + " larger than maxPayloadBytes",
                    type,
                    reminder.name(),
                    reminder.id(),
                    failure);
            return 0;
        }
        if (failure instanceof ShardingException answered && answered.code() == FailureCode.INVALID_ANSWER) {
            LOG.warn(
                    "type={}: the reminder '{}' of {} is done, with a wrong answer",
                    type,
                    reminder.name(),
                    reminder.id(),
                    failure);
            return 0;
        }
        boolean isUnknown = failure instanceof ShardingException other && other.code() != FailureCode.ENTITY_FAILED;
        long pause = isUnknown ? AGAIN_MS : FAILED_MS;
        delivery.failed();
        warn(
                "the reminder '" + reminder.name() + "' of " + reminder.id() + " failed, retry in " + pause + " ms",
                failure);
        return wall.getAsLong() + pause;
    }

    public void warn(String what, Throwable cause) {
        if (pace.admits()) {
            LOG.warn("type={}: {}{}", type, what, pace.note(), cause);
        }
    }
}
