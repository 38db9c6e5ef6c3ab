package io.shardbus.persistence;

import io.shardbus.EntityType;

/** Range of the numbers of codecs, which stores keep in two bytes. */
final class CodecFormats {
    private static final int LARGEST = Short.MAX_VALUE;

    private CodecFormats() {}

    static void require(EntityType<?> type, String what, int format) {
        if (format < 0 || format > LARGEST) {
            throw new IllegalArgumentException("entity type '" + type.name() + "': the codec of its " + what
                    + " has format " + format + ": use 0 to 32,767");
        }
    }
}
