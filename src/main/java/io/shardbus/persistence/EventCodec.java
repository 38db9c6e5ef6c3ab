package io.shardbus.persistence;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;

/**
 * Encodes events for the store, and decodes them. A stored event has a name, which is not that of a class, a version of
 * its form, and the number of the codec that wrote it. Any thread.
 */
public interface EventCodec<E> {
    /**
     * An event as it is stored.
     *
     * @param name 1 to 200 characters
     * @param version of the form in which events of this name are written now, at least 1
     */
    record Encoded(String name, int version, Buffer payload) {
        private static final int LONGEST_NAME = 200;

        /** @throws IllegalArgumentException for a name or a version out of range */
        public Encoded {
            Objects.requireNonNull(payload, "payload");
            if (name.isEmpty() || name.length() > LONGEST_NAME || version < 1) {
                throw new IllegalArgumentException("event '" + name + "' version " + version + ": use a name of 1 to "
                        + LONGEST_NAME + " characters and a version of at least 1");
            }
        }
    }

    /** The number of the codec, stored with each event: 0 to 32,767. Codecs of {@link #json} have 1. */
    int format();

    /** @throws RuntimeException if the event cannot be encoded: nothing is stored, and the ask fails */
    Encoded encode(E event);

    /**
     * The events of the present code for a stored event: usually one; none if the event is ignored; several if it was
     * split.
     *
     * @throws RuntimeException if the event cannot be read: commands of the entity fail with STATE_UNREADABLE
     */
    List<E> decode(String name, int version, Buffer payload);

    /**
     * The events of the present code for a stored event that the codec of this format has written.
     *
     * @throws RuntimeException if the event cannot be read, or no codec of the format is known: commands of the entity
     *     fail with STATE_UNREADABLE
     */
    default List<E> decode(int format, String name, int version, Buffer payload) {
        if (format != format()) {
            throw new IllegalArgumentException("no codec for events of format " + format + ", only of " + format()
                    + ": add the former codec by withFormer");
        }
        return decode(name, version, payload);
    }

    /**
     * A codec that writes as this one does, and also reads the events that the former codec has written. With it a type
     * changes its format, from JSON to another one for instance, and keeps its events. Call it last, once for each
     * former codec.
     *
     * @throws IllegalArgumentException if both have the same {@link #format}
     */
    default EventCodec<E> withFormer(EventCodec<? extends E> former) {
        return new EventCodecs<>(this, former);
    }

    /**
     * Events as JSON: a record, or a sealed interface of records, also through further sealed interfaces, each by its
     * simple name, in version 1. Fields that the record does not have are skipped; fields that are missing in the JSON
     * are null, 0 or false.
     *
     * @throws IllegalArgumentException for a class that is neither
     */
    static <E> JsonEventCodec<E> json(Class<E> events) {
        return JsonEventCodec.of(events);
    }
}
