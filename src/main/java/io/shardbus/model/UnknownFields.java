package io.shardbus.model;

import java.util.Arrays;

/**
 * The fields of a stored record that this build does not know, as they were read. They are kept because a record must
 * be equal to the stored one to be replaced by compare-and-set.
 */
public final class UnknownFields {
    public static final UnknownFields NONE = new UnknownFields(new byte[0]);

    private final byte[] bytes;

    private UnknownFields(byte[] bytes) {
        this.bytes = bytes;
    }

    public static UnknownFields of(byte[] bytes) {
        return bytes.length == 0 ? NONE : new UnknownFields(bytes.clone());
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnknownFields fields && Arrays.equals(bytes, fields.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
