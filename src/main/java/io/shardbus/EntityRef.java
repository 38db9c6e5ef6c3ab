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
 * The address of an entity, valid on this node for ever, also while no instance is live. May be used from any thread;
 * messages sent through one node to one entity from one thread arrive in that order. Futures complete on the caller's
 * Vert.x context if there is one, else on an event loop of this node. Handlers must not block there; if one does,
 * handlers run on a worker thread for a while, and a WARN is logged. References are equal if type and id are.
 */
public interface EntityRef<M> {
    EntityType<M> type();

    String id();

    /**
     * Sends a message without an answer, at most once. A message that cannot be delivered, also because the region has
     * left or sharding is closed, is counted as a dead letter of the region, see {@link TypeState.Region#counters()};
     * at most ten dead letters a minute are logged.
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

    /** Asks with a message that is no {@link Ask}, such as a JsonObject. */
    <R> Future<R> request(M message, Class<R> answer, Duration timeout);

    /**
     * Sends a command with an id to a persistent entity, once. The entity executes commands of one id once, however
     * often they are sent, and always gives the first answer. {@link io.shardbus.delivery.Delivery} repeats the command
     * until it is answered.
     *
     * @return fails as {@link #ask(Ask, Duration)}, and with COMMAND_TOO_OLD, COMMAND_ID_REUSED and DELIVERY_REFUSED
     */
    default <R> Future<R> ask(Ask<R> command, CommandId id, Duration timeout) {
        return Future.failedFuture(new ShardingException(
                FailureCode.DELIVERY_REFUSED,
                "the reference to " + type().name() + "/" + id() + " sends no command ids and no delivery numbers"));
    }

    /** As {@link #ask(Ask, CommandId, Duration)}, with a message that is no {@link Ask}. */
    default <R> Future<R> request(M command, Class<R> answer, CommandId id, Duration timeout) {
        return Future.failedFuture(new ShardingException(
                FailureCode.DELIVERY_REFUSED,
                "the reference to " + type().name() + "/" + id() + " sends no command ids and no delivery numbers"));
    }

    /**
     * Sends a delivery of a numbered producer to a persistent entity, once. The entity executes a delivery once,
     * however often it is sent, and after the deliveries that precede it. {@link io.shardbus.delivery.NumberedProducer}
     * assigns the order and repeats deliveries.
     *
     * @return completes, without an answer, when the entity has executed the delivery, now or earlier; fails as {@link
     *     #ask(Ask, Duration)}, and with DELIVERY_GAP and DELIVERY_REFUSED
     */
    default Future<Void> deliver(M command, DeliveryNumber number, Duration timeout) {
        return Future.failedFuture(new ShardingException(
                FailureCode.DELIVERY_REFUSED,
                "the reference to " + type().name() + "/" + id() + " sends no command ids and no delivery numbers"));
    }

    /**
     * Whether senders to this entity should pause, because messages pile up on the way to it: messages that wait for
     * the lane of its shard on this node, for a home of the shard, or for the home's acknowledgement fill a tenth of
     * the lane's buffer. The messages of senders that do not pause fail when the buffer is full (REGION_BUFFER_FULL),
     * or when the mailbox of the entity is full (MAILBOX_FULL). Messages for one slow home fail with REGION_BUFFER_FULL
     * earlier: as soon as they are three times as many as the places that are still free in the buffer. Any thread.
     */
    boolean writeQueueFull();

    /**
     * Calls the handler once, on the caller's Vert.x context if there is one, when {@link #writeQueueFull} is no longer
     * true, or soon if it is not true now.
     */
    EntityRef<M> drainHandler(Handler<Void> handler);

    /** Starts the entity without a message; completes when an instance has started. Fails as {@link #ask(Ask)} does. */
    Future<EntityLocation> start();
}
