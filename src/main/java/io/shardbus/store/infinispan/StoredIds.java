package io.shardbus.store.infinispan;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The ids of a bucket in their stored form, see {@link IdBucketCodec}. Most buckets are only compared, or written with
 * another fence: a million ids that come back are made strings once.
 */
final class StoredIds {
    static final StoredIds NONE = of(Set.of());

    private final byte[] bytes;

    private StoredIds(byte[] bytes) {
        this.bytes = bytes;
    }

    static StoredIds of(Set<String> ids) {
        return new StoredIds(IdBucketCodec.encodeIds(ids));
    }

    /** Reads the ids of a bucket after its head, up to its last id. */
    static StoredIds readFrom(ByteBuffer in) {
        int start = in.position();
        for (int left = in.getInt(); left > 0; left--) {
            int length = Short.toUnsignedInt(in.getShort());
            if (length > in.remaining()) {
                throw new BufferUnderflowException();
            }
            in.position(in.position() + length);
        }
        int offset = in.arrayOffset();
        return new StoredIds(Arrays.copyOfRange(in.array(), offset + start, offset + in.position()));
    }

    int size() {
        return ByteBuffer.wrap(bytes).getInt();
    }

    /** Bytes that they take in a bucket. */
    int length() {
        return bytes.length;
    }

    /** The stored form itself: not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    void addTo(Set<String> ids) {
        IdBucketCodec.decodeIds(ByteBuffer.wrap(bytes), ids);
    }

    /** A copy that may be changed. */
    Set<String> toSet() {
        var ids = new HashSet<String>(Math.max(16, 2 * size()));
        addTo(ids);
        return ids;
    }

    /** The same ids in the same order. */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof StoredIds ids && Arrays.equals(bytes, ids.bytes));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return toSet().toString();
    }
}
