package io.shardbus.model;

import java.util.Objects;

/**
 * Identity of the store of a type's entities. All nodes that host a type have the same.
 *
 * @param id the same for all connections and processes of one store, and different for each store
 * @param name for operators, as the node names the store; without passwords
 * @param highestTerm the highest term of a fencing token that it has stored, 0 for none; the cluster's terms must be
 *     higher
 */
public record SharedStore(String id, String name, long highestTerm) {
    public SharedStore {
        Objects.requireNonNull(name, "name");
        if (id.isEmpty()) {
            throw new IllegalArgumentException("the id of a store is empty");
        }
    }

    /** A store that compares no fencing tokens. */
    public SharedStore(String id, String name) {
        this(id, name, 0);
    }
}
