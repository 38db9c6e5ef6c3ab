package io.shardbus.persistence.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stored snapshot and events of an event-sourced entity.
 *
 * @param snapshot null if there is none
 * @param events those after the snapshot, in the order of their sequence numbers, up to the limit of the call
 * @param more whether there are events after these
 */
public record LoadedEntity(String id, @Nullable SnapshotRow snapshot, List<EventRow> events, boolean more) {
    public LoadedEntity {
        events = List.copyOf(events);
    }
}
