package io.shardbus.runtime.node;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.logging.LogPace;
import io.shardbus.model.CommandId;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.EntityLocation;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The address of an entity on a node whose sharding is closed: its asks fail, its messages are dead letters. */
final class ClosedReference<M> implements EntityRef<M> {
    private static final Logger LOG = LoggerFactory.getLogger(ClosedReference.class);

    private final EntityType<M> type;
    private final String id;
    private final LogPace pace;

    ClosedReference(EntityType<M> type, String id, LogPace pace) {
        this.type = type;
        this.id = id;
        this.pace = pace;
    }

    @Override
    public EntityType<M> type() {
        return type;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void tell(M message) {
        if (pace.admits()) {
            LOG.warn(
                    "type={}: dead letter for entity {}: this node's sharding is closed{}",
                    type.name(),
                    id,
                    pace.note());
        }
    }

    @Override
    public <R> Future<R> ask(Ask<R> command, CommandId commandId, Duration timeout) {
        return refused();
    }

    @Override
    public <R> Future<R> request(M command, Class<R> answer, CommandId commandId, Duration timeout) {
        return refused();
    }

    @Override
    public Future<Void> deliver(M command, DeliveryNumber number, Duration timeout) {
        return refused();
    }

    private static <R> Future<R> refused() {
        return Future.failedFuture(RegionStarter.closedNode());
    }

    @Override
    public <R> Future<R> ask(Ask<R> message) {
        return refused();
    }

    @Override
    public <R> Future<R> ask(Ask<R> message, Duration timeout) {
        return refused();
    }

    @Override
    public <R> Future<R> request(M message, Class<R> answer, Duration timeout) {
        return refused();
    }

    @Override
    public boolean writeQueueFull() {
        return false;
    }

    /** The way is never full: the handler is called soon. */
    @Override
    public EntityRef<M> drainHandler(Handler<Void> handler) {
        Future.<Void>succeededFuture().onComplete(done -> handler.handle(null));
        return this;
    }

    @Override
    public Future<EntityLocation> start() {
        return refused();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntityRef<?> that && id.equals(that.id()) && type.equals(that.type());
    }

    @Override
    public int hashCode() {
        return type.hashCode() * 31 + id.hashCode();
    }

    @Override
    public String toString() {
        return type.name() + "/" + id;
    }
}
