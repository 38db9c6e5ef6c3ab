package io.shardbus.testkit;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;

/** Event in the life of the entity of an {@link EntityTestKit}: it started, stopped or failed. */
public sealed interface EntityEffect {
    /** An instance was started. */
    record Started(StartReason reason) implements EntityEffect {}

    /** An instance was stopped, or ended; with PASSIVATION if it was passivated. */
    record Stopped(StopReason reason) implements EntityEffect {}

    /** The entity's code threw, or its start failed, and its restart policy took this action. */
    record Failed(Throwable failure, RestartPolicy.Action action) implements EntityEffect {}
}
