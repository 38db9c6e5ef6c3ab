package io.shardbus.projection;

import io.shardbus.model.FencingToken;
import java.util.List;

/**
 * Events of one log that follow each other, and the move of the offset that belongs to them.
 *
 * @param projection its name
 * @param log the store's number of the log
 * @param before where the offset is
 * @param after where it is when these events are handled
 * @param token of the worker: an older one moves no offset
 * @param events in order
 */
public record ProjectionBatch<E>(
        String projection, int log, long before, long after, FencingToken token, List<EventEnvelope<E>> events) {
    public ProjectionBatch {
        events = List.copyOf(events);
    }
}
