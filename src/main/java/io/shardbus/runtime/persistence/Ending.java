package io.shardbus.runtime.persistence;

import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * The end of what an entity has stored.
 *
 * @param stored completes with the answer, when the store has that there is no state any more
 * @param dropped succeeds when the store has also dropped what is void now, as far as it may
 */
record Ending(Future<@Nullable Object> stored, Future<Void> dropped) {}
