package io.shardbus.reminder;

import io.shardbus.ShardingException;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.persistence.spi.ReminderStore.Settled;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: it has some parts of a type's reminders. In a round it reads the first of them, delivers those that are
 * due, and settles them in the store. One timer waits for the next round: until the first reminder is due, and for a
 * poll interval at most, as entities on other nodes may set earlier ones.
 */
final class ReminderWorker extends VerticleBase {
    /** Reminders of one read, all of which may be under way. */
    static final int PAGE = 100;

    static final long POLL_MS = 500;
    /** Where the message may not have arrived, as while its shard has no home. */
    static final long AGAIN_MS = 1_000;

    /** Where the entity's code has failed. */
    static final long FAILED_MS = 10_000;

    private static final long LONGEST_STOP_MS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(ReminderWorker.class);

    private final String type;
    private final PersistenceStore store;
    private final List<Integer> parts;
    private final Delivery delivery;
    private final LongSupplier wall;
    private final LogPace pace;
    private boolean stopped;
    private long timer = -1;
    private Future<?> round = Future.succeededFuture();

    /** Brings a message to its entity; the future ends with the entity's answer, within a bounded time. */
    interface Delivery {
        Future<Void> deliver(Reminder reminder);
    }

    /** @param wall milliseconds since 1970 */
    ReminderWorker(String type, PersistenceStore store, List<Integer> parts, Delivery delivery, LongSupplier wall) {
        this.type = type;
        this.store = store;
        this.parts = parts;
        this.delivery = delivery;
        this.wall = wall;
        this.pace = new LogPace(wall);
    }

    @Override
    public Future<?> start() {
        begin();
        return Future.succeededFuture();
    }

    /** Waits for what is under way, for a bounded time: what is not settled is delivered again by the next worker. */
    @Override
    public Future<?> stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        return round.timeout(LONGEST_STOP_MS, TimeUnit.MILLISECONDS).otherwiseEmpty();
    }

    private void begin() {
        Future<Long> next = round();
        round = next;
        next.onComplete(ended -> {
            if (ended.failed()) {
                warn("waits for its store", ended.cause());
            }
            if (!stopped) {
                timer = vertx.setTimer(ended.succeeded() ? ended.result() : POLL_MS, again -> begin());
            }
        });
    }

    private void warn(String what, Throwable cause) {
        if (pace.admits()) {
            LOG.warn("type={}: a worker of reminders {}{}", type, what, pace.note(), cause);
        }
    }

    /** Milliseconds until the next round. */
    Future<Long> round() {
        return store.reader()
                .type(type)
                .compose(known -> known == null
                        ? Future.succeededFuture(POLL_MS)
                        : store.reminders().first(known, parts, PAGE).compose(first -> deliver(known, first)));
    }

    private Future<Long> deliver(int number, List<Reminder> first) {
        long now = wall.getAsLong();
        List<Reminder> due =
                first.stream().filter(reminder -> reminder.due() <= now).toList();
        if (due.isEmpty()) {
            long until = first.isEmpty() ? POLL_MS : first.get(0).due() - now;
            return Future.succeededFuture(Math.min(POLL_MS, until));
        }
        List<Future<Settled>> settled = new ArrayList<>();
        due.forEach(reminder -> settled.add(settled(reminder)));
        return Future.all(settled)
                .compose(all -> store.reminders().settle(number, all.list()))
                .map(done -> 1L);
    }

    /** What becomes of a reminder; does not fail. */
    private Future<Settled> settled(Reminder reminder) {
        Future<Void> delivered;
        try {
            delivered = delivery.deliver(reminder);
        } catch (RuntimeException e) {
            // bytes that the codec does not know, or a type that is not started here
            delivered = Future.failedFuture(e);
        }
        return delivered.map(new Settled(reminder, 0)).otherwise(failure -> {
            if (failure instanceof ShardingException refusal && refusal.entityCode() != null) {
                return new Settled(reminder, 0);
            }
            boolean isUnknown = failure instanceof ShardingException other && other.code() != FailureCode.ENTITY_FAILED;
            long pause = isUnknown ? AGAIN_MS : FAILED_MS;
            warn("brings '" + reminder.name() + "' to " + reminder.id() + " again in " + pause + " ms", failure);
            return new Settled(reminder, wall.getAsLong() + pause);
        });
    }
}
