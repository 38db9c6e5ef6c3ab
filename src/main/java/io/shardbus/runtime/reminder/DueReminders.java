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
 * Some reminders of a type: in a round it settles those that have been answered, reads the first ones, and delivers
 * those that are due and not under way. One that waits for a slow entity keeps its place among those under
 * way; the others go on. Used on one event loop, one round at a time: a store of another Vertx completes its futures
 * elsewhere, so each is brought back.
 */
public final class DueReminders {
    /** Under way at a time, and read at once. */
    public static final int MOST = 100;

    /**
     * Pause in milliseconds before a message is sent again that may not have arrived, as while its shard has no home.
     */
    public static final long AGAIN_MS = 1_000;

    /** Pause in milliseconds after the entity's code has failed, or the message cannot be read. */
    public static final long FAILED_MS = 10_000;

    /** Of the answer, after the message has taken effect, or of a message that can never arrive. */
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
    /** Of those under way: what is not noted in the store yet. */
    private final List<Settled> settled = new ArrayList<>();
    /** Reminders that were due at the last look, at most {@link #MOST}. */
    private volatile int waiting;

    /** Reads the first reminders that are not done, in the order of their times. */
    public interface Source {
        /** @param type the store's number of the type */
        Future<List<Reminder>> first(int type);
    }

    /** Brings a message to its entity; the future ends with the entity's answer, within a bounded time. */
    public interface Delivery {
        Future<Void> deliver(Reminder reminder);

        /** Counts one that is brought again. */
        default void failed() {}
    }

    private record Key(String id, String name) {
        static Key of(Reminder reminder) {
            return new Key(reminder.id(), reminder.name());
        }
    }

    /**
     * @param wall milliseconds since 1970
     * @param pollMs the longest pause between rounds
     * @param answered told when one was answered
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

    /** Milliseconds until the next round, if nothing is answered before. */
    public Future<Long> round() {
        return CallerContext.complete(store.reader().type(type))
                .compose(known -> known == null
                        ? Future.succeededFuture(pollMs)
                        : settle(known)
                                .compose(done -> CallerContext.complete(source.first(known)))
                                .map(this::begin));
    }

    /** Number of reminders that were due at the last look, at most {@link #MOST}; any thread. */
    public int waiting() {
        return waiting;
    }

    /** Whether there is something to note: it is time for a round. */
    public boolean hasAnswers() {
        return !settled.isEmpty();
    }

    /** Settles answered reminders, and delivers no more; completes when none is under way. */
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
        // what is thrown is a failure as well, an Error of the codec, too: it costs this reminder alone
        CallerContext.complete(Future.succeededFuture(reminder).compose(delivery::deliver))
                .onComplete(answer -> {
                    settled.add(new Settled(reminder, answer.succeeded() ? 0 : nextTry(reminder, answer.cause())));
                    answered.run();
                });
    }

    /** The time when it is due again; 0 if it is done. */
    private long nextTry(Reminder reminder, Throwable failure) {
        if (failure instanceof ShardingException refusal && refusal.entityCode() != null) {
            return 0;
        }
        if (failure instanceof ShardingException refusal && UNCARRIED.contains(refusal.code())) {
            LOG.error(
                    "type={}: the reminder '{}' of {} is over, as its answer, or its message, cannot travel between"
                            + " nodes; give answers that the type's codec encodes",
                    type,
                    reminder.name(),
                    reminder.id(),
                    failure);
            return 0;
        }
        if (failure instanceof ShardingException answered && answered.code() == FailureCode.INVALID_ANSWER) {
            warn(
                    "the reminder '" + reminder.name() + "' of " + reminder.id() + " is done, with a wrong answer",
                    failure);
            return 0;
        }
        boolean isUnknown = failure instanceof ShardingException other && other.code() != FailureCode.ENTITY_FAILED;
        long pause = isUnknown ? AGAIN_MS : FAILED_MS;
        delivery.failed();
        warn(
                "the reminder '" + reminder.name() + "' of " + reminder.id() + " failed, next try in " + pause + " ms",
                failure);
        return wall.getAsLong() + pause;
    }

    public void warn(String what, Throwable cause) {
        if (pace.admits()) {
            LOG.warn("type={}: {}{}", type, what, pace.note(), cause);
        }
    }
}
