package io.shardbus;

import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StartReason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * Handle of an entity instance on itself: its id, shard, token and incarnation, its timers, and its passivation. Valid
 * for the life of the instance; to be used from the entity's own calls. Once the instance has ended, also where the
 * next one lives by then, timers and the stash are refused with a {@link io.shardbus.ShardingException} of code
 * {@link FailureCode#ENTITY_STOPPED}, and a passivation or a stop does nothing.
 */
public interface EntityContext<M> {
    EntityType<M> type();

    String id();

    int shard();

    NodeId node();

    /** The token of the shard's assignment: pass it to outside stores, they refuse writes with a lower one. */
    FencingToken token();

    /** Different for every start of an instance, in the whole cluster. */
    String incarnation();

    StartReason startReason();

    /** A reference to this entity, for the instance that is live when a message arrives. */
    EntityRef<M> self();

    Vertx vertx();

    /**
     * The answer to an ask, of the class that the ask says: {@code return context.reply(get, value)}. The compiler
     * checks it; an answer of another class, given with {@link Entity#reply}, fails the ask with
     * {@link FailureCode#INVALID_ANSWER}.
     */
    default <R> Future<R> reply(Ask<R> ask, R answer) {
        return Future.succeededFuture(answer);
    }

    /**
     * Asks for this instance to be passivated once the messages that wait now are handled; those that come later, also
     * while it stops, are for another instance, which starts at once where there are any.
     */
    void passivate();

    /**
     * The same, with a last message of its own in place of the stop message of the type. Where the instance ends
     * otherwise before, for a move or a failure, it does not get this message.
     */
    void passivate(M stopMessage);

    /**
     * As {@link #passivate}, but right after the message in hand: what waits in the mailbox, and what is stashed, is
     * for another instance, which starts at once where there is any.
     */
    void stop();

    /**
     * Sends this instance a message after a delay. Cancelled when the instance stops, and an entity that is idle is put
     * away though its timer would have fired later: see {@link #setTimer(Duration, Object, boolean)}. No timer outlives
     * a stop of its node: what must happen then belongs in a store.
     *
     * @param delay at least 1 ms
     * @return a number for {@link #cancelTimer(long)}
     */
    default long setTimer(Duration delay, M message) {
        return setTimer(delay, message, false);
    }

    /**
     * The same.
     *
     * @param keepAlive whether the entity is not passivated for being idle before the message is handled or the timer
     *     is cancelled. A limit of active entities, {@link #passivate()}, a failure and a move end it all the same.
     */
    long setTimer(Duration delay, M message, boolean keepAlive);

    /** As {@link #setTimer(Duration, Object)}, again and again. */
    default long setPeriodicTimer(Duration period, M message) {
        return setPeriodicTimer(period, message, false);
    }

    /** The same; with {@code keepAlive} the entity is not passivated for being idle before the timer is cancelled. */
    long setPeriodicTimer(Duration period, M message, boolean keepAlive);

    /** Whether the timer was still to fire. */
    boolean cancelTimer(long timer);

    /**
     * Sends this instance a message whenever nothing has come for so long; what its own timers send does not count, nor
     * does this message. Again after each further silence, until it is cancelled, set anew, or the instance stops.
     * While a message is being handled or waits there is no silence.
     *
     * @param timeout at least 1 ms
     */
    void setReceiveTimeout(Duration timeout, M message);

    void cancelReceiveTimeout();

    /**
     * Puts the message in hand aside, with its ask, once its handling ends; what the handling answers then is ignored.
     * If the handling fails the message is not stashed, its ask fails. If as many messages are stashed as may wait in
     * the mailbox, the message is refused with {@link FailureCode#MAILBOX_FULL}.
     *
     * <p>A stashed message counts as one that waits: the deadline of its ask goes on, it holds up the move of the
     * shard, and an instance that follows after a restart or a passivation gets it first. Where what waits is failed,
     * it is, too.
     *
     * @throws IllegalStateException when called outside of {@link Entity#receive}
     */
    void stash();

    /** Puts all stashed messages before what waits, in the order in which they were stashed. */
    void unstashAll();

    /** Refuses all stashed messages with {@link FailureCode#ENTITY_STOPPED}. */
    void discardStash();
}
