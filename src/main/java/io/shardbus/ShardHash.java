package io.shardbus;

import java.nio.charset.StandardCharsets;

/**
 * The default function from an entity id to a shard: 32-bit MurmurHash3 (Austin Appleby, public domain, x86 variant, seed
 * 0) of the id's UTF-8 bytes, as an unsigned number, modulo the number of shards. Test vectors are in docs/ADDRESSING.md.
 */
public final class ShardHash {
    private ShardHash() {}

    /** The shard of an id: 0 to {@code numberOfShards - 1}. */
    public static int shard(String entityId, int numberOfShards) {
        return Integer.remainderUnsigned(hash(entityId), numberOfShards);
    }

    /** The 32 bits of the hash. */
    public static int hash(String entityId) {
        byte[] bytes = entityId.getBytes(StandardCharsets.UTF_8);
        int h = 0;
        int tail = bytes.length & ~3;
        for (int i = 0; i < tail; i += 4) {
            h = Integer.rotateLeft(h ^ scramble(word(bytes, i, 4)), 13) * 5 + 0xe6546b64;
        }
        if (tail < bytes.length) {
            h ^= scramble(word(bytes, tail, bytes.length - tail));
        }
        return finish(h ^ bytes.length);
    }

    private static int word(byte[] bytes, int from, int count) {
        int k = 0;
        for (int i = count - 1; i >= 0; i--) {
            k = k << 8 | bytes[from + i] & 0xff;
        }
        return k;
    }

    private static int scramble(int k) {
        return Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
    }

    private static int finish(int hash) {
        int h = hash;
        h = (h ^ h >>> 16) * 0x85ebca6b;
        h = (h ^ h >>> 13) * 0xc2b2ae35;
        return h ^ h >>> 16;
    }
}
