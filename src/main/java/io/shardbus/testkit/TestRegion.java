package io.shardbus.testkit;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.model.FailureCode;
import io.shardbus.model.TypeState;
import io.shardbus.options.PassivationOptions;
import io.shardbus.spi.EnvelopeExtractor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The region of a type in a {@link TestSharding}: every entity is a reference that leads to the test. */
final class TestRegion<M> implements ShardRegion<M> {
    private final TestSharding sharding;
    private final EntityDefinition<M> definition;
    private final boolean proxy;

    TestRegion(TestSharding sharding, EntityDefinition<M> definition, boolean proxy) {
        this.sharding = sharding;
        this.definition = definition;
        this.proxy = proxy;
    }

    @Override
    public EntityType<M> type() {
        return definition.type();
    }

    @Override
    public int numberOfShards() {
        return TestEntityRef.SHARDS;
    }

    @Override
    public boolean isProxy() {
        return proxy;
    }

    @Override
    public boolean isPersistent() {
        return definition.sharedStore().isPresent();
    }

    @Override
    public boolean isRegistered() {
        return true;
    }

    @Override
    public Future<Void> ready() {
        return Future.succeededFuture();
    }

    @Override
    public Future<TypeState.Region> state() {
        return Future.succeededFuture(new TypeState.Region(TestEntityRef.NODE, proxy, false, 0, 0, 0, Map.of()));
    }

    @Override
    public Future<Map<Integer, Set<String>>> entityIds() {
        return Future.succeededFuture(Map.of());
    }

    /** There are no entities to passivate. */
    @Override
    public PassivationOptions passivation() {
        return new PassivationOptions().setStrategy(PassivationOptions.NONE).resolved();
    }

    @Override
    public void limitActiveEntities(int limit) {
        throw new IllegalStateException("a test sharding has no entities and keeps no limit");
    }

    @Override
    public EntityRef<M> entityRef(String entityId) {
        return sharding.entityRef(type(), entityId);
    }

    @Override
    public void tell(Object message) {
        if (!(message instanceof StartEntity)) {
            entityRef(idOf(message)).tell(payloadOf(message));
        }
    }

    @Override
    public <R> Future<R> ask(Object message, Class<R> answer, Duration timeout) {
        if (message instanceof StartEntity start) {
            return entityRef(start.entityId()).start().map(answer::cast);
        }
        return entityRef(idOf(message)).request(payloadOf(message), answer, timeout);
    }

    private String idOf(Object message) {
        Optional<ShardingEnvelope<M>> opened = opened(message);
        if (opened.isPresent()) {
            return opened.get().entityId();
        }
        return message instanceof ShardingEnvelope<?> envelope
                ? envelope.entityId()
                : definition
                        .messageExtractor()
                        .orElseThrow(() -> new ShardingException(
                                FailureCode.INVALID_ID, "a message without ShardingEnvelope needs a MessageExtractor"))
                        .entityId(type().messageClass().cast(message));
    }

    /** The content of an envelope of the program's own. */
    private Optional<ShardingEnvelope<M>> opened(Object message) {
        return definition
                .messageExtractor()
                .filter(EnvelopeExtractor.class::isInstance)
                .flatMap(extractor -> opened((EnvelopeExtractor<?, M>) extractor, message));
    }

    private static <E, M> Optional<ShardingEnvelope<M>> opened(EnvelopeExtractor<E, M> extractor, Object message) {
        if (!extractor.envelopeClass().isInstance(message)) {
            return Optional.empty();
        }
        E envelope = extractor.envelopeClass().cast(message);
        return Optional.of(
                new ShardingEnvelope<>(extractor.envelopeEntityId(envelope), extractor.entityMessage(envelope)));
    }

    private M payloadOf(Object message) {
        Optional<ShardingEnvelope<M>> opened = opened(message);
        if (opened.isPresent()) {
            return opened.get().message();
        }
        Object payload = message instanceof ShardingEnvelope<?> envelope ? envelope.message() : message;
        return type().messageClass().cast(payload);
    }

    @Override
    public Future<Void> leave() {
        sharding.left(type().name());
        return Future.succeededFuture();
    }
}
