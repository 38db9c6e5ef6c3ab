package io.shardbus.delivery;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reference to a persistent entity that sends each command again until the entity has answered it. Any thread; futures
 * complete on the caller's Vert.x context if there is one.
 */
public final class DeliveryRef<M> {
    /** Retried failures: the command was not executed, or its outcome is unknown, and a later attempt may succeed. */
    static final Set<FailureCode> REPEATED = EnumSet.of(
            FailureCode.TIMED_OUT,
            FailureCode.OUTCOME_UNKNOWN,
            FailureCode.REGION_BUFFER_FULL,
            FailureCode.MAILBOX_FULL,
            FailureCode.SHUTTING_DOWN,
            FailureCode.NOT_IN_MAJORITY,
            FailureCode.ENTITY_STOPPED,
            FailureCode.STORE_UNAVAILABLE,
            FailureCode.SUPERSEDED);

    private static final long FIRST_PAUSE_MS = 100;
    private static final long LONGEST_PAUSE_MS = 5_000;
    /** Longest time for which an attempt waits for its answer: the node that got the attempt may be frozen. */
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(5);

    private static final Duration LONGEST_DEADLINE = Duration.ofDays(1);

    private final Vertx vertx;
    private final EntityRef<M> entity;

    DeliveryRef(Vertx vertx, EntityRef<M> entity) {
        this.vertx = vertx;
        this.entity = entity;
    }

    /** The entity to which the commands are sent. */
    public EntityRef<M> entity() {
        return entity;
    }

    /**
     * Sends the command until the entity answers it. If the entity has executed the command before, it gives the same
     * answer again, or null if that answer was longer than 1 KiB. An attempt waits 5 s for its answer. The first pause
     * between two attempts is 100 ms; each further one is twice as long, up to 5 s.
     *
     * <p>Retried are TIMED_OUT, OUTCOME_UNKNOWN, REGION_BUFFER_FULL, MAILBOX_FULL, SHUTTING_DOWN, NOT_IN_MAJORITY,
     * ENTITY_STOPPED, STORE_UNAVAILABLE and SUPERSEDED.
     *
     * @param id the same for the same command, also in a later call and on another node
     * @param deadline from now, 1 ms to 1 day
     * @return fails at once with any other failure, such as ENTITY_FAILED, COMMAND_TOO_OLD, COMMAND_TOO_EARLY,
     *     COMMAND_ID_REUSED, STATE_UNREADABLE, or DELIVERY_REFUSED by an entity that stores nothing. After
     *     ENTITY_FAILED, a refusal or not, nothing is stored, and the command may be sent again with its id. Fails with
     *     TIMED_OUT at the deadline: then the command may have been executed, and may be sent again
     * @throws IllegalArgumentException for another deadline
     */
    public <R> Future<R> ask(Ask<R> command, CommandId id, Duration deadline) {
        return deliver(id, deadline, timeout -> entity.ask(command, id, timeout));
    }

    /** As {@link #ask}, with a message that is no {@link Ask}, such as a JsonObject. */
    public <R> Future<R> request(M command, Class<R> answer, CommandId id, Duration deadline) {
        return deliver(id, deadline, timeout -> entity.request(command, answer, id, timeout));
    }

    private <R> Future<R> deliver(CommandId id, Duration deadline, Function<Duration, Future<R>> attempt) {
        if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(LONGEST_DEADLINE) > 0) {
            throw new IllegalArgumentException("a deadline of " + deadline + ": use 1 ms to 1 day");
        }
        Delivering<R> delivering = new Delivering<>(id, deadline, attempt);
        delivering.begin();
        return delivering.answer.future();
    }

    /** A command until it is answered, has failed, or its deadline has passed. */
    private final class Delivering<R> {
        private final CommandId id;
        private final Duration deadline;
        private final Function<Duration, Future<R>> attempt;
        private final Promise<R> answer = Promise.promise();
        private long pause = FIRST_PAUSE_MS;
        private final AtomicInteger attempts = new AtomicInteger();
        private volatile @Nullable Throwable last;

        Delivering(CommandId id, Duration deadline, Function<Duration, Future<R>> attempt) {
            this.id = id;
            this.deadline = deadline;
            this.attempt = attempt;
        }

        void begin() {
            long timer = vertx.setTimer(deadline.toMillis(), fired -> answer.tryFail(late()));
            answer.future().onComplete(over -> vertx.cancelTimer(timer));
            send();
        }

        private void send() {
            if (answer.future().isComplete()) {
                return;
            }
            attempts.incrementAndGet();
            attempt.apply(deadline.compareTo(LONGEST_ATTEMPT) < 0 ? deadline : LONGEST_ATTEMPT)
                    .onSuccess(answer::tryComplete)
                    .onFailure(this::failed);
        }

        private void failed(Throwable failure) {
            if (!(failure instanceof ShardingException refusal) || !REPEATED.contains(refusal.code())) {
                answer.tryFail(failure);
                return;
            }
            last = failure;
            vertx.setTimer(pause, fired -> send());
            pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
        }

        private ShardingException late() {
            String to = entity.type().name() + "/" + entity.id();
            String text = to + " has not answered command '" + id.key() + "' in " + deadline.toMillis() + " ms, sent "
                    + attempts.get() + " times; it may have been executed, and may be sent again";
            Throwable cause = last;
            return new ShardingException(
                    FailureCode.TIMED_OUT, cause == null ? text : text + ". The last failure: " + cause.getMessage());
        }
    }
}
