package io.shardbus.persistence.spi;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An event of an entity.
 *
 * @param id of the entity
 * @param sequence 1 for the entity's first event, one more for each next; a tombstone has one, too
 * @param position in the log
 * @param name of the event, not of its class
 * @param version of the event's form
 * @param format number of the codec that wrote the payload
 * @param payload null for a tombstone: the entity was deleted
 * @param meta what the runtime stores with the event; null for nothing
 * @param tags without the character U+001F
 * @param reminders the reminders that are set and cancelled with this event; empty in rows that are read. In one call
 *     at most one row of an entity changes reminders: by these changes, or as a tombstone, which cancels all reminders
 *     of the entity.
 */
public record EventRow(
        String id,
        long sequence,
        long position,
        String name,
        int version,
        int format,
        @Nullable Buffer payload,
        @Nullable Buffer meta,
        Set<String> tags,
        List<ReminderChange> reminders) {
    private static final char TAG_END = '\u001f';

    /** @throws IllegalArgumentException for a tag with the character U+001F */
    public EventRow {
        tags = Set.copyOf(tags);
        for (String tag : tags) {
            if (tag.indexOf(TAG_END) >= 0) {
                throw new IllegalArgumentException(
                        "a tag of event " + sequence + " has the character U+001F, which separates stored tags");
            }
        }
        reminders = List.copyOf(reminders);
    }

    /** An event that changes no reminder. */
    public EventRow(
            String id,
            long sequence,
            long position,
            String name,
            int version,
            int format,
            @Nullable Buffer payload,
            @Nullable Buffer meta,
            Set<String> tags) {
        this(id, sequence, position, name, version, format, payload, meta, tags, List.of());
    }
}
