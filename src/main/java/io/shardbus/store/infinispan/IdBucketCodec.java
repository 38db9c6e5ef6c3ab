package io.shardbus.store.infinispan;

import io.shardbus.model.FencingToken;
import io.shardbus.model.UnknownFields;
import io.shardbus.store.UnreadableRecordException;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The stored form of a bucket, version 2: the version in one byte, then numbered fields, the ids last: their number in
 * four bytes, and each in UTF-8 after its length in two bytes. Fields of a later build stay. Version 1, which is only
 * read, has the same without numbers: the fence in three times eight bytes, the greatest byte first; the number of
 * lives in one byte and for each its name and how often it wrote, in eight bytes; the ids. A key: a 1 in one byte, the
 * type after its length in two bytes, the shard in four bytes and the bucket's number in one.
 */
final class IdBucketCodec {
    private static final byte VERSION = 2;
    private static final byte WITHOUT_FIELDS = 1;
    private static final byte BUCKET = 1;

    private static final int FENCE = 1;
    private static final int WRITE = 2;
    private static final int IDS = 3;
    /** Raise it with each new field. */
    private static final int LAST_KNOWN = IDS;

    /** Key of a bucket. */
    record Key(String type, int shard, int bucket) {
        byte[] bytes() {
            return key(type, shard, bucket);
        }
    }

    private IdBucketCodec() {}

    static byte[] key(String type, int shard, int bucket) {
        var name = type.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Short.BYTES + name.length + Integer.BYTES + 1)
                .put(BUCKET)
                .putShort((short) name.length)
                .put(name)
                .putInt(shard)
                .put((byte) bucket)
                .array();
    }

    /** Empty for keys of other things. */
    static Optional<Key> key(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != BUCKET) {
            return Optional.empty();
        }
        try {
            var in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
            return Optional.of(new Key(text(in), in.getInt(), in.get()));
        } catch (BufferUnderflowException e) {
            throw new UnreadableRecordException("a key of remembered ids that was cut off", e);
        }
    }

    static byte[] encode(IdBucket bucket) {
        var out = new FieldWriter(128 + bucket.ids().length())
                .raw(new byte[] {VERSION})
                .token(FENCE, bucket.fence());
        bucket.writes()
                .forEach((life, count) ->
                        out.record(WRITE, write -> write.text(1, life).number(2, count)));
        return out.raw(bucket.rest().bytes()).bytes(IDS, bucket.ids().bytes()).toBytes();
    }

    static byte[] encodeIds(Set<String> ids) {
        var bytes = new ByteArrayOutputStream(Integer.BYTES + 16 * ids.size());
        try (var out = new DataOutputStream(bytes)) {
            out.writeInt(ids.size());
            for (var id : ids) {
                text(out, id);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return bytes.toByteArray();
    }

    /** Adds them to those that are there. */
    static void decodeIds(ByteBuffer in, Set<String> ids) {
        for (int left = in.getInt(); left > 0; left--) {
            ids.add(text(in));
        }
    }

    /** @throws UnreadableRecordException if the bytes are not a bucket of a version that is known here */
    static IdBucket decode(byte[] bytes) {
        try {
            if (isWithoutFields(bytes)) {
                var in = ByteBuffer.wrap(bytes);
                var head = headWithoutFields(in);
                return new IdBucket(head.fence(), head.writes(), StoredIds.readFrom(in));
            }
            var in = fields(bytes);
            var ids = in.has(IDS) ? StoredIds.readFrom(ByteBuffer.wrap(in.bytes(IDS))) : StoredIds.NONE;
            return new IdBucket(in.token(FENCE), writes(in), ids, UnknownFields.of(in.beyond(LAST_KNOWN)));
        } catch (BufferUnderflowException | WireFormatException e) {
            throw new UnreadableRecordException("remembered ids that were cut off", e);
        }
    }

    /** Number of ids in a bucket, without reading them. */
    static int size(byte[] bytes) {
        try {
            if (isWithoutFields(bytes)) {
                var in = ByteBuffer.wrap(bytes);
                headWithoutFields(in);
                return in.getInt();
            }
            var in = fields(bytes);
            return in.has(IDS) ? ByteBuffer.wrap(in.bytes(IDS)).getInt() : 0;
        } catch (BufferUnderflowException | WireFormatException e) {
            throw new UnreadableRecordException("remembered ids that were cut off", e);
        }
    }

    private static boolean isWithoutFields(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == WITHOUT_FIELDS;
    }

    private static Fields fields(byte[] bytes) {
        if (bytes.length == 0) {
            throw new BufferUnderflowException();
        }
        if (bytes[0] != VERSION) {
            throw new UnreadableRecordException("remembered ids of version " + Byte.toUnsignedInt(bytes[0])
                    + "; this build reads versions " + WITHOUT_FIELDS + " and " + VERSION + " only");
        }
        return Fields.of(new FieldReader(bytes, 1, bytes.length));
    }

    private static Map<String, Long> writes(Fields in) {
        var writes = new LinkedHashMap<String, Long>();
        in.list(WRITE, one -> Fields.of(one.record())).forEach(write -> writes.put(write.text(1), write.number(2)));
        return writes;
    }

    /** A bucket as far as its ids. */
    private static IdBucket headWithoutFields(ByteBuffer in) {
        in.get();
        var fence = new FencingToken(in.getLong(), in.getLong(), in.getLong());
        var writes = new LinkedHashMap<String, Long>();
        for (int left = in.get(); left > 0; left--) {
            writes.put(text(in), in.getLong());
        }
        return new IdBucket(fence, writes, StoredIds.NONE);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("an id of " + bytes.length + " bytes; the longest has " + 0xFFFF);
        }
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    private static String text(ByteBuffer in) {
        int length = Short.toUnsignedInt(in.getShort());
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        var text = new String(in.array(), in.arrayOffset() + in.position(), length, StandardCharsets.UTF_8);
        in.position(in.position() + length);
        return text;
    }
}
