package io.shardbus.runtime.region;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.model.CommandId;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.EntityLocation;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address of one entity. It outlives its region: when the type is started again on this node, it goes on with the
 * new one.
 */
final class RegionEntityRef<M> implements EntityRef<M> {
    private final EntityType<M> type;
    private final String id;
    private final Origin origin;
    private volatile Target<M> target;

    /** Region that is there now, and the entity's shard in it. */
    private record Target<M>(RegionHandle<M> region, int shard) {}

    /** @param origin the entity that sends by this reference, if the addressed one is of its shard */
    RegionEntityRef(RegionHandle<M> region, String id, int shard, Origin origin) {
        this.origin = origin;
        this.type = region.type();
        this.id = id;
        this.target = new Target<>(region, shard);
    }

    private Target<M> target() {
        Target<M> present = target;
        RegionHandle<M> region = present.region().latest();
        if (region != present.region()) {
            present = new Target<>(region, region.shard(id));
            target = present;
        }
        return present;
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
        Target<M> to = target();
        to.region().check(message);
        to.region().sender().tell(to.shard(), id, message, origin);
    }

    @Override
    public <R> Future<R> ask(Ask<R> message) {
        return send(message, ItemHeaders.NONE, target().region().askTimeout());
    }

    @Override
    public <R> Future<R> ask(Ask<R> message, Duration timeout) {
        return send(message, ItemHeaders.NONE, RegionSender.millis(timeout));
    }

    @Override
    public <R> Future<R> ask(Ask<R> command, CommandId commandId, Duration timeout) {
        return send(command, headers(commandId), RegionSender.millis(timeout));
    }

    @Override
    public <R> Future<R> request(M command, Class<R> answer, CommandId commandId, Duration timeout) {
        return RegionSender.cast(this.<Object>send(command, headers(commandId), RegionSender.millis(timeout)), answer);
    }

    @Override
    public Future<Void> deliver(M command, DeliveryNumber number, Duration timeout) {
        return this.<Object>send(command, headers(number), RegionSender.millis(timeout))
                .mapEmpty();
    }

    /** @param tag says which command it is */
    private static ItemHeaders headers(Record tag) {
        return new ItemHeaders(Map.of(), ItemHeaders.NO_DEADLINE, tag.toString());
    }

    private <R> Future<R> send(Object message, ItemHeaders headers, long timeout) {
        try {
            Target<M> to = target();
            to.region().check(message);
            return to.region().sender().ask(to.shard(), id, message, headers, timeout, origin);
        } catch (ShardingException e) {
            return Future.failedFuture(e);
        }
    }

    @Override
    public <R> Future<R> request(M message, Class<R> answer, Duration timeout) {
        return RegionSender.cast(this.<Object>send(message, ItemHeaders.NONE, RegionSender.millis(timeout)), answer);
    }

    @Override
    public Future<EntityLocation> start() {
        Target<M> to = target();
        return to.region()
                .sender()
                .ask(
                        to.shard(),
                        id,
                        Envelope.START,
                        ItemHeaders.NONE,
                        to.region().askTimeout(),
                        origin);
    }

    @Override
    public boolean writeQueueFull() {
        Target<M> to = target();
        return to.region().sender().writeQueueFull(to.shard());
    }

    @Override
    public EntityRef<M> drainHandler(Handler<Void> handler) {
        Target<M> to = target();
        to.region().sender().drainHandler(to.shard(), handler);
        return this;
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
