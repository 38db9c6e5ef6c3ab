package io.shardbus.wire;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * Writes a record of numbered fields in the wire format of Protocol Buffers: a field is its number and the form of its
 * value in one varint, then the value. Fields are written in the order of the calls, so equal records that are written
 * by the same code have equal bytes. A number 0, a false flag and an empty text are left out: that is what a reader
 * makes of a field that is missing.
 */
public final class FieldWriter {
    static final int VARINT = 0;
    static final int FIXED = 1;
    static final int BYTES = 2;
    static final int FORM_BITS = 3;

    /** The most bytes of a varint. */
    static final int LONGEST_VARINT = 10;

    private byte[] bytes;
    private int length;

    public FieldWriter() {
        this(64);
    }

    /** @param capacity initial size in bytes */
    public FieldWriter(int capacity) {
        this.bytes = new byte[capacity];
    }

    /** Begins anew, with the room that it has. */
    public FieldWriter clear() {
        length = 0;
        return this;
    }

    /** A number; small ones that are not negative take the fewest bytes. */
    public FieldWriter number(int field, long value) {
        return value == 0 ? this : tag(field, VARINT).varint(value);
    }

    /** A number that may well be negative. */
    public FieldWriter signed(int field, long value) {
        return number(field, (value << 1) ^ (value >> (Long.SIZE - 1)));
    }

    /** A number that is most often large, in eight bytes. */
    public FieldWriter fixed(int field, long value) {
        if (value == 0) {
            return this;
        }
        tag(field, FIXED);
        ensure(Long.BYTES);
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[length++] = (byte) (value >>> (Byte.SIZE * i));
        }
        return this;
    }

    public FieldWriter flag(int field, boolean value) {
        return number(field, value ? 1 : 0);
    }

    public FieldWriter text(int field, String value) {
        return value.isEmpty() ? this : bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes, written also when there are none. */
    public FieldWriter bytes(int field, byte[] value) {
        tag(field, BYTES).varint(value.length);
        return raw(value);
    }

    /** A record inside this one, written also if it is empty. */
    public FieldWriter record(int field, Consumer<FieldWriter> content) {
        tag(field, BYTES);
        ensure(1);
        int start = ++length;
        content.accept(this);
        int size = length - start;
        int more = varintLength(size) - 1;
        if (more > 0) {
            ensure(more);
            System.arraycopy(bytes, start, bytes, start + more, size);
        }
        length = start - 1;
        varint(size);
        length += size;
        return this;
    }

    /** Numbers one after the other in the bytes of one field; never fields. */
    public FieldWriter numbers(int field, Collection<Integer> values) {
        FieldWriter all = new FieldWriter(2 * values.size());
        values.forEach(all::varint);
        return tag(field, BYTES).varint(all.length).raw(all.toBytes());
    }

    public FieldWriter node(int field, NodeId node) {
        return text(field, node.value());
    }

    public FieldWriter token(int field, FencingToken token) {
        return record(
                field,
                out -> out.number(1, token.term()).fixed(2, token.incarnation()).number(3, token.sequence()));
    }

    public FieldWriter term(int field, TermId term) {
        return record(field, out -> out.number(1, term.number()).fixed(2, term.incarnation()));
    }

    /** Fields as a reader has kept them, or other bytes if the format allows them. */
    public FieldWriter raw(byte[] fields) {
        ensure(fields.length);
        System.arraycopy(fields, 0, bytes, length, fields.length);
        length += fields.length;
        return this;
    }

    /** A number alone, without a field. */
    public FieldWriter varint(long value) {
        ensure(LONGEST_VARINT);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return this;
    }

    private static int varintLength(int value) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(value | 1);
        return (bits + 6) / 7;
    }

    private FieldWriter tag(int field, int form) {
        return varint((long) field << FORM_BITS | form);
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    public int length() {
        return length;
    }

    /** The bytes themselves, of which the first {@link #length} count, until the next call. */
    public byte[] array() {
        return bytes;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}
