package io.shardbus;

import io.vertx.core.Vertx;
import java.time.Duration;

/** What an instance knows of itself. Valid for the life of the instance; to be used from the entity's own calls. */
public interface EntityContext<M> {
    EntityType<M> type();

    String id();

    int shard();

    NodeId node();

    /** The token of the shard's assignment: pass it to outside stores, they refuse whoever comes with a lower one. */
    FencingToken token();

    /** Different for every start of an instance, in the whole cluster. */
    String incarnation();

    StartReason startReason();

    /** A reference to this entity, whatever instance is live. */
    EntityRef<M> self();

    Vertx vertx();

    /** Asks for this instance to be put away once its mailbox is done; messages that come later start another one. */
    void passivate();

    /**
     * Sends this instance a message after a delay. Cancelled when the instance stops.
     *
     * @param delay at least 1 ms
     * @return a number for {@link #cancelTimer(long)}
     */
    long setTimer(Duration delay, M message);

    /** As {@link #setTimer(Duration, Object)}, again and again. */
    long setPeriodicTimer(Duration period, M message);

    /** Whether the timer was still to fire. */
    boolean cancelTimer(long timer);
}
