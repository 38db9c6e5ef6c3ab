package io.shardbus.delivery;

import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.core.persistence.DeliveryLine;
import io.shardbus.logging.LogPace;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the entries of a durable sequence, such as a journal or a partition of a topic, to persistent entities. Each
 * entry takes effect once; entries for one entity take effect in the order of their numbers. An entry is sent again
 * with its number until it is settled: its entity has executed it, or its refusal is recorded. Up to 16 entries to one
 * entity are under way at a time. After a restart the program creates a producer of the same name, which begins at the
 * first entry that is not known to be settled, with the same numbers. Any thread; handlers are called on one Vert.x
 * context.
 */
public final class NumberedProducer implements AutoCloseable {
    /** Limit of the deliveries that are not settled; further ones are refused. */
    public static final int MOST_UNSETTLED = 10_000;
    /** Number of deliveries that are not settled from which on {@link #writeQueueFull} is true. */
    public static final int FULL = MOST_UNSETTLED / 2;

    /** Longest time for which an attempt waits for its answer: the node that got the attempt may be frozen. */
    private static final Duration ATTEMPT = Duration.ofSeconds(5);
    /** Failures that every later attempt would have as well. */
    private static final Set<FailureCode> FINAL = EnumSet.of(
            FailureCode.PAYLOAD_NOT_ENCODABLE,
            FailureCode.PAYLOAD_TOO_LARGE,
            FailureCode.INVALID_ID,
            FailureCode.INVALID_MESSAGE);

    private static final Logger LOG = LoggerFactory.getLogger(NumberedProducer.class);

    private final Vertx vertx;
    private final Context context;
    private final String name;
    private final int most;
    private final LogPace pace;
    private final ElapsedClock clock;
    private final AtomicInteger unsettled = new AtomicInteger();
    /** The lines with deliveries that are not settled, by entity; changed on the context. */
    private final Map<EntityRef<?>, Line> lines = new ConcurrentHashMap<>();

    private long last;
    /** The entities to which the last number was delivered. */
    private final Set<EntityRef<?>> targetsOfLast = new HashSet<>();

    private @Nullable Handler<Void> drain;
    private volatile boolean isClosed;

    NumberedProducer(Vertx vertx, String name, int most) {
        this(vertx, name, most, new ElapsedClock());
    }

    private NumberedProducer(Vertx vertx, String name, int most, ElapsedClock clock) {
        this(vertx, name, most, clock, new LogPace(clock::now));
    }

    NumberedProducer(Vertx vertx, String name, int most, ElapsedClock clock, LogPace pace) {
        this.clock = clock;
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.name = DeliveryNumber.checkProducer(name);
        this.most = most;
        this.pace = pace;
        Backlog.on(vertx).add(this, Backlog.Kind.DELIVERIES, name, unsettled::get);
    }

    /** One attempt to send a message, with its number and within a time. */
    interface Attempt {
        Future<?> send(DeliveryNumber number, Duration timeout);
    }

    /**
     * Delivers a command. After a failure it is sent again: first after 100 ms, then after pauses that double up to 5
     * s. An entity that stores nothing, or knows 4,096 other producers, refuses each attempt with DELIVERY_REFUSED: its
     * deliveries stay unsettled until the producer is closed.
     *
     * @param number at least 1; above all earlier numbers for the same entity, and not below any earlier number
     * @param refused called when the entity's own code refuses the command, or the command or its id is invalid, cannot
     *     be encoded or is too large; may be called several times. When its future succeeds, the delivery is settled
     *     and later ones go on. Record the refusal before that: if the delivery is sent again after a restart, it may
     *     be confirmed without an effect. When its future fails, the command is sent again
     * @return completes when the delivery is settled. Fails at once with DELIVERY_REFUSED if 10,000 deliveries are not
     *     settled, or if the reference cannot send deliveries, as one to another data center; fails with
     *     IllegalArgumentException for a number out of order; and with SHUTTING_DOWN, the last failure as its cause, if
     *     the producer is closed before
     */
    public <M> Future<Void> deliver(
            long number, EntityRef<M> target, M command, Function<ShardingException, Future<?>> refused) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(refused, "refused");
        return CallerContext.complete(
                deliver(number, target, refused, (tag, timeout) -> target.deliver(command, tag, timeout)));
    }

    Future<Void> deliver(
            long number, EntityRef<?> target, Function<ShardingException, Future<?>> refused, Attempt attempt) {
        Promise<Void> settled = Promise.promise();
        if (unsettled.incrementAndGet() > most) {
            unsettled.decrementAndGet();
            return Future.failedFuture(new ShardingException(
                    FailureCode.DELIVERY_REFUSED,
                    "producer '" + name + "' has " + most
                            + " deliveries that are not settled: wait for its drainHandler"));
        }
        context.runOnContext(now -> {
            Entry entry = new Entry(attempt, refused, settled);
            if (isClosed) {
                over(entry, closed(number, target, entry));
                return;
            }
            try {
                line(number, target).add(number, entry);
            } catch (IllegalArgumentException e) {
                over(entry, e);
            }
        });
        return settled.future();
    }

    private Line line(long number, EntityRef<?> target) {
        if (number < Math.max(1, last)) {
            throw new IllegalArgumentException("delivery " + number + " of producer '" + name + "' comes after " + last
                    + ": numbers must begin at 1 or higher and must not decrease");
        }
        if (number > last) {
            last = number;
            targetsOfLast.clear();
        }
        if (!targetsOfLast.add(target)) {
            throw new IllegalArgumentException(
                    "delivery " + number + " of producer '" + name + "' to " + target + " was given before");
        }
        return lines.computeIfAbsent(target, Line::new);
    }

    /** Whether the caller should wait for {@link #drainHandler}: true while 5,000 deliveries are not settled. */
    public boolean writeQueueFull() {
        return unsettled.get() >= FULL;
    }

    /**
     * Calls the handler once, on the producer's context, when {@link #writeQueueFull} is no longer true, or soon if it
     * is not true now. A later handler replaces one that still waits, which is then never called.
     */
    public NumberedProducer drainHandler(Handler<Void> handler) {
        context.runOnContext(now -> {
            drain = handler;
            drained();
        });
        return this;
    }

    /** Number of deliveries that are not settled. */
    public int unsettled() {
        return unsettled.get();
    }

    /** The first delivery that is not settled, and its last failure; for a log line, on the context. */
    String first() {
        return lines.values().stream()
                .flatMap(Line::texts)
                .min(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .orElse("");
    }

    /** Number of entities with deliveries that are not settled. */
    int lines() {
        return lines.size();
    }

    /**
     * Stops sending. Deliveries that are not settled fail with SHUTTING_DOWN; those that were sent may still arrive and
     * take effect. May be repeated.
     */
    @Override
    public void close() {
        isClosed = true;
        Backlog.on(vertx).remove(this);
        context.runOnContext(now -> {
            List<Line> open = new ArrayList<>(lines.values());
            lines.clear();
            open.forEach(Line::close);
        });
    }

    private ShardingException closed(long number, EntityRef<?> target, Entry entry) {
        String text =
                "producer '" + name + "' was closed before delivery " + number + " to " + target + " was confirmed";
        Throwable cause = entry.failure;
        return new ShardingException(
                FailureCode.SHUTTING_DOWN,
                cause == null ? text : text + "; attempt " + entry.failures + " failed: " + cause,
                cause);
    }

    /**
     * Ends a delivery. Its future completes in a task of its own: a handler of the caller that throws must not hold up
     * the other deliveries.
     */
    private void over(Entry entry, @Nullable Throwable failure) {
        unsettled.decrementAndGet();
        context.runOnContext(now -> {
            if (failure == null) {
                entry.settled.complete();
            } else {
                entry.settled.fail(failure);
            }
        });
        drained();
    }

    private void drained() {
        Handler<Void> waiting = drain;
        if (waiting != null && !writeQueueFull()) {
            drain = null;
            context.runOnContext(now -> waiting.handle(null));
        }
    }

    /** A delivery that is not settled; on the context. */
    private static final class Entry {
        private final Attempt attempt;
        private final Function<ShardingException, Future<?>> refused;
        private final Promise<Void> settled;
        private int failures;
        private @Nullable Throwable failure;

        Entry(Attempt attempt, Function<ShardingException, Future<?>> refused, Promise<Void> settled) {
            this.attempt = attempt;
            this.refused = refused;
            this.settled = settled;
        }
    }

    /** Deliveries to one entity; on the context. */
    private final class Line {
        private final EntityRef<?> target;
        private final DeliveryLine numbers = new DeliveryLine();
        private final Map<Long, Entry> entries = new HashMap<>();
        private long timer = -1;

        Line(EntityRef<?> target) {
            this.target = target;
        }

        void add(long number, Entry entry) {
            numbers.offer(number);
            entries.put(number, entry);
            send();
        }

        Stream<Map.Entry<Long, String>> texts() {
            return entries.entrySet().stream().map(entry -> Map.entry(entry.getKey(), text(entry.getValue())));
        }

        private String text(Entry entry) {
            Throwable last = entry.failure;
            return "to " + target + (last == null ? ", which has not answered" : ", which failed last with " + last);
        }

        void send() {
            if (isClosed) {
                return;
            }
            Optional<DeliveryLine.Attempt> next = numbers.next(clock.now());
            while (next.isPresent()) {
                send(next.get());
                next = numbers.next(clock.now());
            }
            numbers.wakeAt().ifPresent(this::wake);
        }

        private void wake(long at) {
            vertx.cancelTimer(timer);
            timer = vertx.setTimer(Math.max(1, at - clock.now()), fired -> send());
        }

        private void send(DeliveryLine.Attempt numbered) {
            long number = numbered.number();
            Entry entry = entries.get(number);
            if (entry == null) {
                throw new IllegalStateException("delivery " + number + " has no command");
            }
            var tag = new DeliveryNumber(name, number, numbered.previous());
            Future<Object> sent =
                    UserCode.call(() -> entry.attempt.send(tag, ATTEMPT).mapEmpty());
            // a failure that is there at once is the reference's own, not the entity's
            boolean isNeverCarried =
                    sent.cause() instanceof ShardingException refusal && refusal.code() == FailureCode.DELIVERY_REFUSED;
            sent.onComplete(answer -> context.runOnContext(now -> {
                if (answer.succeeded() || isNeverCarried) {
                    settled(number, answer.cause());
                } else {
                    failed(number, entry, answer.cause());
                }
            }));
        }

        private void failed(long number, Entry entry, Throwable failure) {
            if (!entries.containsKey(number)) {
                return;
            }
            if (!(failure instanceof ShardingException refusal)
                    || refusal.entityCode() == null && !FINAL.contains(refusal.code())) {
                again(number, entry, failure);
                return;
            }
            UserCode.call(() -> entry.refused.apply(refusal).mapEmpty())
                    .onComplete(noted -> context.runOnContext(now -> {
                        if (noted.succeeded()) {
                            settled(number, null);
                        } else {
                            again(number, entry, noted.cause());
                        }
                    }));
        }

        private void again(long number, Entry entry, Throwable failure) {
            entry.failures++;
            entry.failure = failure;
            // an attempt that timed out has already taken 5 s
            boolean isTold = entry.failures > 1 || isTimeout(failure);
            if (isTold && entries.containsKey(number) && pace.admits()) {
                LOG.warn(
                        "producer={} number={}: attempt {} to deliver to {} failed: {}; retrying, later deliveries to"
                                + " that entity wait: fix the cause, or close the producer{}",
                        name,
                        number,
                        entry.failures,
                        target,
                        failure,
                        pace.note());
            }
            numbers.failed(number, clock.now());
            send();
        }

        private static boolean isTimeout(Throwable failure) {
            return failure instanceof ShardingException known && known.code() == FailureCode.TIMED_OUT;
        }

        /** @param failure why the delivery is abandoned; null if it was executed, or its refusal is recorded */
        private void settled(long number, @Nullable Throwable failure) {
            Entry entry = entries.remove(number);
            if (entry == null) {
                return;
            }
            numbers.settled(number);
            if (numbers.isEmpty()) {
                vertx.cancelTimer(timer);
                lines.remove(target, this);
            }
            send();
            over(entry, failure);
        }

        void close() {
            vertx.cancelTimer(timer);
            Map<Long, Entry> open = new HashMap<>(entries);
            entries.clear();
            open.forEach((number, entry) -> over(entry, closed(number, target, entry)));
        }
    }
}
