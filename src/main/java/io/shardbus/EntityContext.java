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
 * for the life of the instance; to be used from the entity's own calls. When the instance has ended, even if another
 * one lives by then, timers and the stash fail with a {@link io.shardbus.ShardingException} of code {@link
 * FailureCode#ENTITY_STOPPED}, and a passivation or a stop has no effect.
 */
public interface EntityContext<M> {
    EntityType<M> type();

    String id();

    int shard();

    NodeId node();

    /**
     * The fencing token of the shard's assignment: pass it to external stores, which refuse writes with a lower token.
     */
    FencingToken token();

    /** Different for every start of an instance, in the whole cluster. */
    String incarnation();

    StartReason startReason();

    /** A reference to this entity, for the instance that is live when a message arrives. */
    EntityRef<M> self();

    /**
     * A reference to an entity of this type, for what this instance sends while it handles a message. A move of the
     * shard waits until its entities have handled their messages, and messages of others wait meanwhile for the next
     * home. A message by this reference to an entity of this instance's own shard does not wait: it is handled here
     * until the last of these messages is handled, also where it is sent after an asynchronous step. With a reference
     * of {@link ClusterSharding} the answer to such an ask would wait for the move, and the move for the answer, until
     * the ask times out.
     *
     * <p>Messages by this reference keep their order among themselves; they may overtake messages that were sent by
     * other references. Once this instance has ended, and to entities of other shards, it sends as any other reference.
     * May be used from any thread.
     *
     * @throws io.shardbus.ShardingException INVALID_ID for an id that no entity can have
     */
    EntityRef<M> entityRef(String entityId);

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
     * Passivates this instance when the messages that wait now are handled. Messages that come later, also while it
     * stops, go to another instance, which starts at once if there are any.
     */
    void passivate();

    /**
     * Passivates this instance as {@link #passivate()} does, with this last message in place of the type's stop
     * message. If the instance ends before, by a move or a failure, it does not get this message.
     */
    void passivate(M stopMessage);

    /**
     * As {@link #passivate()}, but right after the message that is being handled: messages in the mailbox and stashed
     * messages go to another instance, which starts at once if there are any.
     */
    void stop();

    /**
     * Sends this instance a message after a delay. The timer is cancelled when the instance stops. It does not keep an
     * idle entity from being passivated: see {@link #setTimer(Duration, Object, boolean)}. No timer survives a stop of
     * its node: a persistent entity sets a reminder instead.
     *
     * @param delay at least 1 ms
     * @return a number for {@link #cancelTimer(long)}
     */
    default long setTimer(Duration delay, M message) {
        return setTimer(delay, message, false);
    }

    /**
     * As {@link #setTimer(Duration, Object)}.
     *
     * @param keepAlive whether the entity does not count as idle until the message is handled or the timer is
     *     cancelled. A limit of active entities, {@link #passivate()}, a failure and a move end it all the same.
     */
    long setTimer(Duration delay, M message, boolean keepAlive);

    /** Sends this instance a message after each period, until the timer is cancelled or the instance stops. */
    default long setPeriodicTimer(Duration period, M message) {
        return setPeriodicTimer(period, message, false);
    }

    /**
     * As {@link #setPeriodicTimer(Duration, Object)}; with {@code keepAlive} the entity does not count as idle until
     * the timer is cancelled.
     */
    long setPeriodicTimer(Duration period, M message, boolean keepAlive);

    /**
     * Cancels a timer: its message is not handled any more, also if the timer has fired and the message waits in the
     * mailbox. False where there is no such timer, as the message of one that fires once is handled or lost, or the
     * timer was cancelled before.
     */
    boolean cancelTimer(long timer);

    /**
     * Sends this instance a message when it has got no message for the timeout, and again after each further such time,
     * until the receive timeout is cancelled or set again, or the instance stops. Messages of its own timers, and this
     * message, do not count. The time does not run while a message is being handled or waits.
     *
     * @param timeout at least 1 ms
     */
    void setReceiveTimeout(Duration timeout, M message);

    void cancelReceiveTimeout();

    /**
     * Stashes the message that is being handled, with its ask, when the handling ends; the result of the handling is
     * then ignored. If the handling fails, the message is not stashed and its ask fails. If as many messages are
     * stashed as may wait in the mailbox, the message is refused with {@link FailureCode#MAILBOX_FULL}.
     *
     * <p>A stashed message counts as waiting: the deadline of its ask keeps running, it delays the move of the shard,
     * and the next instance after a restart or a passivation gets it first. When the waiting messages are failed, it is
     * failed, too.
     *
     * @throws IllegalStateException when called outside of {@link Entity#receive}
     */
    void stash();

    /** Puts all stashed messages before the waiting ones, in the order in which they were stashed. */
    void unstashAll();

    /** Refuses all stashed messages with {@link FailureCode#ENTITY_STOPPED}. */
    void discardStash();
}
