package io.shardbus.model;

import java.nio.charset.StandardCharsets;

/**
 * The default function from an entity id to a shard: 32-bit MurmurHash3 (Austin Appleby, public domain, x86 variant,
 * seed 0) of the id's UTF-8 bytes, as an unsigned number, modulo the number of shards. Test vectors are in
 * docs/reference/addressing.md.
 */
public final class ShardHash {
    private static final int FIRST_NOT_ASCII = 0x80;

    private ShardHash() {}

    /** The shard of an id: 0 to {@code numberOfShards - 1}. */
    public static int shard(String entityId, int numberOfShards) {
        return Integer.remainderUnsigned(hash(entityId), numberOfShards);
    }

    /** The 32 bits of the hash. */
    public static int hash(String entityId) {
        int h = 0;
        int length = entityId.length();
        int tail = length & ~3;
        for (int i = 0; i < tail; i += 4) {
            char first = entityId.charAt(i);
            char second = entityId.charAt(i + 1);
            char third = entityId.charAt(i + 2);
            char fourth = entityId.charAt(i + 3);
            if ((first | second | third | fourth) >= FIRST_NOT_ASCII) {
                return hash(entityId.getBytes(StandardCharsets.UTF_8));
            }
            h = mix(h, first | second << 8 | third << 16 | fourth << 24);
        }
        int last = 0;
        for (int i = length - 1; i >= tail; i--) {
            char next = entityId.charAt(i);
            if (next >= FIRST_NOT_ASCII) {
                return hash(entityId.getBytes(StandardCharsets.UTF_8));
            }
            last = last << 8 | next;
        }
        return finish(h ^ scramble(last) ^ length);
    }

    /** Of any text; that of ASCII, whose characters are its bytes, needs no copy. */
    private static int hash(byte[] bytes) {
        int h = 0;
        int tail = bytes.length & ~3;
        for (int i = 0; i < tail; i += 4) {
            h = mix(h, word(bytes, i, 4));
        }
        return finish(h ^ scramble(word(bytes, tail, bytes.length - tail)) ^ bytes.length);
    }

    private static int mix(int hash, int word) {
        return Integer.rotateLeft(hash ^ scramble(word), 13) * 5 + 0xe6546b64;
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
