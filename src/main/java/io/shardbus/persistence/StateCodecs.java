package io.shardbus.persistence;

import io.vertx.core.buffer.Buffer;

/** A codec of today, and a former one for the states that it has written. */
final class StateCodecs<S> implements StateCodec<S> {
    private final StateCodec<S> present;
    private final StateCodec<? extends S> former;

    StateCodecs(StateCodec<S> present, StateCodec<? extends S> former) {
        if (present.format() == former.format()) {
            throw new IllegalArgumentException("both codecs have format " + present.format()
                    + ": give the new one another number, which is stored with each state");
        }
        this.present = present;
        this.former = former;
    }

    @Override
    public int format() {
        return present.format();
    }

    @Override
    public int version() {
        return present.version();
    }

    @Override
    public Buffer encode(S state) {
        return present.encode(state);
    }

    @Override
    public S decode(int version, Buffer payload) {
        return present.decode(version, payload);
    }

    @Override
    public S decode(int format, int version, Buffer payload) {
        return format == former.format() ? former.decode(version, payload) : present.decode(format, version, payload);
    }
}
