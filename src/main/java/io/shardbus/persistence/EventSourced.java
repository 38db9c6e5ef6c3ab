package io.shardbus.persistence;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.model.Deduplication;
import io.shardbus.persistence.spi.PersistenceStore;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A type of event-sourced entities. Immutable: each {@code with} method returns another one. {@link #on} makes it a
 * plain definition; roles, passivation, remembering and all other settings are set on that definition, as for any type.
 *
 * @param <M> the commands
 * @param <E> the events
 * @param <S> the state
 */
public final class EventSourced<M, E, S> {
    /** Default number of events between two snapshots. */
    public static final int SNAPSHOT_EVERY = 100;

    /** Default number of commands of one entity that may be under way at once. */
    public static final int COMMIT_WINDOW = 16;

    private static final int LARGEST_WINDOW = 1_000;

    private static final int LARGEST_INTERVAL = 1_000_000;

    private final EntityType<M> type;
    private final Function<String, ? extends EventSourcedEntity<M, E, S>> factory;
    private final EventCodec<E> codec;
    private final Options<E, S> options;

    /** Optional settings. */
    private record Options<E, S>(
            @Nullable StateCodec<S> snapshots,
            int everyEvents,
            Function<? super E, Set<String>> tags,
            Retention retention,
            int commitWindow,
            Deduplication deduplication) {
        Options<E, S> with(StateCodec<S> states, int every) {
            return new Options<>(states, every, tags, retention, commitWindow, deduplication);
        }

        Options<E, S> with(Function<? super E, Set<String>> tagging) {
            return new Options<>(snapshots, everyEvents, tagging, retention, commitWindow, deduplication);
        }

        Options<E, S> with(Retention kept) {
            return new Options<>(snapshots, everyEvents, tags, kept, commitWindow, deduplication);
        }

        Options<E, S> with(int window) {
            return new Options<>(snapshots, everyEvents, tags, retention, window, deduplication);
        }

        Options<E, S> with(Deduplication remembered) {
            return new Options<>(snapshots, everyEvents, tags, retention, commitWindow, remembered);
        }
    }

    private EventSourced(
            EntityType<M> type,
            Function<String, ? extends EventSourcedEntity<M, E, S>> factory,
            EventCodec<E> codec,
            Options<E, S> options) {
        this.type = Objects.requireNonNull(type, "type");
        this.factory = Objects.requireNonNull(factory, "factory");
        this.codec = Objects.requireNonNull(codec, "codec");
        this.options = options;
        CodecFormats.require(type, "events", codec.format());
        snapshots().ifPresent(states -> CodecFormats.require(type, "states", states.format()));
    }

    /**
     * A type with these events.
     *
     * @param factory makes a new instance for an id; called on the shard's event loop, must not block
     * @throws IllegalArgumentException for a codec whose {@link EventCodec#format} is out of range
     */
    public static <M, E, S> EventSourced<M, E, S> of(
            EntityType<M> type, Function<String, ? extends EventSourcedEntity<M, E, S>> factory, EventCodec<E> codec) {
        var options = new Options<E, S>(
                null, SNAPSHOT_EVERY, event -> Set.of(), Retention.all(), COMMIT_WINDOW, Deduplication.DEFAULT);
        return new EventSourced<>(type, factory, codec, options);
    }

    /**
     * Stores a snapshot of the state after every {@code everyEvents} events. An entity then starts from its last
     * snapshot and the events after it, also after a move of its shard.
     *
     * @param everyEvents 1 to 1,000,000
     */
    public EventSourced<M, E, S> withSnapshots(StateCodec<S> states, int everyEvents) {
        Objects.requireNonNull(states, "states");
        if (everyEvents < 1 || everyEvents > LARGEST_INTERVAL) {
            throw new IllegalArgumentException("a snapshot every " + everyEvents + " events: use 1 to 1,000,000");
        }
        return with(options.with(states, everyEvents));
    }

    /**
     * Sets the function that gives an event its tags, which are stored with it for projections. A tag must not contain
     * the character U+001F.
     */
    public EventSourced<M, E, S> withTags(Function<? super E, Set<String>> tags) {
        Objects.requireNonNull(tags, "tags");
        return with(options.with(tags));
    }

    /** Sets the retention of stored events. Default: all events are kept. */
    public EventSourced<M, E, S> withRetention(Retention retention) {
        Objects.requireNonNull(retention, "retention");
        return with(options.with(retention));
    }

    /**
     * Sets how many commands of one entity may be decided on and not yet answered. The entity decides on a command with
     * the state to which the commands before it lead, while their events are on the way to the store. Answers leave in
     * the order of commands, each when its own events and those before them are stored. Default: 16. An entity whose
     * code runs on worker or virtual threads has a window of 1.
     *
     * @param commands 1 to 1,000; 1: each command waits until the one before it is answered
     */
    public EventSourced<M, E, S> withCommitWindow(int commands) {
        if (commands < 1 || commands > LARGEST_WINDOW) {
            throw new IllegalArgumentException("a commit window of " + commands + " commands: use 1 to 1,000");
        }
        return with(options.with(commands));
    }

    /**
     * Sets how many commands with an id an entity remembers.
     * Default: {@link Deduplication#DEFAULT}.
     */
    public EventSourced<M, E, S> withDeduplication(Deduplication deduplication) {
        return with(options.with(Objects.requireNonNull(deduplication, "deduplication")));
    }

    private EventSourced<M, E, S> with(Options<E, S> changed) {
        return new EventSourced<>(type, factory, codec, changed);
    }

    /**
     * The definition of the type with its entities in this store, with the restart policy {@code resume}: a command
     * that throws has changed nothing. The start of the type also starts the store; the code that made the store closes
     * it, after the nodes that use it.
     */
    public EntityDefinition<M> on(PersistenceStore store) {
        return PersistenceProvider.INSTANCE.define(this, Objects.requireNonNull(store, PersistenceProvider.NO_STORE));
    }

    public EntityType<M> type() {
        return type;
    }

    public Function<String, ? extends EventSourcedEntity<M, E, S>> factory() {
        return factory;
    }

    public EventCodec<E> codec() {
        return codec;
    }

    /** Empty: no snapshots are stored. */
    public Optional<StateCodec<S>> snapshots() {
        return Optional.ofNullable(options.snapshots());
    }

    public int snapshotEvery() {
        return options.everyEvents();
    }

    public Set<String> tags(E event) {
        return options.tags().apply(event);
    }

    public Retention retention() {
        return options.retention();
    }

    public int commitWindow() {
        return options.commitWindow();
    }

    public Deduplication deduplication() {
        return options.deduplication();
    }
}
