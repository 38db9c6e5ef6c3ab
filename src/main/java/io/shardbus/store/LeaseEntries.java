package io.shardbus.store;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * Small texts that the nodes of a cluster agree on, by key; what is said of the futures of a state store holds here as
 * well.
 */
public interface LeaseEntries {
    /** The agreed text; empty if there is none. Never older than one that a completed write of any node wrote. */
    Future<Optional<String>> read(String key);

    /**
     * Writes if the agreed text is the expected one; empty stands for none.
     *
     * @return true: written; false: it was another one. A failure says nothing
     */
    Future<Boolean> replace(String key, Optional<String> expected, Optional<String> next);
}
