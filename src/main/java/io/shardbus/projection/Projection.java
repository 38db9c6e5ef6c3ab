package io.shardbus.projection;

import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A view that follows the events of a type. Immutable: each {@code with} method returns another one. Events of one
 * entity come in their order, and so do those of one log; there is no order between logs.
 *
 * @param <E> the events
 */
public final class Projection<E> {
    /** Treatment of an event on which the handler fails again and again. */
    public enum OnFailure {
        /**
         * The log waits at the event, and the handler is called again after longer and longer pauses; other logs go on.
         */
        HOLD,
        /** The event is parked, that is, recorded with the reason, and the log goes on. */
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
     * @param name 1 to 39 letters, digits, '-', '_' or '.'; offsets are kept by it
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
     * A projection that publishes each event on an address of the event bus, in the order of its log. The body is the
     * event as the codec writes it today, as a Buffer, and null for a deletion; headers are {@code id}, {@code
     * sequence-number}, {@code log}, {@code position}, {@code part} (0, 1 and so on where the codec reads a stored
     * event as several), and {@code name} and {@code version} of the event.
     *
     * <p>An event is published at least once; a repetition has the same log, position and part. The bus delivers to the
     * consumers that are registered at that moment, at most once to each: code that must not miss events should be a
     * projection itself.
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
     * Sets the number of workers that share the logs; the same on all nodes. Change it while the projection does
     * not run.
     *
     * @param workers 1 (default) to 256
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
     * Sets the treatment of an event on which the handler fails. Default: {@link OnFailure#HOLD}.
     *
     * @param attempts number of failed attempts after which {@link OnFailure#PARK} parks the event, 1 to 1,000
     */
    public Projection<E> onFailure(OnFailure onFailure, int attempts) {
        if (attempts < 1 || attempts > 1000) {
            throw new IllegalArgumentException(attempts + " attempts: use 1 to 1,000");
        }
        return with(new Settings(
                settings.workers(), settings.role(), onFailure, attempts, settings.batch(), settings.pollMs()));
    }

    /**
     * Sets the pause of a worker before it looks for new events, in milliseconds.
     *
     * @param pollMs 10 to 60,000; 200 by default
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
