package io.shardbus.store;

import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermRecord;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a term record, one for all stores. Version 1, for a record that does not say who holds leases: the version
 * in one byte; term, incarnation and beat in eight bytes each, the greatest byte first; the owner in UTF-8 up to the end.
 * Version 2, for one that does: the number of holders in four bytes before the owner, then each holder in alphabetical order as
 * its length in two bytes and its name in UTF-8. Versions 3 and 4 are 1 and 2 for leases of another length than the usual one, which
 * stands in eight bytes after the beat. Equal records have equal bytes, so a store may compare bytes.
 */
public final class TermRecordCodec {
    private static final byte WITHOUT_HOLDERS = 1;
    private static final byte WITH_HOLDERS = 2;
    /** What the versions of records that say how long leases last have more. */
    private static final byte WITH_LEASE = 2;

    private static final int OWNER_OFFSET = 1 + 3 * Long.BYTES;

    private TermRecordCodec() {}

    public static byte[] encode(TermRecord record) {
        var bytes = new ByteArrayOutputStream();
        var holders = record.holders();
        try (var out = new DataOutputStream(bytes)) {
            boolean usual = record.leaseMillis() == TermRecord.USUAL_LEASE;
            out.writeByte((holders == null ? WITHOUT_HOLDERS : WITH_HOLDERS) + (usual ? 0 : WITH_LEASE));
            out.writeLong(record.term());
            out.writeLong(record.incarnation());
            out.writeLong(record.beat());
            if (!usual) {
                out.writeLong(record.leaseMillis());
            }
            if (holders != null) {
                out.writeInt(holders.size());
                for (var holder : new TreeSet<>(holders)) {
                    var name = holder.value().getBytes(StandardCharsets.UTF_8);
                    out.writeShort(name.length);
                    out.write(name);
                }
            }
            out.write(record.owner().value().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return bytes.toByteArray();
    }

    /** @throws UnreadableRecordException if the bytes are not a term record of a version that is known here */
    public static TermRecord decode(byte[] bytes) {
        if (bytes.length == 0) {
            throw new UnreadableRecordException("a term record of no bytes");
        }
        if (bytes[0] < WITHOUT_HOLDERS || bytes[0] > WITH_HOLDERS + WITH_LEASE) {
            throw new UnreadableRecordException("a term record of version " + Byte.toUnsignedInt(bytes[0])
                    + "; this release reads versions 1 to 4 only");
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
            boolean usual = bytes[0] <= WITH_HOLDERS;
            long lease = usual ? TermRecord.USUAL_LEASE : buffer.getLong();
            var holders =
                    bytes[0] == WITHOUT_HOLDERS || bytes[0] == WITHOUT_HOLDERS + WITH_LEASE ? null : holders(buffer);
            return new TermRecord(term, node(buffer, buffer.remaining()), incarnation, beat, lease, holders);
        } catch (IllegalArgumentException | BufferUnderflowException | CharacterCodingException e) {
            throw new UnreadableRecordException("a term record with an impossible field: " + e.getMessage(), e);
        }
    }

    private static @Nullable Set<NodeId> holders(ByteBuffer buffer) throws CharacterCodingException {
        var holders = new TreeSet<NodeId>();
        for (int left = buffer.getInt(); left > 0; left--) {
            holders.add(node(buffer, Short.toUnsignedInt(buffer.getShort())));
        }
        return holders;
    }

    private static NodeId node(ByteBuffer buffer, int length) throws CharacterCodingException {
        if (length > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        var name = StandardCharsets.UTF_8
                .newDecoder()
                .decode(buffer.slice(buffer.position(), length))
                .toString();
        buffer.position(buffer.position() + length);
        return new NodeId(name);
    }
}
