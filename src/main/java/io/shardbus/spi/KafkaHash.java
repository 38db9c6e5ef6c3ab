package io.shardbus.spi;

/** 32-bit MurmurHash2 (Austin Appleby, public domain) with Kafka's seed. */
final class KafkaHash {
    private static final int SEED = 0x9747b28c;
    private static final int M = 0x5bd1e995;

    private KafkaHash() {}

    static int murmur2(byte[] bytes) {
        int h = SEED ^ bytes.length;
        int tail = bytes.length & ~3;
        for (int i = 0; i < tail; i += 4) {
            h = h * M ^ scramble(word(bytes, i, 4));
        }
        if (tail < bytes.length) {
            h = (h ^ word(bytes, tail, bytes.length - tail)) * M;
        }
        h = (h ^ h >>> 13) * M;
        return h ^ h >>> 15;
    }

    private static int scramble(int word) {
        int k = word * M;
        return (k ^ k >>> 24) * M;
    }

    private static int word(byte[] bytes, int from, int count) {
        int k = 0;
        for (int i = count - 1; i >= 0; i--) {
            k = k << 8 | bytes[from + i] & 0xff;
        }
        return k;
    }
}
