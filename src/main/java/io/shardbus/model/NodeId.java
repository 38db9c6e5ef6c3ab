package io.shardbus.model;

import java.util.Objects;

/**
 * The identity of one node for the life of its process: a restarted process has another one.
 *
 * @param value the cluster's name for the node, unique per process start, never blank
 */
public record NodeId(String value) implements Comparable<NodeId> {
    public NodeId {
        if (Objects.requireNonNull(value, "value").isBlank()) {
            throw new IllegalArgumentException("a node id must not be blank");
        }
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
