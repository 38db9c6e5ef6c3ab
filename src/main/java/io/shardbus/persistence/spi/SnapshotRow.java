package io.shardbus.persistence.spi;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * The state of an event-sourced entity after one of its events. It replaces an earlier one.
 *
 * @param id of the entity
 * @param sequence of the last event in it
 * @param version of the state's form
 * @param format number of the codec that wrote the payload
 * @param meta what the runtime stores with it; null for nothing
 */
public record SnapshotRow(
        String id,
        long sequence,
        int version,
        int format,
        Buffer payload,
        @Nullable Buffer meta) {}
