package io.shardbus.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Status of the process of a node.
 *
 * @param startedAt when its process started, in milliseconds since 1970
 * @param cpu the share of all processors that the process uses, 0 to 1; negative where the system does not tell
 * @param heapUsed in bytes
 * @param heapMax in bytes
 * @param loopLagMs by how much the last tick of the control plane's event loop came late, in milliseconds
 * @param term the highest term that the node has seen
 * @param coordinating whether it coordinates, as far as it knows
 * @param versions of what it runs, by name
 * @param clock its time when it answered, in milliseconds since 1970; 0 where a node of an earlier build did
 * @param leaseLeftMs for how long its regions have their leases still, the least of all; negative where it hosts no
 *     type, or is of an earlier build
 * @param options those whose values differ from their defaults, as JSON text by name; null where a node of an earlier
 *     build answered
 * @param unheard the members of which the node has heard nothing for two heartbeats or longer, by their names, with the
 *     time since then in milliseconds; empty where a node of an earlier build answered
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
