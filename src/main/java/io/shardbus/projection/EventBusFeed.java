package io.shardbus.projection;

import io.shardbus.persistence.EventCodec;
import io.shardbus.transport.Announcer;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hands each event to the event bus, as {@link Projection#toEventBus} says; does not wait for the bus. */
final class EventBusFeed<E> extends AtLeastOnce<E> {
    private final Announcer announcer;
    private final EventCodec<E> codec;

    EventBusFeed(Vertx vertx, String address, EventCodec<E> codec) {
        this.announcer = new Announcer(vertx, address);
        this.codec = codec;
    }

    @Override
    Future<?> handleEvents(ProjectionBatch<E> batch) {
        long position = batch.before();
        int part = 0;
        for (EventEnvelope<E> event : batch.events()) {
            part = event.position() == position ? part + 1 : 0;
            position = event.position();
            publish(event, part);
        }
        return Future.succeededFuture();
    }

    private void publish(EventEnvelope<E> envelope, int part) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("id", envelope.id());
        headers.put("sequence-number", Long.toString(envelope.sequenceNumber()));
        headers.put("log", Integer.toString(envelope.log()));
        headers.put("position", Long.toString(envelope.position()));
        headers.put("part", Integer.toString(part));
        E event = envelope.event();
        announcer.publish(headers, event == null ? null : encoded(event, headers));
    }

    private @Nullable Buffer encoded(E event, Map<String, String> headers) {
        EventCodec.Encoded encoded = codec.encode(event);
        headers.put("name", encoded.name());
        headers.put("version", Integer.toString(encoded.version()));
        return encoded.payload();
    }
}
