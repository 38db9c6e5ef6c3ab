package io.shardbus.store;

import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermRecord;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The stored form of a term record, one for all stores. Version 1: the version in one byte; term, incarnation and beat
 * in eight bytes each, the greatest byte first; the owner in UTF-8 up to the end. Equal records have equal bytes, so a
 * store may compare bytes.
 */
public final class TermRecordCodec {
    private static final byte VERSION = 1;
    private static final int OWNER_OFFSET = 1 + 3 * Long.BYTES;

    private TermRecordCodec() {}

    public static byte[] encode(TermRecord record) {
        var owner = record.owner().value().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(OWNER_OFFSET + owner.length)
                .put(VERSION)
                .putLong(record.term())
                .putLong(record.incarnation())
                .putLong(record.beat())
                .put(owner)
                .array();
    }

    /** @throws UnreadableRecordException if the bytes are not a term record of a version that is known here */
    public static TermRecord decode(byte[] bytes) {
        if (bytes.length == 0) {
            throw new UnreadableRecordException("a term record of no bytes");
        }
        if (bytes[0] != VERSION) {
            throw new UnreadableRecordException("a term record of version " + Byte.toUnsignedInt(bytes[0])
                    + "; this release reads version " + VERSION + " only");
        }
        if (bytes.length <= OWNER_OFFSET) {
            throw new UnreadableRecordException(
                    "a term record of " + bytes.length + " bytes; the shortest has " + (OWNER_OFFSET + 1));
        }
        var buffer = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        var term = buffer.getLong();
        var incarnation = buffer.getLong();
        var beat = buffer.getLong();
        try {
            return new TermRecord(term, new NodeId(owner(buffer).toString()), incarnation, beat);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw new UnreadableRecordException("a term record with an impossible field: " + e.getMessage(), e);
        }
    }

    private static CharBuffer owner(ByteBuffer buffer) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(buffer);
    }
}
