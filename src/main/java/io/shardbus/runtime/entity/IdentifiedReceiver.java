package io.shardbus.runtime.entity;

import io.shardbus.EntityContext;
import io.vertx.core.Future;

/** An entity that stores the sender's id of a command with its effect, and so executes it once. */
public interface IdentifiedReceiver<M> {
    /**
     * As {@link io.shardbus.Entity#receive}.
     *
     * @param commandId what travelled beside the message; never empty
     */
    Future<?> receive(M message, String commandId, EntityContext<M> context);
}
