package io.shardbus.runtime.node;

import io.shardbus.EntityRef;
import io.shardbus.InternalMessage;
import io.shardbus.ShardingException;
import io.shardbus.core.hosting.NewEntityLimit;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a type for plain event-bus clients: one address, the id in a header, messages as JSON or as they are.
 */
final class EventBusBridge<M> {
    /** The header that names the entity. */
    static final String ID_HEADER = "entity-id";

    private final RegionHandle<M> region;
    private final NewEntityLimit newEntities;
    private final BusTransport transport;
    private volatile BusTransport.@Nullable Registration registration;

    EventBusBridge(RegionHandle<M> region, BusTransport transport) {
        this.region = region;
        int perSecond = region.settings().options().node().getBusNewEntitiesPerSecond();
        this.newEntities = new NewEntityLimit(perSecond, region.clock().now());
        this.transport = transport;
    }

    /** Begins to receive; completes when the cluster knows the address. */
    Future<Void> open() {
        String type = region.type().name();
        BusTransport.Registration opened =
                transport.receiveEntityMessages(type, ID_HEADER, this::receive, EventBusBridge::refusal);
        registration = opened;
        return opened.ready();
    }

    /** Closes the address on this node: other nodes serve the clients from now on. */
    Future<Void> close() {
        BusTransport.Registration opened = registration;
        registration = null;
        return opened == null ? Future.succeededFuture() : opened.close();
    }

    private void receive(BusTransport.EntityMessage message) {
        EntityRef<M> entity;
        M body;
        try {
            entity = region.entityRef(message.entityId());
            body = message(message.body());
            requirePublic(body);
            region.check(body);
        } catch (ShardingException e) {
            refuse(message, e);
            return;
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            refuse(
                    message,
                    new ShardingException(
                            FailureCode.INVALID_MESSAGE, "the type's codec failed: " + FaultText.whole(e), e));
            return;
        }
        if (!newEntities.admits(message.entityId(), region.clock().now())) {
            region.counters().busEntityRefused();
            message.answer().accept(null, tooMany());
            return;
        }
        send(message, entity, body);
    }

    private static void requirePublic(Object body) {
        if (body instanceof InternalMessage) {
            throw new ShardingException(
                    FailureCode.INTERNAL_MESSAGE,
                    body.getClass().getSimpleName() + " is an InternalMessage, which event-bus clients may not send");
        }
    }

    private static ShardingException tooMany() {
        return new ShardingException(
                FailureCode.TOO_MANY_NEW_ENTITIES,
                "event-bus clients address more new entities per second than busNewEntitiesPerSecond allows on "
                        + "this node");
    }

    private void send(BusTransport.EntityMessage message, EntityRef<M> entity, M body) {
        if (message.commandId() != null) {
            sendIdentified(message, message.commandId(), body);
            return;
        }
        if (message.wantsAnswer()) {
            Duration timeout = Duration.ofMillis(region.settings().times().ask());
            entity.request(body, Object.class, timeout).map(this::toJson).onComplete(message.answer()::accept);
            return;
        }
        try {
            entity.tell(body);
        } catch (ShardingException e) {
            message.answer().accept(null, e);
        }
    }

    /** A command id is for commands that are repeated until they are answered; a message without an answer is not. */
    private void sendIdentified(BusTransport.EntityMessage message, String commandId, M body) {
        CommandId id;
        try {
            id = CommandId.parse(commandId);
        } catch (IllegalArgumentException e) {
            refuse(message, "the header command-id: " + e.getMessage());
            return;
        }
        long now = region.clock().wallMillis();
        if (id.isAheadOf(now)) {
            region.counters().busMessageRefused();
            message.answer().accept(null, new ShardingException(FailureCode.COMMAND_TOO_EARLY, id.aheadOf(now)));
            return;
        }
        if (!message.wantsAnswer()) {
            refuse(message, "the header command-id is for requests: send it with one");
            return;
        }
        region.requestOfBus(message.entityId(), body, id).map(this::toJson).onComplete(message.answer()::accept);
    }

    private void refuse(BusTransport.EntityMessage message, String why) {
        refuse(message, new ShardingException(FailureCode.INVALID_MESSAGE, why));
    }

    private void refuse(BusTransport.EntityMessage message, ShardingException why) {
        region.counters().busMessageRefused();
        message.answer().accept(null, why);
    }

    private @Nullable Object toJson(@Nullable Object answer) {
        try {
            return region.codec().toJson(answer);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            throw new ShardingException(FailureCode.PAYLOAD_NOT_ENCODABLE, FaultText.message(e), e);
        }
    }

    @SuppressWarnings("unchecked")
    private M message(@Nullable Object body) {
        if (body != null && region.codec().accepts(body)) {
            return (M) body;
        }
        if (body instanceof JsonObject json) {
            try {
                return region.codec().fromJson(json);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                throw new ShardingException(FailureCode.INVALID_MESSAGE, FaultText.message(e), e);
            }
        }
        throw new ShardingException(FailureCode.INVALID_MESSAGE, "the body is neither a message of the type nor JSON");
    }

    /** The number of the {@link FailureCode}, 0 for anything else; the entity's own code begins the text. */
    private static BusTransport.Refusal refusal(Throwable failure) {
        String text = FaultText.message(failure);
        if (!(failure instanceof ShardingException sharding)) {
            return new BusTransport.Refusal(0, text);
        }
        String begin = sharding.entityCode() == null ? "" : sharding.entityCode() + ": ";
        return new BusTransport.Refusal(sharding.code().number(), text.startsWith(begin) ? text : begin + text);
    }
}
