package io.shardbus.runtime.region;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.region.Lane;
import io.shardbus.core.region.PendingAsk;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** An ask on its way to its lane, and then waiting there for its answer. */
final class FutureAsk extends PendingAsk implements LaneTask {
    private final int shard;
    private final String entityId;
    private final Object payload;
    private final Promise<Object> promise;

    FutureAsk(int shard, String entityId, Object payload, Promise<Object> promise, long deadline) {
        super(deadline);
        this.shard = shard;
        this.entityId = entityId;
        this.payload = payload;
        this.promise = promise;
    }

    @Override
    public void run(Lane lane, long now) {
        lane.send(shard, entityId, payload, this, now);
    }

    @Override
    public void complete(@Nullable Object value) {
        promise.tryComplete(value);
    }

    @Override
    public void fail(Failure failure) {
        promise.tryFail(new ShardingException(failure.code(), failure.message(), failure.entityCode(), null));
    }
}
