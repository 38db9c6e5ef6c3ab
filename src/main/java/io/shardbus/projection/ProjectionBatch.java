package io.shardbus.projection;

import io.shardbus.model.FencingToken;
import java.util.List;

/**
 * Consecutive events of one log, and the move of the offset that belongs to them.
 *
 * @param projection its name
 * @param log the store's number of the log
 * @param before the present offset
 * @param after the offset when these events are handled
 * @param token of the worker; the store refuses moves of the offset with an older token
 * @param events in order
 */
public record ProjectionBatch<E>(
        String projection, int log, long before, long after, FencingToken token, List<EventEnvelope<E>> events) {
    public ProjectionBatch {
        events = List.copyOf(events);
    }
}
