package io.shardbus.persistence;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * Turns events into what is stored, and back. A stored event has a name of its own, not that of a class, a version of
 * its form, and the number of the codec that wrote it. Any thread.
 */
public interface EventCodec<E> {
    /**
     * An event as it is stored.
     *
     * @param name 1 to 200 characters
     * @param version of the form that this name has now, at least 1
     */
    record Encoded(String name, int version, Buffer payload) {}

    /** The number of the codec, stored with each event: 0 to 32,767; what {@link #json} makes has 1. */
    int format();

    /** @throws RuntimeException nothing is stored then, and the ask fails */
    Encoded encode(E event);

    /**
     * The events that a stored one means today: usually one; none where it is no longer of interest.
     *
     * @throws RuntimeException the entity cannot be read then
     */
    List<E> decode(String name, int version, Buffer payload);

    /**
     * The events that a stored one means today, which the codec of this format has written.
     *
     * @throws RuntimeException the entity cannot be read then; so it is where no codec of the format is known
     */
    default List<E> decode(int format, String name, int version, Buffer payload) {
        if (format != format()) {
            throw new IllegalArgumentException("no codec for events of format " + format + ", only of " + format()
                    + ": add the former codec by withFormer");
        }
        return decode(name, version, payload);
    }

    /**
     * A codec that writes as this one, and also reads what the former one has written: a type changes its format, from
     * JSON to another one for instance, and keeps its events. Call it last; more than one former codec is added by one
     * call each.
     *
     * @throws IllegalArgumentException where both have one {@link #format}
     */
    default EventCodec<E> withFormer(EventCodec<? extends E> former) {
        return new EventCodecs<>(this, former);
    }

    /**
     * Events as JSON: a record, or a sealed interface of records, also through further sealed interfaces, each by its
     * simple name, in version 1. Fields that a record does not have are skipped, those that are missing are null, 0 or
     * false.
     *
     * @throws IllegalArgumentException for a class that is neither
     */
    static <E> JsonEventCodec<E> json(Class<E> events) {
        return JsonEventCodec.of(events);
    }
}
