package io.shardbus.persistence.spi;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A durable state of an entity. It takes the place of the entity's row with the revision before.
 *
 * @param id of the entity
 * @param revision 1 for the first, one more for each next
 * @param position in the log: each write moves the entity's row to the log's end
 * @param version of the state's form
 * @param format number of the codec that wrote the payload
 * @param payload null: the state was deleted
 * @param meta what the runtime stores with the state; null for nothing
 */
public record StateRow(
        String id,
        long revision,
        long position,
        int version,
        int format,
        @Nullable Buffer payload,
        @Nullable Buffer meta) {}
