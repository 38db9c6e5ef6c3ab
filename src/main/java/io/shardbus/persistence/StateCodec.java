package io.shardbus.persistence;

import io.vertx.core.buffer.Buffer;

/** Turns states into what is stored, and back. Any thread. */
public interface StateCodec<S> {
    /** The number of the codec, stored with each state: 0 to 32,767; what {@link #json} makes has 1. */
    int format();

    /** The version of the form in which {@link #encode} writes, at least 1. */
    int version();

    Buffer encode(S state);

    /** @throws RuntimeException the state is passed over where events lead to it, else the entity cannot be read */
    S decode(int version, Buffer payload);

    /**
     * A state that the codec of this format has written.
     *
     * @throws RuntimeException as {@link #decode(int, Buffer)}; so it does where no codec of the format is known
     */
    default S decode(int format, int version, Buffer payload) {
        if (format != format()) {
            throw new IllegalArgumentException("no codec for states of format " + format + ", only of " + format()
                    + ": add the former codec by withFormer");
        }
        return decode(version, payload);
    }

    /**
     * A codec that writes as this one, and also reads what the former one has written. Call it last; more than one
     * former codec is added by one call each.
     *
     * @throws IllegalArgumentException where both have one {@link #format}
     */
    default StateCodec<S> withFormer(StateCodec<? extends S> former) {
        return new StateCodecs<>(this, former);
    }

    /**
     * States as JSON, in version 1: a record, a sealed interface of records, an enum, or Boolean, Integer, Long, Double
     * or String. Fields that a record does not have are skipped, those that are missing are null, 0 or false.
     *
     * @throws IllegalArgumentException for another class
     */
    static <S> JsonStateCodec<S> json(Class<S> states) {
        return JsonStateCodec.of(states);
    }
}
