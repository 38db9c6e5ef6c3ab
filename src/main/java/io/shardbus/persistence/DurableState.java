package io.shardbus.persistence;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.Deduplication;
import io.shardbus.persistence.spi.PersistenceStore;
import java.util.Objects;
import java.util.function.Function;

/**
 * A type of entities with a durable state. Immutable: each {@code with} method returns another one. {@link #on} makes
 * it a plain definition; roles, passivation, remembering and all other settings are set on that definition, as for any
 * type.
 *
 * @param <M> the commands
 * @param <S> the state
 */
public final class DurableState<M, S> {
    private final EntityType<M> type;
    private final Function<String, ? extends DurableStateEntity<M, S>> factory;
    private final StateCodec<S> codec;
    private final Deduplication deduplication;

    private DurableState(
            EntityType<M> type,
            Function<String, ? extends DurableStateEntity<M, S>> factory,
            StateCodec<S> codec,
            Deduplication deduplication) {
        this.type = Objects.requireNonNull(type, "type");
        this.factory = Objects.requireNonNull(factory, "factory");
        this.codec = Objects.requireNonNull(codec, "codec");
        CodecFormats.require(type, "states", codec.format());
        this.deduplication = Objects.requireNonNull(deduplication, "deduplication");
    }

    /**
     * A type with these states.
     *
     * @param factory makes a new instance for an id; called on the shard's event loop, must not block
     * @throws IllegalArgumentException for a codec whose {@link StateCodec#format} is out of range
     */
    public static <M, S> DurableState<M, S> of(
            EntityType<M> type, Function<String, ? extends DurableStateEntity<M, S>> factory, StateCodec<S> codec) {
        return new DurableState<>(type, factory, codec, Deduplication.DEFAULT);
    }

    /**
     * Sets how many commands with an id an entity remembers, as {@link EventSourced#withDeduplication} does. The whole
     * window is stored with each state.
     */
    public DurableState<M, S> withDeduplication(Deduplication remembered) {
        return new DurableState<>(type, factory, codec, remembered);
    }

    /** As {@link EventSourced#on}. */
    public EntityDefinition<M> on(PersistenceStore store) {
        return PersistenceProvider.INSTANCE.define(this, Objects.requireNonNull(store, PersistenceProvider.NO_STORE));
    }

    public EntityType<M> type() {
        return type;
    }

    public Function<String, ? extends DurableStateEntity<M, S>> factory() {
        return factory;
    }

    public StateCodec<S> codec() {
        return codec;
    }

    public Deduplication deduplication() {
        return deduplication;
    }
}
