package io.shardbus.runtime.region;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingEnvelope;
import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.model.FailureCode;
import io.shardbus.model.ShardHash;
import io.shardbus.spi.EnvelopeExtractor;
import io.shardbus.spi.MessageExtractor;
import io.shardbus.spi.PayloadCodec;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Maps a message to its entity and shard; refuses what is no message of the type and what is no id. Any thread. */
public final class Addressing<M> {
    private static final int MAX_ID_BYTES = 1024;

    private final EntityType<M> type;
    private final PayloadCodec<M> codec;
    private final int numberOfShards;
    private final @Nullable MessageExtractor<M> extractor;

    Addressing(EntityDefinition<M> definition, PayloadCodec<M> codec, int numberOfShards) {
        this.type = definition.type();
        this.codec = codec;
        this.numberOfShards = numberOfShards;
        this.extractor = definition.messageExtractor().orElse(null);
    }

    /** A message with its address. */
    record Addressed(String entityId, int shard, Object payload) {}

    /** The message; refuses null and what the type does not accept. */
    Object check(@Nullable Object message) {
        if (message == null) {
            throw new ShardingException(FailureCode.INVALID_MESSAGE, "the message is null");
        }
        if (!codec.accepts(message)) {
            throw new ShardingException(
                    FailureCode.INVALID_MESSAGE,
                    message.getClass().getName() + " is not a message of entity type '" + type.name() + "' ("
                            + type.messageClass().getName() + ")");
        }
        return message;
    }

    /** The shard of an id; refuses an id that is empty, too long, or no Unicode text, or has U+0000. */
    int shard(String entityId) {
        checkId(entityId);
        int shard = shardOf(entityId);
        if (shard < 0 || shard >= numberOfShards) {
            throw new ShardingException(
                    FailureCode.INVALID_ID,
                    "the extractor of '" + type.name() + "' gives shard " + shard + ": use 0 to "
                            + (numberOfShards - 1));
        }
        return shard;
    }

    private int shardOf(String entityId) {
        if (extractor == null) {
            return ShardHash.shard(entityId, numberOfShards);
        }
        try {
            return extractor.shard(entityId, numberOfShards);
        } catch (Exception e) {
            throw extractorFailed(FailureCode.INVALID_ID, "id '" + entityId + "'", e);
        }
    }

    /** Refuses an id that is empty, too long, or no Unicode text, or has U+0000. */
    public static void checkId(String entityId) {
        int length = entityId.length();
        if (length == 0 || length > MAX_ID_BYTES || !isAscii(entityId) && utf8Length(entityId) > MAX_ID_BYTES) {
            throw new ShardingException(
                    FailureCode.INVALID_ID,
                    "entity id of " + length + " characters: use 1 to " + MAX_ID_BYTES + " bytes of UTF-8");
        }
        if (entityId.indexOf('\0') >= 0) {
            throw new ShardingException(
                    FailureCode.INVALID_ID, "the entity id has the character U+0000, which not every store takes");
        }
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Half a surrogate pair has no UTF-8: two such ids would be one entity on the wire. */
    private static int utf8Length(String text) {
        try {
            return StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(text))
                    .remaining();
        } catch (CharacterCodingException e) {
            throw new ShardingException(FailureCode.INVALID_ID, "the entity id has half a surrogate pair", e);
        }
    }

    /** The address of a start request, an envelope, or a message that the user's extractor knows. */
    Addressed address(@Nullable Object message) {
        if (message instanceof StartEntity start) {
            return new Addressed(start.entityId(), shard(start.entityId()), Envelope.START);
        }
        if (message instanceof ShardingEnvelope<?> envelope) {
            return envelope.message() instanceof StartEntity
                    ? new Addressed(envelope.entityId(), shard(envelope.entityId()), Envelope.START)
                    : addressed(envelope.entityId(), envelope.message());
        }
        if (extractor instanceof EnvelopeExtractor<?, M> own
                && own.envelopeClass().isInstance(message)) {
            return opened(own, message);
        }
        Object checked = check(message);
        return addressed(extractId(checked), checked);
    }

    /** The message in an envelope of the program's own. */
    private <E> Addressed opened(EnvelopeExtractor<E, M> own, Object message) {
        E envelope = own.envelopeClass().cast(message);
        String id;
        M inside;
        try {
            id = own.envelopeEntityId(envelope);
            inside = own.entityMessage(envelope);
        } catch (Exception e) {
            throw extractorFailed(
                    FailureCode.INVALID_MESSAGE, "a " + message.getClass().getName(), e);
        }
        if (id == null) {
            throw noId(message);
        }
        return addressed(id, inside);
    }

    private Addressed addressed(String entityId, Object message) {
        check(message);
        return new Addressed(entityId, shard(entityId), message);
    }

    @SuppressWarnings("unchecked")
    private String extractId(Object message) {
        if (extractor == null) {
            throw new ShardingException(
                    FailureCode.INVALID_ID,
                    message.getClass().getName() + " without a ShardingEnvelope: the definition of '" + type.name()
                            + "' needs a MessageExtractor");
        }
        String id;
        try {
            id = extractor.entityId((M) message);
        } catch (Exception e) {
            throw extractorFailed(
                    FailureCode.INVALID_MESSAGE, "a " + message.getClass().getName(), e);
        }
        if (id == null) {
            throw noId(message);
        }
        return id;
    }

    private ShardingException noId(Object message) {
        return new ShardingException(
                FailureCode.INVALID_ID,
                "the extractor of '" + type.name() + "' gives no id for a "
                        + message.getClass().getName());
    }

    private ShardingException extractorFailed(FailureCode code, String at, Exception failure) {
        return new ShardingException(
                code, "the extractor of '" + type.name() + "' failed at " + at + ": " + failure, failure);
    }
}
