package io.shardbus.store.infinispan;

import io.shardbus.FencingToken;
import io.shardbus.store.UnreadableRecordException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * The stored form of a bucket, version 1: the version in one byte; the fence in three times eight bytes, the greatest byte first; the
 * number of lives in one byte and for each its name and how often it wrote, in eight bytes; the number of ids in four bytes, and
 * the ids. Names and ids are UTF-8 after their length in two bytes. Its key: a 1 in one byte, the type, the shard in four bytes and the
 * bucket's number in one.
 */
final class IdBucketCodec {
    private static final byte VERSION = 1;
    private static final byte BUCKET = 1;

    /** Whose bucket it is. */
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
        var bytes = new ByteArrayOutputStream(128);
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(bucket.fence().term());
            out.writeLong(bucket.fence().incarnation());
            out.writeLong(bucket.fence().sequence());
            out.writeByte(bucket.writes().size());
            for (var write : bucket.writes().entrySet()) {
                text(out, write.getKey());
                out.writeLong(write.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        var whole = ByteBuffer.allocate(bytes.size() + bucket.ids().length()).put(bytes.toByteArray());
        bucket.ids().writeTo(whole);
        return whole.array();
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
            var in = ByteBuffer.wrap(bytes);
            var head = head(in);
            return new IdBucket(head.fence(), head.writes(), StoredIds.readFrom(in));
        } catch (BufferUnderflowException e) {
            throw new UnreadableRecordException("remembered ids that were cut off", e);
        }
    }

    /** How many ids a bucket has, without reading them. */
    static int size(byte[] bytes) {
        try {
            var in = ByteBuffer.wrap(bytes);
            head(in);
            return in.getInt();
        } catch (BufferUnderflowException e) {
            throw new UnreadableRecordException("remembered ids that were cut off", e);
        }
    }

    /** A bucket as far as its ids. */
    private static IdBucket head(ByteBuffer in) {
        byte version = in.get();
        if (version != VERSION) {
            throw new UnreadableRecordException("remembered ids of version " + Byte.toUnsignedInt(version)
                    + "; this release reads version " + VERSION + " only");
        }
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
