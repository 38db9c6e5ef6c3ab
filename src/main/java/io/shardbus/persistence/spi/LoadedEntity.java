package io.shardbus.persistence.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stored snapshot and events of an event-sourced entity.
 *
 * @param snapshot null if there is none
 * @param events those after the snapshot, in the order of their sequence numbers, up to the limit of the call or the
 *     end of a full answer, see {@link ReadBytes}
 * @param more whether there are events after these; also true where a full answer has ended and there may be some
 */
public record LoadedEntity(String id, @Nullable SnapshotRow snapshot, List<EventRow> events, boolean more) {
    public LoadedEntity {
        events = List.copyOf(events);
    }
}
