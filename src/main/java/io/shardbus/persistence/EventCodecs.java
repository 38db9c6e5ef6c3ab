package io.shardbus.persistence;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/** A codec of today, and a former one for the events that it has written. */
final class EventCodecs<E> implements EventCodec<E> {
    private final EventCodec<E> present;
    private final EventCodec<? extends E> former;

    EventCodecs(EventCodec<E> present, EventCodec<? extends E> former) {
        if (present.format() == former.format()) {
            throw new IllegalArgumentException("both codecs have format " + present.format()
                    + ": give the new one another number, which is stored with each event");
        }
        this.present = present;
        this.former = former;
    }

    @Override
    public int format() {
        return present.format();
    }

    @Override
    public Encoded encode(E event) {
        return present.encode(event);
    }

    @Override
    public List<E> decode(String name, int version, Buffer payload) {
        return present.decode(name, version, payload);
    }

    @Override
    public List<E> decode(int format, String name, int version, Buffer payload) {
        return format == former.format()
                ? List.copyOf(former.decode(name, version, payload))
                : present.decode(format, name, version, payload);
    }
}
