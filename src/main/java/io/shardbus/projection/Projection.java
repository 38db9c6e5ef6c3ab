package io.shardbus.projection;

import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A view that follows the stored events of a type. Immutable: each {@code with} method returns another projection. A
 * handler gets the events of one log in their order, and so those of one entity; there is no order between logs.
 *
 * @param <E> the events
 */
public final class Projection<E> {
    /** What happens at an event on which the handler keeps failing. */
    public enum OnFailure {
        /**
         * The log waits at the event, and the handler is called again after pauses that double from 100 ms to 30 s;
         * other logs continue.
         */
        HOLD,
        /** The event is parked: it is recorded with the reason, and the log continues after it. */
        PARK
    }

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,39}");
    private static final int MOST_WORKERS = 256;

    private final String name;
    private final String type;
    private final EventCodec<E> codec;
    private final ProjectionHandler<E> handler;
    private final Settings settings;

    /** Optional settings. */
    record Settings(int workers, String role, OnFailure onFailure, int attempts, int batch, long pollMs) {
        static final Settings DEFAULTS = new Settings(1, "", OnFailure.HOLD, 5, 500, 200);
    }

    private Projection(String name, String type, EventCodec<E> codec, ProjectionHandler<E> handler, Settings settings) {
        this.name = name;
        this.type = type;
        this.codec = codec;
        this.handler = Objects.requireNonNull(handler, "handler");
        this.settings = settings;
    }

    /**
     * A projection of a type's events.
     *
     * @param name 1 to 39 letters, digits, '-', '_' or '.'; the key of the offsets in the store
     * @throws IllegalArgumentException for another name
     */
    public static <E> Projection<E> of(String name, EventSourced<?, E, ?> entities, ProjectionHandler<E> handler) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "projection '" + name + "': its name must be 1 to 39 letters, digits, '-', '_' or '.'");
        }
        return new Projection<>(name, entities.type().name(), entities.codec(), handler, Settings.DEFAULTS);
    }

    /**
     * A projection that publishes each event on an address of the event bus. The body is a Buffer with the event as the
     * codec encodes it now, and null for a deletion. Headers are {@code id}, {@code sequence-number}, {@code log},
     * {@code position}, {@code part} (0, 1 and so on if the codec decodes a stored row into several events), and,
     * unless it is a deletion, {@code name} and {@code version} of the event.
     *
     * <p>Each event is handed to the event bus at least once. Events of a log are handed over in its order, but for
     * repetitions: after a failure, a move of the worker or a reset of the projection earlier events come again, with
     * the same log, position and part. The projection does not wait for the bus, which delivers at most once to each
     * consumer that is registered at that moment: a message may be lost with a connection or a node, and is not
     * repeated. Code that must not miss events should be a projection itself.
     *
     * @throws IllegalArgumentException as {@link #of}, and for an empty address
     */
    public static <E> Projection<E> toEventBus(
            String name, EventSourced<?, E, ?> entities, Vertx vertx, String address) {
        if (address.isEmpty()) {
            throw new IllegalArgumentException("projection '" + name + "': its address on the event bus is empty");
        }
        return of(name, entities, new EventBusFeed<>(vertx, address, entities.codec()));
    }

    /**
     * Sets the number of workers that share the logs; the same on all nodes. Change it while the projection does not
     * run.
     *
     * @param workers 1 (default) to 256
     * @throws IllegalArgumentException for another number
     */
    public Projection<E> withWorkers(int workers) {
        if (workers < 1 || workers > MOST_WORKERS) {
            throw new IllegalArgumentException(workers + " workers: use 1 to " + MOST_WORKERS);
        }
        return with(new Settings(
                workers,
                settings.role(),
                settings.onFailure(),
                settings.attempts(),
                settings.batch(),
                settings.pollMs()));
    }

    /** Sets the role of the nodes on which workers run. Default: the empty text, all nodes. */
    public Projection<E> withRole(String role) {
        return with(new Settings(
                settings.workers(),
                role,
                settings.onFailure(),
                settings.attempts(),
                settings.batch(),
                settings.pollMs()));
    }

    /**
     * Sets what happens at an event on which the handler keeps failing. Default: {@link OnFailure#HOLD}.
     *
     * @param attempts number of failed attempts after which {@link OnFailure#PARK} parks the event, 1 to 1,000; {@link
     *     OnFailure#HOLD} does not use it. An attempt that fails with a StoreException does not count
     * @throws IllegalArgumentException for another number
     */
    public Projection<E> onFailure(OnFailure onFailure, int attempts) {
        if (attempts < 1 || attempts > 1000) {
            throw new IllegalArgumentException(attempts + " attempts: use 1 to 1,000");
        }
        return with(new Settings(
                settings.workers(), settings.role(), onFailure, attempts, settings.batch(), settings.pollMs()));
    }

    /**
     * Sets the longest pause of a worker before it looks for new events. A worker also looks as soon as its own node
     * has stored events of its logs.
     *
     * @param pollMs milliseconds, 10 to 60,000; 200 by default
     * @throws IllegalArgumentException for another number
     */
    public Projection<E> withPollInterval(long pollMs) {
        if (pollMs < 10 || pollMs > 60_000) {
            throw new IllegalArgumentException("a poll every " + pollMs + " ms: use 10 to 60,000");
        }
        return with(new Settings(
                settings.workers(),
                settings.role(),
                settings.onFailure(),
                settings.attempts(),
                settings.batch(),
                pollMs));
    }

    private Projection<E> with(Settings changed) {
        return new Projection<>(name, type, codec, handler, changed);
    }

    public String name() {
        return name;
    }

    /** The name of the entity type. */
    public String type() {
        return type;
    }

    EventCodec<E> codec() {
        return codec;
    }

    ProjectionHandler<E> handler() {
        return handler;
    }

    Settings settings() {
        return settings;
    }
}
