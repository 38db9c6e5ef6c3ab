package io.shardbus.persistence;

import io.shardbus.codec.JsonRecords;
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
     * States as JSON, in version 1: a record, a sealed interface of records, an enum, or Boolean, Integer, Long, Double
     * or String.
     *
     * @throws IllegalArgumentException for another class
     */
    static <S> StateCodec<S> json(Class<S> states) {
        JsonRecords<S> records = JsonRecords.ofValues(states);
        return new StateCodec<>() {
            @Override
            public int format() {
                return 1;
            }

            @Override
            public int version() {
                return 1;
            }

            @Override
            public Buffer encode(S state) {
                return records.writeNamed(state);
            }

            @Override
            public S decode(int version, Buffer payload) {
                if (version != 1) {
                    throw new IllegalArgumentException("a state of version " + version + " is not known here");
                }
                return records.readNamed(payload);
            }
        };
    }
}
