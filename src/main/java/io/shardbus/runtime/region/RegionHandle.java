package io.shardbus.runtime.region;

import io.shardbus.Ask;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityLocation;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.FailureCode;
import io.shardbus.MessageExtractor;
import io.shardbus.ShardHash;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.core.entity.Envelope;
import io.shardbus.runtime.entity.TypedPayloads;
import io.shardbus.runtime.node.ElapsedClock;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The face of a region on this node: checks what it is given and puts it on the right lane. */
public final class RegionHandle<M> implements ShardRegion<M> {
    private static final int MAX_ID_BYTES = 1024;
    private static final long MAX_TIMEOUT = Duration.ofDays(1).toMillis();

    private final EntityDefinition<M> definition;
    private final RegionSettings settings;
    private final PayloadCodec<M> codec;
    private final TypedPayloads payloads;
    private final ElapsedClock clock;
    private final Supplier<Future<Void>> leave;
    private volatile LaneQueue[] lanes = new LaneQueue[0];
    private volatile boolean registered;

    public RegionHandle(
            EntityDefinition<M> definition,
            RegionSettings settings,
            PayloadCodec<M> codec,
            ElapsedClock clock,
            Supplier<Future<Void>> leave) {
        this.definition = definition;
        this.settings = settings;
        this.codec = codec;
        this.payloads = new TypedPayloads(codec);
        this.clock = clock;
        this.leave = leave;
    }

    public EntityDefinition<M> definition() {
        return definition;
    }

    public RegionSettings settings() {
        return settings;
    }

    public PayloadCodec<M> codec() {
        return codec;
    }

    public TypedPayloads payloads() {
        return payloads;
    }

    /** Gives the region its lanes; before this, messages are refused. */
    public void open(LaneQueue[] opened) {
        lanes = opened.clone();
    }

    public void registered(boolean now) {
        registered = now;
    }

    @Override
    public EntityType<M> type() {
        return definition.type();
    }

    @Override
    public int numberOfShards() {
        return settings.numberOfShards();
    }

    @Override
    public boolean isProxy() {
        return settings.proxy();
    }

    @Override
    public boolean isRegistered() {
        return registered;
    }

    @Override
    public Future<Void> leave() {
        return leave.get();
    }

    @Override
    public EntityRef<M> entityRef(String entityId) {
        return new Reference<>(this, entityId, shard(entityId));
    }

    /** The shard of an id; refuses an id that is empty or too long. */
    public int shard(String entityId) {
        int length = entityId.length();
        if (length == 0 || length > MAX_ID_BYTES || utf8Length(entityId) > MAX_ID_BYTES) {
            throw new ShardingException(
                    FailureCode.INVALID_ID,
                    "entity id of " + length + " characters: use 1 to " + MAX_ID_BYTES + " bytes of UTF-8");
        }
        MessageExtractor<M> extractor = settings.extractor(definition);
        int shard = extractor == null
                ? ShardHash.shard(entityId, settings.numberOfShards())
                : extractor.shard(entityId, settings.numberOfShards());
        if (shard < 0 || shard >= settings.numberOfShards()) {
            throw new ShardingException(
                    FailureCode.INVALID_ID,
                    "the extractor of '" + type().name() + "' gives shard " + shard + ": use 0 to "
                            + (settings.numberOfShards() - 1));
        }
        return shard;
    }

    private static int utf8Length(String text) {
        return text.length() * 3 <= MAX_ID_BYTES ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
    }

    void check(@Nullable Object message) {
        if (message == null) {
            throw new ShardingException(FailureCode.INVALID_MESSAGE, "the message is null");
        }
        if (!codec.accepts(message)) {
            throw new ShardingException(
                    FailureCode.INVALID_MESSAGE,
                    message.getClass().getName() + " is not a message of entity type '" + type().name() + "' ("
                            + type().messageClass().getName() + ")");
        }
    }

    private LaneQueue lane(int shard) {
        LaneQueue[] present = lanes;
        if (present.length == 0) {
            throw new ShardingException(FailureCode.SHUTTING_DOWN, "the region of '" + type().name() + "' is not open");
        }
        return present[shard % present.length];
    }

    private Object prepare(Object message) {
        if (!settings.serializeLocal() || message == Envelope.START) {
            return message;
        }
        Buffer buffer = Buffer.buffer();
        payloads.encodeMessage(message, buffer);
        return payloads.decodeMessage(buffer, 0, buffer.length());
    }

    void tell(int shard, String entityId, Object message) {
        Object payload = prepare(message);
        lane(shard).execute((lane, now) -> lane.send(shard, entityId, payload, null, now));
    }

    <R> Future<R> ask(int shard, String entityId, Object message, long timeoutMillis) {
        if (timeoutMillis < 1 || timeoutMillis > MAX_TIMEOUT) {
            throw new IllegalArgumentException("ask timeout of " + timeoutMillis + " ms: use 1 to " + MAX_TIMEOUT);
        }
        Promise<Object> promise = promise();
        try {
            lane(shard).execute(new FutureAsk(shard, entityId, prepare(message), promise, clock.now() + timeoutMillis));
        } catch (ShardingException e) {
            promise.fail(e);
        }
        @SuppressWarnings("unchecked")
        Future<R> answer = (Future<R>) promise.future();
        return answer;
    }

    private static Promise<Object> promise() {
        Context context = Vertx.currentContext();
        return context instanceof ContextInternal internal ? internal.promise() : Promise.promise();
    }

    long askTimeout() {
        return settings.askTimeout();
    }

    @Override
    public void tell(Object message) {
        Addressed target = address(message);
        tell(shard(target.entityId()), target.entityId(), target.payload());
    }

    @Override
    public <R> Future<R> ask(Object message, Class<R> answer, Duration timeout) {
        try {
            Addressed target = address(message);
            Future<Object> result =
                    ask(shard(target.entityId()), target.entityId(), target.payload(), timeout.toMillis());
            return result.map(answer::cast);
        } catch (ShardingException e) {
            return Future.failedFuture(e);
        }
    }

    private record Addressed(String entityId, Object payload) {}

    @SuppressWarnings("unchecked")
    private Addressed address(@Nullable Object message) {
        if (message instanceof StartEntity start) {
            return new Addressed(start.entityId(), Envelope.START);
        }
        if (message instanceof ShardingEnvelope<?> envelope) {
            return envelope.message() instanceof StartEntity
                    ? new Addressed(envelope.entityId(), Envelope.START)
                    : addressed(envelope.entityId(), envelope.message());
        }
        check(message);
        MessageExtractor<M> extractor = settings.extractor(definition);
        if (extractor == null || message == null) {
            throw new ShardingException(
                    FailureCode.INVALID_ID,
                    "a message without ShardingEnvelope needs a MessageExtractor in the definition of '" + type().name()
                            + "'");
        }
        return addressed(Objects.requireNonNull(extractor.entityId((M) message), "entityId"), message);
    }

    private Addressed addressed(String entityId, Object message) {
        check(message);
        return new Addressed(entityId, message);
    }

    /** The address of one entity. */
    private static final class Reference<M> implements EntityRef<M> {
        private final RegionHandle<M> region;
        private final String id;
        private final int shard;

        Reference(RegionHandle<M> region, String id, int shard) {
            this.region = region;
            this.id = id;
            this.shard = shard;
        }

        @Override
        public EntityType<M> type() {
            return region.type();
        }

        @Override
        public String id() {
            return id;
        }

        @Override
        public void tell(M message) {
            region.check(message);
            region.tell(shard, id, message);
        }

        @Override
        public <R> Future<R> ask(Ask<R> message) {
            return send(message, region.askTimeout());
        }

        @Override
        public <R> Future<R> ask(Ask<R> message, Duration timeout) {
            return send(message, timeout.toMillis());
        }

        private <R> Future<R> send(Object message, long timeout) {
            try {
                region.check(message);
                return region.ask(shard, id, message, timeout);
            } catch (ShardingException e) {
                return Future.failedFuture(e);
            }
        }

        @Override
        public <R> Future<R> request(M message, Class<R> answer, Duration timeout) {
            return this.<Object>send(message, timeout.toMillis()).map(answer::cast);
        }

        @Override
        public Future<EntityLocation> start() {
            return region.ask(shard, id, Envelope.START, region.askTimeout());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Reference<?> that && id.equals(that.id) && type().equals(that.type());
        }

        @Override
        public int hashCode() {
            return type().hashCode() * 31 + id.hashCode();
        }

        @Override
        public String toString() {
            return type().name() + "/" + id;
        }
    }
}
