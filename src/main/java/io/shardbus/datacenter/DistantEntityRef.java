package io.shardbus.datacenter;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reference to an entity of another data center. Two are equal if data center, type and id are; none equals a reference
 * to an entity of this data center.
 */
final class DistantEntityRef<M> implements EntityRef<M> {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Buffer NOTHING = Buffer.buffer();

    private final DataCenterLink link;
    private final String dataCenter;
    private final SharedType<M> shared;
    private final String id;

    DistantEntityRef(DataCenterLink link, String dataCenter, SharedType<M> shared, String id) {
        this.link = link;
        this.dataCenter = dataCenter;
        this.shared = shared;
        this.id = id;
    }

    @Override
    public EntityType<M> type() {
        return shared.type();
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public void tell(M message) {
        link.send(new Outgoing(Frame.Kind.TELL, type().name(), id, shared.encodeMessage(message), 0, null));
    }

    @Override
    public <R> Future<R> ask(Ask<R> message) {
        return ask(message, shared.askTimeout());
    }

    @Override
    public <R> Future<R> ask(Ask<R> message, Duration timeout) {
        @SuppressWarnings("unchecked") // the entity's node has checked that the answer is of the class of the ask
        Function<@Nullable Object, R> answer = value -> (R) value;
        return send(message, timeout, answer);
    }

    @Override
    public <R> Future<R> request(M message, Class<R> answer, Duration timeout) {
        return send(message, timeout, value -> {
            if (value != null && !answer.isInstance(value)) {
                throw new ShardingException(
                        FailureCode.PAYLOAD_NOT_DECODABLE,
                        "the answer is a " + value.getClass().getName() + ", not a " + answer.getName());
            }
            return answer.cast(value);
        });
    }

    private <R> Future<R> send(Object message, Duration timeout, Function<@Nullable Object, R> answer) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("ask timeout of " + timeout + ": use 1 ms to 1 day");
        }
        try {
            return send(Frame.Kind.ASK, shared.encodeMessage(message), timeout, answer);
        } catch (ShardingException e) {
            return Future.failedFuture(e);
        }
    }

    private <R> Future<R> send(
            Frame.Kind kind, Buffer payload, Duration timeout, Function<@Nullable Object, R> answer) {
        var awaited = new Awaited<>(shared, answer);
        link.send(new Outgoing(kind, type().name(), id, payload, timeout.toMillis(), awaited));
        return awaited.promise.future();
    }

    /** Completes the caller's future, on the caller's context if there is one, else on the link's event loop. */
    private static final class Awaited<R> implements Outgoing.Answer {
        private final @Nullable Context caller = Vertx.currentContext();
        private final Promise<R> promise = Promise.promise();
        private final SharedType<?> shared;
        private final Function<@Nullable Object, R> answer;

        Awaited(SharedType<?> shared, Function<@Nullable Object, R> answer) {
            this.shared = shared;
            this.answer = answer;
        }

        @Override
        public void answered(Buffer payload) {
            R value;
            try {
                value = answer.apply(shared.decodeAnswer(payload));
            } catch (ShardingException e) {
                failed(e);
                return;
            } catch (ClassCastException e) {
                failed(new ShardingException(FailureCode.PAYLOAD_NOT_DECODABLE, "the answer: " + e.getMessage(), e));
                return;
            }
            onCaller(() -> promise.complete(value));
        }

        @Override
        public void failed(ShardingException failure) {
            onCaller(() -> promise.fail(failure));
        }

        private void onCaller(Runnable completion) {
            if (caller == null) {
                CallerContext.guarded(completion);
            } else {
                caller.runOnContext(now -> completion.run());
            }
        }
    }

    @Override
    public boolean writeQueueFull() {
        return link.writeQueueFull();
    }

    @Override
    public EntityRef<M> drainHandler(Handler<Void> handler) {
        link.drainHandler(handler);
        return this;
    }

    @Override
    public Future<EntityLocation> start() {
        return send(Frame.Kind.START, NOTHING, shared.askTimeout(), EntityLocation.class::cast);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DistantEntityRef<?> that
                && dataCenter.equals(that.dataCenter)
                && type().equals(that.type())
                && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return (dataCenter.hashCode() * 31 + type().hashCode()) * 31 + id.hashCode();
    }

    @Override
    public String toString() {
        return type().name() + "/" + id + " in " + dataCenter;
    }
}
