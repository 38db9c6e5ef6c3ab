package io.shardbus.runtime.entity;

import io.vertx.core.Future;

/** Something that entities of one lane share, and that ends with the lane. */
public interface LanePart {
    /** The lane has no entities any more; on its event loop. The lane waits for the future. */
    Future<Void> close();
}
