package io.shardbus;

import io.shardbus.model.CommandId;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;

/**
 * The address of an entity, valid on this node for ever, whether or not an instance is live. May be used from any
 * thread; messages sent through one node to one entity from one thread arrive in that order. Futures complete on the
 * caller's Vert.x context if there is one, else on an event loop of this node: handlers must not block there, and those
 * that do run on a worker thread for a while, with a WARN. Equal by type and id.
 */
public interface EntityRef<M> {
    EntityType<M> type();

    String id();

    /**
     * Sends without an answer, at most once. What cannot be delivered, also because the region has left or sharding is
     * closed, is counted as a dead letter of the region, see {@link TypeState.Region#counters()}; ten in a minute are
     * logged.
     *
     * @throws ShardingException INVALID_MESSAGE for null or a class that the type does not accept; with the option
     *     serializeLocal also PAYLOAD_NOT_ENCODABLE, PAYLOAD_TOO_LARGE and PAYLOAD_NOT_DECODABLE
     */
    void tell(M message);

    /** Asks with the type's default deadline; fails with a {@link ShardingException}, of any {@link FailureCode}. */
    <R> Future<R> ask(Ask<R> message);

    /**
     * Asks with a deadline.
     *
     * @param timeout 1 ms to 1 day
     */
    <R> Future<R> ask(Ask<R> message, Duration timeout);

    /** Asks with a message that does not say what its answer is, such as a JsonObject. */
    <R> Future<R> request(M message, Class<R> answer, Duration timeout);

    /**
     * Asks a persistent entity once with a command that it executes once however often it is sent with this id; the
     * answer is the first one. {@link io.shardbus.delivery.Delivery} repeats it until it is answered.
     *
     * @return fails as {@link #ask(Ask, Duration)}, and with COMMAND_TOO_OLD, COMMAND_ID_REUSED and DELIVERY_REFUSED
     */
    default <R> Future<R> ask(Ask<R> command, CommandId id, Duration timeout) {
        return Future.failedFuture(new ShardingException(
                FailureCode.DELIVERY_REFUSED, "the reference to " + type().name() + "/" + id() + " carries no ids"));
    }

    /** As {@link #ask(Ask, CommandId, Duration)}, with a message that does not say what its answer is. */
    default <R> Future<R> request(M command, Class<R> answer, CommandId id, Duration timeout) {
        return Future.failedFuture(new ShardingException(
                FailureCode.DELIVERY_REFUSED, "the reference to " + type().name() + "/" + id() + " carries no ids"));
    }

    /**
     * Sends a delivery of a numbered producer once to a persistent entity, which executes it once however often it is
     * sent, and after those ahead of it. {@link io.shardbus.delivery.NumberedProducer} keeps the numbers, and repeats
     * it.
     *
     * @return completes when the entity has taken it, now or earlier, without an answer; fails as {@link #ask(Ask,
     *     Duration)}, and with DELIVERY_GAP and DELIVERY_REFUSED
     */
    default Future<Void> deliver(M command, DeliveryNumber number, Duration timeout) {
        return Future.failedFuture(new ShardingException(
                FailureCode.DELIVERY_REFUSED, "the reference to " + type().name() + "/" + id() + " carries no ids"));
    }

    /**
     * Whether senders to this entity should pause, as messages pile up on the way to it: a tenth of the region's buffer
     * waits for its lane here, for a home of its shard, or for the home's answers. A sender that ignores it is refused
     * when the buffer is full (REGION_BUFFER_FULL), or the entity's mailbox is (MAILBOX_FULL); of the buffer a slow
     * home may take three times what it leaves to all others. Any thread.
     */
    boolean writeQueueFull();

    /**
     * Calls the handler once, on the caller's Vert.x context if there is one, when the way is no longer full, or soon
     * if it is not.
     */
    EntityRef<M> drainHandler(Handler<Void> handler);

    /** Starts the entity without a message; completes when an instance is there. */
    Future<EntityLocation> start();
}
