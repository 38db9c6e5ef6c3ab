package io.shardbus.delivery;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.OffsetStore.Parked;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionBatch;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.UserCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handler of a projection that delivers the commands which follow from stored events. Each log has a {@link
 * NumberedProducer}, named after the projection and the log; the number of a command is the event's position times 256
 * plus the index of the command. So a command to a persistent entity takes effect once, however often workers and
 * entities crash, and commands of one log for one entity take effect in the order of their events. The offset moves up
 * to the first event with a command that is not settled.
 *
 * @param <E> the events
 */
public final class Reaction<E> implements ProjectionHandler<E> {
    /** Limit of the commands of one event; the factor of a position in the numbers of its commands. */
    public static final int MOST_COMMANDS = 256;

    /** Longest time of a batch. After it the worker handles its other logs, and reads this one again. */
    static final long LONGEST_BATCH_MS = 8_000;

    private static final int LOGS_AT_ONCE = 8;

    private static final Logger LOG = LoggerFactory.getLogger(Reaction.class);

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final Function<EventEnvelope<E>, List<? extends EntityCommand<?>>> commands;
    private final boolean isHeldByRefusals;
    private final long batchMs;
    private final ElapsedClock clock;
    private final LogPace pace;
    private final LogPace paceOfLate;
    private final LogPace paceOfRepeated;

    Reaction(
            Vertx vertx,
            ClusterSharding sharding,
            Function<EventEnvelope<E>, List<? extends EntityCommand<?>>> commands,
            boolean isHeldByRefusals,
            long batchMs) {
        this(vertx, sharding, commands, isHeldByRefusals, batchMs, new ElapsedClock());
    }

    Reaction(
            Vertx vertx,
            ClusterSharding sharding,
            Function<EventEnvelope<E>, List<? extends EntityCommand<?>>> commands,
            boolean isHeldByRefusals,
            long batchMs,
            ElapsedClock clock) {
        this.clock = clock;
        this.pace = new LogPace(clock::now);
        this.paceOfLate = new LogPace(clock::now);
        this.paceOfRepeated = new LogPace(clock::now);
        this.vertx = vertx;
        this.sharding = sharding;
        this.commands = Objects.requireNonNull(commands, "commands");
        this.isHeldByRefusals = isHeldByRefusals;
        this.batchMs = batchMs;
    }

    /**
     * A reaction that does not park a command which its entity refuses: it sends the command again until the entity
     * executes it, and the log waits meanwhile.
     */
    public Reaction<E> holdingRefused() {
        return new Reaction<>(vertx, sharding, commands, true, batchMs, clock);
    }

    @Override
    public boolean parksItself() {
        return true;
    }

    /** 8, so that a log whose targets do not answer delays few others. */
    @Override
    public int logsAtOnce() {
        return LOGS_AT_ONCE;
    }

    /**
     * @return false, too, if some commands are not settled in time: then the offset is past the events before the first
     *     of those commands' events
     */
    @Override
    public Future<Boolean> handle(ProjectionBatch<E> batch, OffsetStore offsets) {
        String name = batch.projection() + "/" + batch.log();
        var producer = new NumberedProducer(vertx, name, Integer.MAX_VALUE, clock, paceOfRepeated);
        // on the worker's event loop, as all that follows
        long timer = vertx.setTimer(batchMs, late -> {
            tellLate(batch, producer);
            producer.close();
        });
        return UserCode.call(() -> Future.succeededFuture(deliver(batch, producer, offsets)))
                .compose(byPosition -> Future.join(byPosition.values().stream()
                                .flatMap(List::stream)
                                .toList())
                        .transform(over -> move(batch, byPosition, offsets)))
                .onComplete(over -> {
                    vertx.cancelTimer(timer);
                    producer.close();
                });
    }

    private void tellLate(ProjectionBatch<E> batch, NumberedProducer producer) {
        if (paceOfLate.admits()) {
            LOG.warn(
                    "projection={} log={}: after {} ms {} commands of the {} events from position {} on are not"
                            + " confirmed, the first {}; retrying, later commands for the same entities wait: check"
                            + " whether these entities handle a long message, and whether their homes and their store"
                            + " answer{}",
                    batch.projection(),
                    batch.log(),
                    batchMs,
                    producer.unsettled(),
                    batch.events().size(),
                    batch.before() + 1,
                    producer.first(),
                    paceOfLate.note());
        }
    }

    /** Delivers the commands; returns their results by the position of their events. */
    private NavigableMap<Long, List<Future<Void>>> deliver(
            ProjectionBatch<E> batch, NumberedProducer producer, OffsetStore offsets) {
        NavigableMap<Long, List<Future<Void>>> byPosition = new TreeMap<>();
        for (EventEnvelope<E> event : batch.events()) {
            Place place = new Place(batch, event.position(), offsets);
            List<Future<Void>> settled = byPosition.computeIfAbsent(event.position(), first -> new ArrayList<>());
            for (EntityCommand<?> command : commands.apply(event)) {
                settled.add(deliver(producer, number(event.position(), settled.size()), command, place));
            }
        }
        return byPosition;
    }

    /** Moves the offset past the events before the first one with a command that is not settled. */
    private static Future<Boolean> move(
            ProjectionBatch<?> batch, NavigableMap<Long, List<Future<Void>>> byPosition, OffsetStore offsets) {
        long after = batch.before();
        for (Map.Entry<Long, List<Future<Void>>> event : byPosition.entrySet()) {
            for (Future<Void> settled : event.getValue()) {
                if (settled.failed()) {
                    return after == batch.before()
                            ? Future.failedFuture(settled.cause())
                            : offsets.move(batch.projection(), batch.log(), batch.before(), after, batch.token())
                                    .map(false);
                }
            }
            after = event.getKey();
        }
        return offsets.move(batch.projection(), batch.log(), batch.before(), batch.after(), batch.token());
    }

    private static long number(long position, int place) {
        if (place >= MOST_COMMANDS) {
            throw new IllegalStateException("more than " + MOST_COMMANDS + " commands follow from one event");
        }
        return position * MOST_COMMANDS + place;
    }

    /** Position of a command's event: the batch and the place in its log. */
    private record Place(ProjectionBatch<?> batch, long position, OffsetStore offsets) {}

    private <M> Future<Void> deliver(NumberedProducer producer, long number, EntityCommand<M> command, Place place) {
        EntityRef<M> target;
        try {
            target = sharding.entityRef(command.type(), command.id());
        } catch (ShardingException e) {
            if (e.code() != FailureCode.INVALID_ID) {
                return Future.failedFuture(e);
            }
            String text = command.type().name() + " '" + command.id() + "'";
            return refused(e, text, command.once(), place).mapEmpty();
        }
        return producer.deliver(
                number,
                target,
                refusal -> refused(refusal, target.toString(), command.once(), place),
                (tag, timeout) -> command.once()
                        ? target.deliver(command.message(), tag, timeout)
                        : target.request(command.message(), Object.class, timeout)
                                .recover(Reaction::unlessExecuted));
    }

    /** INVALID_ANSWER says that the command was executed; its answer is not used. */
    private static Future<Object> unlessExecuted(Throwable failure) {
        return failure instanceof ShardingException refusal && refusal.code() == FailureCode.INVALID_ANSWER
                ? Future.succeededFuture()
                : Future.failedFuture(failure);
    }

    private Future<?> refused(ShardingException refusal, String target, boolean isOnce, Place place) {
        if (isHeldByRefusals) {
            return Future.failedFuture(refusal);
        }
        ProjectionBatch<?> batch = place.batch();
        // a failure from another node does not say whether the command or its answer could not be encoded
        boolean mayBeOfAnswer = !isOnce
                && (refusal.code() == FailureCode.PAYLOAD_NOT_ENCODABLE
                        || refusal.code() == FailureCode.PAYLOAD_TOO_LARGE);
        String reason = target + ": " + refusal.getMessage()
                + (mayBeOfAnswer ? " (either the command, which was then not executed, or only its answer)" : "");
        if (pace.admits()) {
            LOG.error(
                    "projection={} log={} parks a command of the event at position {}{}: {}",
                    batch.projection(),
                    batch.log(),
                    place.position(),
                    pace.note(),
                    reason);
        }
        return place.offsets().park(batch.projection(), Parked.of(batch.log(), place.position(), reason));
    }
}
