package io.shardbus.core.control;

import io.shardbus.model.SafetyOptions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Published attributes of a member.
 *
 * @param mayCoordinate whether it stands for coordinator
 * @param options by which it decides about splits; null if it does not say
 */
public record PeerAttributes(
        Set<String> roles, boolean mayCoordinate, @Nullable SafetyOptions options) {
    public PeerAttributes {
        roles = Set.copyOf(roles);
    }
}
