package io.shardbus.spi;

import io.shardbus.MessageExtractor;
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

    /** The 32 bits of the hash; Kafka drops the sign before it takes the remainder. */
    static int hash(String entityId) {
        return KafkaHash.murmur2(entityId.getBytes(StandardCharsets.UTF_8));
    }
}
