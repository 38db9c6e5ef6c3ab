package io.shardbus.spi;

import java.util.Objects;
import java.util.function.Function;

/**
 * Addressing by envelopes of the program's own, beside the {@link io.shardbus.ShardingEnvelope}: from the envelope come
 * the entity's id and the message that is inside. The envelope stays on the node of the sender; what travels, and what
 * the entity gets, is the message. Pure, quick, called on any thread.
 *
 * @param <E> the class of the envelopes
 * @param <M> the class of the messages
 */
public interface EnvelopeExtractor<E, M> extends MessageExtractor<M> {
    /** Of this class, or of one below it, are the envelopes. */
    Class<E> envelopeClass();

    /** The id of the entity that the envelope is for. */
    String envelopeEntityId(E envelope);

    /** The message that is inside. */
    M entityMessage(E envelope);

    /** Of a message that comes without an envelope: refused, unless this is overridden. */
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
