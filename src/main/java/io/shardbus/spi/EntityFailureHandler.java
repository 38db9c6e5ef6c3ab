package io.shardbus.spi;

import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;

/**
 * The application's handler for failures of its entities, called for each failure to which the restart policy applied:
 * an exception of {@code receive}, and a {@code started} that failed. It is not called for an {@link
 * io.shardbus.EntityFailure} of {@code receive} and for a failed future, which are answers.
 *
 * <p>Called on the event loop of the entity's lane, for each execution model, in the order of the failures on that
 * lane; different lanes call at the same time. It is called after the ask has failed and the policy has acted, so a
 * message that it sends to the entity meets the result of the policy. It must not block. An exception is logged and
 * counted as {@code failure_handler_failures}.
 */
@FunctionalInterface
public interface EntityFailureHandler {
    void entityFailed(Report report);

    /**
     * One failure.
     *
     * @param type the name of the entity type
     * @param node the node on which the entity failed
     * @param failure the exception of the code, or the reason why the start failed
     * @param action what the policy did
     * @param failuresInARow number of failures since a message last succeeded, this one included; at least 1
     */
    record Report(
            String type,
            String id,
            int shard,
            NodeId node,
            Throwable failure,
            RestartPolicy.Action action,
            int failuresInARow) {}
}
