package io.shardbus.projection;

import io.shardbus.model.FencingToken;
import java.util.List;

/**
 * Consecutive events of one log, and the move of the offset that belongs to them.
 *
 * @param projection name of the projection
 * @param log the store's number of the log
 * @param before the offset before these events: the position of the last handled row, 0 for none
 * @param after the offset after these events
 * @param token of the worker; the store refuses to move the offset with an older token
 * @param events in the order of the log
 */
public record ProjectionBatch<E>(
        String projection, int log, long before, long after, FencingToken token, List<EventEnvelope<E>> events) {
    public ProjectionBatch {
        events = List.copyOf(events);
    }
}
