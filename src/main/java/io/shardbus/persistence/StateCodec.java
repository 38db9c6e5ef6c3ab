package io.shardbus.persistence;

import io.vertx.core.buffer.Buffer;

/** Encodes states for the store, and decodes them. Any thread. */
public interface StateCodec<S> {
    /** The number of the codec, stored with each state: 0 to 32,767. Codecs of {@link #json} have 1. */
    int format();

    /** The version of the form in which {@link #encode} writes, at least 1. */
    int version();

    /**
     * @throws RuntimeException if the state cannot be encoded: a durable state is then not stored, and the ask fails; a
     *     snapshot is left out, and the failure is logged
     */
    Buffer encode(S state);

    /**
     * @throws RuntimeException if the state cannot be read: a snapshot is ignored if the events before it are still
     *     stored; otherwise commands of the entity fail with STATE_UNREADABLE
     */
    S decode(int version, Buffer payload);

    /**
     * A state that the codec of this format has written.
     *
     * @throws RuntimeException as {@link #decode(int, Buffer)}; also thrown if no codec of the format is known
     */
    default S decode(int format, int version, Buffer payload) {
        if (format != format()) {
            throw new IllegalArgumentException("no codec for states of format " + format + ", only of " + format()
                    + ": add the former codec by withFormer");
        }
        return decode(version, payload);
    }

    /**
     * A codec that writes as this one does, and also reads the states that the former codec has written. Call it last,
     * once for each former codec.
     *
     * @throws IllegalArgumentException if both have the same {@link #format}
     */
    default StateCodec<S> withFormer(StateCodec<? extends S> former) {
        return new StateCodecs<>(this, former);
    }

    /**
     * States as JSON, in version 1: a record, a sealed interface of records, an enum, or Boolean, Integer, Long, Double
     * or String. Fields that the record does not have are skipped; fields that are missing in the JSON are null, 0 or
     * false.
     *
     * @throws IllegalArgumentException for another class
     */
    static <S> JsonStateCodec<S> json(Class<S> states) {
        return JsonStateCodec.of(states);
    }
}
