package io.shardbus.spi;

import java.util.Objects;
import java.util.function.Function;

/**
 * Addressing by envelopes of the application's own, beside the {@link io.shardbus.ShardingEnvelope}: takes the entity's
 * id and the message from the envelope. The envelope stays on the sender's node; only the message is sent to the
 * entity. Pure, quick, called on any thread.
 *
 * @param <E> the class of the envelopes
 * @param <M> the class of the messages
 */
public interface EnvelopeExtractor<E, M> extends MessageExtractor<M> {
    /** The class of the envelopes, which may also be instances of subclasses. */
    Class<E> envelopeClass();

    /** The id of the entity that the envelope is for. */
    String envelopeEntityId(E envelope);

    /** The message in the envelope. */
    M entityMessage(E envelope);

    /** The id for a message that comes without an envelope. Such a message is refused unless this is overridden. */
    @Override
    default String entityId(M message) {
        throw new IllegalArgumentException("it has no envelope; use a ShardingEnvelope, or a "
                + envelopeClass().getName());
    }

    /** An extractor with these functions, and the usual shards. */
    static <E, M> EnvelopeExtractor<E, M> of(
            Class<E> envelopes, Function<E, String> entityId, Function<E, ? extends M> message) {
        Objects.requireNonNull(envelopes, "envelopes");
        Objects.requireNonNull(entityId, "entityId");
        Objects.requireNonNull(message, "message");
        return new EnvelopeExtractor<>() {
            @Override
            public Class<E> envelopeClass() {
                return envelopes;
            }

            @Override
            public String envelopeEntityId(E envelope) {
                return entityId.apply(envelope);
            }

            @Override
            public M entityMessage(E envelope) {
                return message.apply(envelope);
            }
        };
    }
}
