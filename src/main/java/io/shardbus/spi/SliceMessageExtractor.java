package io.shardbus.spi;

/**
 * Addressing by slices: each shard holds a range of the {@value #SLICES} slices of a database, all ranges of the same
 * size. Made for types whose shards the strategy {@code slice-ranges} places. A lambda that takes the id from a message
 * is enough.
 */
@FunctionalInterface
public interface SliceMessageExtractor<M> extends MessageExtractor<M> {
    /** The number of slices. */
    int SLICES = 1024;

    /** An extractor with this function from a message to an id. */
    static <M> SliceMessageExtractor<M> by(SliceMessageExtractor<M> entityId) {
        return entityId;
    }

    /**
     * The slice of an id: the remainder of its {@link String#hashCode} by {@value #SLICES}, without the sign, as in the
     * databases of Akka and Pekko.
     */
    static int sliceOf(String entityId) {
        return Math.abs(entityId.hashCode() % SLICES);
    }

    /**
     * {@inheritDoc}
     *
     * @param numberOfShards a divisor of {@value #SLICES}
     * @throws IllegalArgumentException for another number of shards
     */
    @Override
    default int shard(String entityId, int numberOfShards) {
        if (numberOfShards < 1 || SLICES % numberOfShards != 0) {
            throw new IllegalArgumentException("numberOfShards = " + numberOfShards + ": must divide " + SLICES
                    + " without remainder, as 1024, 512 or 64 do");
        }
        return sliceOf(entityId) / (SLICES / numberOfShards);
    }

    @Override
    default String version() {
        return "slices-1";
    }
}
