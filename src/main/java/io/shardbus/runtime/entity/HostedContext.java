package io.shardbus.runtime.entity;

import io.shardbus.transport.PayloadWire;
import io.vertx.core.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Context of the library's own entities, beyond that of a user's; each {@code EntityContext} of a region is one. */
public interface HostedContext {
    /** The lane on which the entity lives. */
    EntityLane lane();

    /**
     * The message in hand is decided on: its answer comes later, and the next message may come. On the lane, before the
     * future of the message is complete; void after the instance has ended.
     */
    void decided();

    /**
     * Goes on with the code for the message in hand, on a thread as the definition says. On the lane.
     *
     * @return ends on the lane, and not at all if the instance has ended by then; with a {@link LateThrow} where the
     *     code throws
     */
    <T> Future<T> goOn(Supplier<Future<T>> code);

    /** Whether a message is in hand, or waits. On the lane. */
    boolean isWanted();

    /**
     * Sets the action for a message that comes while the instance starts; it replaces the action before. On the lane;
     * void when the instance ends.
     *
     * @param action null for nothing
     */
    void whenWanted(@Nullable Runnable action);

    int numberOfShards();

    /** Version of the message extractor, which maps ids to shards; any thread. */
    String addressing();

    /** The forms of commands and answers as bytes; any thread. */
    PayloadWire payloads();

    /** Limit of the bytes of a message that travels between nodes; any thread. */
    int maxPayloadBytes();

    /** Of the type on this node; any thread. */
    EntityCounters counters();
}
