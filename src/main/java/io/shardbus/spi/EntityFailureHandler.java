package io.shardbus.spi;

import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;

/**
 * The application's ear for failures of its entities: it hears of each one to which the restart policy applied. That is
 * code of {@code receive} that threw, and a {@code started} that failed; not an {@link io.shardbus.EntityFailure} of
 * {@code receive} and not a failed future, which are answers.
 *
 * <p>Called on the event loop of the entity's lane, for each execution model, in the order of the failures on that
 * lane; lanes call at the same time. It comes after the failed ask was failed and after the policy has acted, so a
 * message sent from here finds what the policy left. It must not block. What it throws is logged and counted as
 * {@code failure_handler_failures}.
 */
@FunctionalInterface
public interface EntityFailureHandler {
    void entityFailed(Report report);

    /**
     * One failure.
     *
     * @param type the name of the entity type
     * @param node where it happened
     * @param failure what the code threw, or why its start failed
     * @param action what the policy did
     * @param failuresInARow how often the entity has failed since a message of it went well, with this one; at least 1
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
