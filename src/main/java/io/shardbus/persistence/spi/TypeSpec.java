package io.shardbus.persistence.spi;

/**
 * A type as a node started it.
 *
 * @param name of the entity type
 * @param model what its entities store
 * @param shards number of shards
 * @param addressing the function that gives an id its shard; with another one ids change shards
 */
public record TypeSpec(String name, Model model, int shards, String addressing) {
    /** Persistence model of a type. The names are stored. */
    public enum Model {
        /** Events, and snapshots of the state that they lead to. */
        EVENTS,
        /** The state as a whole. */
        STATE
    }
}
