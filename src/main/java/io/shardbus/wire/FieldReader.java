package io.shardbus.wire;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what {@link FieldWriter} wrote, field by field:
 *
 * <pre>{@code
 * while (in.next()) {
 *     switch (in.field()) {
 *         case 1 -> number = in.number();
 *         default -> {} // skipped
 *     }
 * }
 * }</pre>
 *
 * A field whose value is not read is skipped. Of a field that comes twice the last value counts, unless it is a list.
 * Bytes that are no record cause a {@link WireFormatException}; no length in it makes a reader take more memory than
 * the bytes that are there.
 */
public final class FieldReader {
    private static final int FIXED_32 = 5;
    private static final int FORM = (1 << FieldWriter.FORM_BITS) - 1;

    private final byte[] in;
    private final int end;
    private int position;
    private int begin;
    private int field;
    private int form;
    private boolean pending;

    public FieldReader(byte[] in) {
        this(in, 0, in.length);
    }

    public FieldReader(byte[] in, int start, int end) {
        this.in = in;
        this.position = start;
        this.end = end;
    }

    /** Goes to the next field; false at the end. */
    public boolean next() {
        if (pending) {
            skip();
        }
        if (position == end) {
            return false;
        }
        begin = position;
        long tag = varint();
        long number = tag >>> FieldWriter.FORM_BITS;
        if (number < 1 || number > Integer.MAX_VALUE) {
            throw new WireFormatException("a field of number " + number);
        }
        field = (int) number;
        form = (int) tag & FORM;
        pending = true;
        return true;
    }

    /** Number of bytes that are left. */
    public int length() {
        return end - position;
    }

    /** The number of the present field. */
    public int field() {
        return field;
    }

    private void skip() {
        pending = false;
        switch (form) {
            case FieldWriter.VARINT -> varint();
            case FieldWriter.FIXED -> advance(Long.BYTES);
            case FieldWriter.BYTES -> advance(size());
            case FIXED_32 -> advance(Integer.BYTES);
            default -> throw new WireFormatException("a field of form " + form);
        }
    }

    /** Position at which the present field begins. */
    int begin() {
        return begin;
    }

    /** A reader at the field that begins there. */
    FieldReader at(int start) {
        FieldReader one = new FieldReader(in, start, end);
        one.next();
        return one;
    }

    /** Skips the present field and returns it whole, for {@link FieldWriter#raw}. */
    public byte[] whole() {
        skip();
        return Arrays.copyOfRange(in, begin, position);
    }

    public long number() {
        expect(FieldWriter.VARINT);
        return varint();
    }

    /** A number from 0 to the greatest int. */
    public int count() {
        long number = number();
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new WireFormatException("field " + field + " is " + number);
        }
        return (int) number;
    }

    public long signed() {
        long number = number();
        return (number >>> 1) ^ -(number & 1);
    }

    public long fixed() {
        expect(FieldWriter.FIXED);
        int start = advance(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value |= (in[start + i] & 0xffL) << (Byte.SIZE * i);
        }
        return value;
    }

    public boolean flag() {
        return number() != 0;
    }

    public String text() {
        expect(FieldWriter.BYTES);
        int size = size();
        int start = advance(size);
        String text = new String(in, start, size, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            requireText(start, size);
        }
        return text;
    }

    /** The replacement character may be meant, or stand for bytes that are no text. */
    private void requireText(int start, int size) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(in, start, size));
        } catch (CharacterCodingException e) {
            throw new WireFormatException("field " + field + " is no text: " + e);
        }
    }

    public byte[] bytes() {
        expect(FieldWriter.BYTES);
        int size = size();
        int start = advance(size);
        return Arrays.copyOfRange(in, start, start + size);
    }

    /** A record in this one. */
    public FieldReader record() {
        expect(FieldWriter.BYTES);
        int size = size();
        int start = advance(size);
        return new FieldReader(in, start, start + size);
    }

    /** Position of the reader: after the value that was read last. */
    public int position() {
        return position;
    }

    public NodeId node() {
        String value = text();
        if (value.isBlank()) {
            throw new WireFormatException("blank node id");
        }
        return new NodeId(value);
    }

    public FencingToken token() {
        FieldReader token = record();
        long term = 0;
        long incarnation = 0;
        long sequence = 0;
        while (token.next()) {
            switch (token.field()) {
                case 1 -> term = token.number();
                case 2 -> incarnation = token.fixed();
                case 3 -> sequence = token.number();
                default -> {}
            }
        }
        return new FencingToken(term, incarnation, sequence);
    }

    public TermId term() {
        FieldReader term = record();
        long number = 0;
        long incarnation = 0;
        while (term.next()) {
            switch (term.field()) {
                case 1 -> number = term.number();
                case 2 -> incarnation = term.fixed();
                default -> {}
            }
        }
        return new TermId(number, incarnation);
    }

    private void expect(int wanted) {
        if (!pending || form != wanted) {
            throw new WireFormatException("field " + field + " has form " + form + ", expected " + wanted);
        }
        pending = false;
    }

    private int size() {
        long size = varint();
        if (size < 0 || size > end - position) {
            throw new WireFormatException("a field of " + size + " bytes where " + (end - position) + " are");
        }
        return (int) size;
    }

    /** Whether numbers without a field follow. */
    public boolean hasMore() {
        return position < end;
    }

    /** A number alone from 0 to the greatest int. */
    public int bareCount() {
        long number = varint();
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new WireFormatException("a count of " + number);
        }
        return (int) number;
    }

    /** A number alone, without a field. */
    public long varint() {
        int at = position;
        int most = Math.min(end, at + FieldWriter.LONGEST_VARINT);
        long value = 0;
        for (int shift = 0; at < most; shift += 7) {
            byte next = in[at++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                position = at;
                return value;
            }
        }
        throw new WireFormatException("a number that does not end, at " + position);
    }

    private int advance(int bytes) {
        if (bytes < 0 || bytes > end - position) {
            throw new WireFormatException("ends after " + end + " bytes, " + bytes + " more wanted at " + position);
        }
        int start = position;
        position += bytes;
        return start;
    }
}
