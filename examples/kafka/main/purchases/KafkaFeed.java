package purchases;

import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionBatch;
import io.shardbus.projection.ProjectionHandler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes the stored events of a type to a topic: the key is the entity's id, so events of one entity stay in order. The
 * offset moves when the brokers have acknowledged a batch, so a record is written at least once; its headers {@code
 * log} and {@code position} tell a consumer which it has seen.
 */
final class KafkaFeed<E> implements ProjectionHandler<E> {
    private final Vertx vertx;
    private final Producer<String, byte[]> producer;
    private final String topic;
    private final EventCodec<E> codec;

    /** @param producer closed by the caller, after the projection */
    KafkaFeed(Vertx vertx, Producer<String, byte[]> producer, String topic, EventCodec<E> codec) {
        this.vertx = vertx;
        this.producer = producer;
        this.topic = topic;
        this.codec = codec;
    }

    @Override
    public Future<Boolean> handle(ProjectionBatch<E> batch, OffsetStore offsets) {
        // a producer blocks while it looks for the topic, or its buffer is full
        return vertx.executeBlocking(
                        () -> batch.events().stream().map(this::sent).toList(), true)
                .compose(Future::all)
                .compose(all ->
                        offsets.move(batch.projection(), batch.log(), batch.before(), batch.after(), batch.token()));
    }

    private Future<Void> sent(EventEnvelope<E> event) {
        Promise<Void> acknowledged = Promise.promise();
        producer.send(written(event), (place, failure) -> {
            if (failure == null) {
                acknowledged.complete();
            } else {
                acknowledged.fail(failure);
            }
        });
        return acknowledged.future();
    }

    /** A deletion has no value: a compacted topic forgets the entity. */
    private ProducerRecord<String, byte[]> written(EventEnvelope<E> envelope) {
        E event = envelope.event();
        byte[] value = null;
        List<String> headers = new ArrayList<>(
                List.of("log", Integer.toString(envelope.log()), "position", Long.toString(envelope.position())));
        if (event != null) {
            var encoded = codec.encode(event);
            value = encoded.payload().getBytes();
            headers.addAll(List.of("name", encoded.name(), "version", Integer.toString(encoded.version())));
        }
        var written = new ProducerRecord<>(topic, envelope.id(), value);
        for (int i = 0; i < headers.size(); i += 2) {
            written.headers().add(headers.get(i), headers.get(i + 1).getBytes(StandardCharsets.UTF_8));
        }
        return written;
    }
}
