package io.shardbus.spi;

/**
 * Addressing by {@link String#hashCode}, for programs that move from Akka or Pekko: an entity's shard has the number
 * that their extractors by hash code give it. There is one exception: for the hash code {@link Integer#MIN_VALUE} they
 * give a negative number, and this extractor the same number without the sign. A lambda that takes the id from a
 * message is enough: {@code HashCodeMessageExtractor.by(Order::id)}.
 *
 * @param <M> the class of the messages
 */
@FunctionalInterface
public interface HashCodeMessageExtractor<M> extends MessageExtractor<M> {
    /** An extractor with this function from a message to an id. */
    static <M> HashCodeMessageExtractor<M> by(HashCodeMessageExtractor<M> entityId) {
        return entityId;
    }

    /** The shard of an id. */
    static int shardOf(String entityId, int numberOfShards) {
        int hash = entityId.hashCode();
        return hash == Integer.MIN_VALUE ? -(hash % numberOfShards) : Math.abs(hash) % numberOfShards;
    }

    @Override
    default int shard(String entityId, int numberOfShards) {
        return shardOf(entityId, numberOfShards);
    }

    @Override
    default String version() {
        return "hash-code-1";
    }
}
