package io.shardbus.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Status of the process of a node.
 *
 * @param startedAt when its process started, in milliseconds since 1970
 * @param cpu the share of all processors that the process uses, 0 to 1; negative if the system does not tell
 * @param heapUsed in bytes
 * @param heapMax in bytes
 * @param loopLagMs by how much the last tick of the control plane's event loop came late, in milliseconds
 * @param term the highest term that the node has seen
 * @param coordinating whether it coordinates, as far as it knows
 * @param versions the versions of the software that it runs, by name
 * @param clock the node's wall clock when it answered, in milliseconds since 1970; 0 from a node of an earlier build
 * @param leaseLeftMs the shortest remaining lease of its regions, in milliseconds; negative if the node hosts no type,
 *     or runs an earlier build
 * @param options the options whose values differ from their defaults, as JSON text by name; null from a node of an
 *     earlier build
 * @param unheard the members of which the node has heard nothing for two heartbeats or longer, by their names, with the
 *     time since their last sign in milliseconds; empty from a node of an earlier build
 */
public record NodeStatus(
        long startedAt,
        double cpu,
        long heapUsed,
        long heapMax,
        long loopLagMs,
        long term,
        boolean coordinating,
        Map<String, String> versions,
        long clock,
        long leaseLeftMs,
        @Nullable Map<String, String> options,
        Map<String, Long> unheard) {
    public NodeStatus {
        versions = Collections.unmodifiableMap(new TreeMap<>(versions));
        options = options == null ? null : Collections.unmodifiableMap(new TreeMap<>(options));
        unheard = Collections.unmodifiableMap(new TreeMap<>(unheard));
    }
}
