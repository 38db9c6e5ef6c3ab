package io.shardbus.spi;

import java.nio.charset.StandardCharsets;

/**
 * Addressing by the hash of Kafka's default partitioner (32-bit MurmurHash2, seed 0x9747b28c, of the id's UTF-8 bytes):
 * with as many shards as a topic has partitions, an entity's shard has the number of its key's partition. A lambda that
 * takes the id from a message is enough: {@code KafkaMessageExtractor.by(Order::id)}.
 *
 * @param <M> the class of the messages
 */
@FunctionalInterface
public interface KafkaMessageExtractor<M> extends MessageExtractor<M> {
    /** An extractor with this function from a message to an id. */
    static <M> KafkaMessageExtractor<M> by(KafkaMessageExtractor<M> entityId) {
        return entityId;
    }

    @Override
    default int shard(String entityId, int numberOfShards) {
        return (hash(entityId) & Integer.MAX_VALUE) % numberOfShards;
    }

    @Override
    default String version() {
        return "kafka-1";
    }

    /**
     * The 32 bits of the hash: MurmurHash2 (Austin Appleby, public domain); Kafka drops the sign before it takes the
     * remainder.
     */
    static int hash(String entityId) {
        byte[] bytes = entityId.getBytes(StandardCharsets.UTF_8);
        int h = 0x9747b28c ^ bytes.length;
        int tail = bytes.length & ~3;
        for (int i = 0; i < tail; i += 4) {
            h = h * 0x5bd1e995 ^ scramble(word(bytes, i, 4));
        }
        if (tail < bytes.length) {
            h = (h ^ word(bytes, tail, bytes.length - tail)) * 0x5bd1e995;
        }
        h = (h ^ h >>> 13) * 0x5bd1e995;
        return h ^ h >>> 15;
    }

    private static int scramble(int word) {
        int k = word * 0x5bd1e995;
        return (k ^ k >>> 24) * 0x5bd1e995;
    }

    private static int word(byte[] bytes, int from, int count) {
        int k = 0;
        for (int i = count - 1; i >= 0; i--) {
            k = k << 8 | bytes[from + i] & 0xff;
        }
        return k;
    }
}
