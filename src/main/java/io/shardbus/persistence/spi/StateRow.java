package io.shardbus.persistence.spi;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A durable state of an entity. It replaces the entity's row with the previous revision.
 *
 * @param id of the entity
 * @param revision 1 for the first, one more for each next
 * @param position in the log: each write moves the entity's row to the log's end
 * @param version of the state's form
 * @param format number of the codec that wrote the payload
 * @param payload null: the state was deleted
 * @param meta what the runtime stores with the state; null for nothing
 * @param reminders as {@link EventRow#reminders}; a state that was deleted cancels all
 */
public record StateRow(
        String id,
        long revision,
        long position,
        int version,
        int format,
        @Nullable Buffer payload,
        @Nullable Buffer meta,
        List<ReminderChange> reminders) {
    public StateRow {
        reminders = List.copyOf(reminders);
    }

    /** A state that changes no reminder. */
    public StateRow(
            String id,
            long revision,
            long position,
            int version,
            int format,
            @Nullable Buffer payload,
            @Nullable Buffer meta) {
        this(id, revision, position, version, format, payload, meta, List.of());
    }
}
