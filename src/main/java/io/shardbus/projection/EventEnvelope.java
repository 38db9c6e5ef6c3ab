package io.shardbus.projection;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stored event as a projection sees it.
 *
 * @param id of the entity
 * @param sequenceNumber of the event among those of the entity, from 1
 * @param log the store's number of the log
 * @param position of the row in the log, from 1. Log and position identify a stored row, also when it comes again; a
 *     codec that decodes a row into several events gives all of them the same position
 * @param event null if the row is the deletion of the entity
 * @param tags that were stored with the event
 * @param writtenMillis when the store took the event, in milliseconds since 1970 by the store's clock; 0 if the store
 *     has no clock
 */
public record EventEnvelope<E>(
        String id,
        long sequenceNumber,
        int log,
        long position,
        @Nullable E event,
        Set<String> tags,
        long writtenMillis) {
    public boolean isDeletion() {
        return event == null;
    }
}
