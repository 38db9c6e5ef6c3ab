package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Waits until a node has no shards, and tells how many it has left. A coordinator that has just begun does not know the
 * node's shards before its regions have registered; an overview without them counts nothing.
 */
final class DrainProgress {
    private final Output output;
    private final String node;
    private long left = -1;
    /** The types of which the node has a region, as far as it has not left. */
    private final Set<String> hosted = new HashSet<>();
    /** Those of them whose region has registered in the present term. */
    private Set<String> registered = Set.of();

    private long term = -1;

    DrainProgress(Output output, String node) {
        this.output = output;
        this.node = node;
    }

    void follow(NodeHttp http) {
        JsonObject overview = new JsonObject();
        try (NodeEvents events = http.stream("/stream", null)) {
            while (left != 0) {
                NodeEvents.Event event = events.next();
                if (event.name().equals("snapshot")) {
                    overview = event.data();
                } else if (event.name().equals("patch")) {
                    overview = FollowCommands.patched(overview, event.data());
                }
                if (overview.containsKey("types") && knowsTheNode(overview)) {
                    tell(shards(overview));
                }
            }
        }
    }

    /** Whether the overview is that of a coordinator with which all regions of the node have registered. */
    private boolean knowsTheNode(JsonObject overview) {
        if (overview.containsKey("trouble")) {
            return false;
        }
        long now = overview.getJsonObject("cluster", new JsonObject()).getLong("term", 0L);
        Set<String> present = ClusterView.byName(overview, "types").entrySet().stream()
                .filter(type -> ClusterView.byName(type.getValue(), "regions").containsKey(node))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        if (now == term) {
            // what has registered and is not there any more has left
            hosted.removeAll(registered);
        }
        hosted.addAll(present);
        registered = present;
        term = now;
        boolean isMember = ClusterView.byName(overview, "nodes").containsKey(node);
        return !isMember || present.containsAll(hosted);
    }

    private void tell(long shards) {
        if (shards != left) {
            output.note(Counted.of(shards, "shard") + " left on " + node);
        }
        left = shards;
    }

    /** The shards on the node, and those that have left it and have no new home yet. */
    private long shards(JsonObject overview) {
        return ClusterView.byName(overview, "types").values().stream()
                .flatMap(type -> ClusterView.byName(type, "shards").values().stream())
                .filter(shard -> node.equals(shard.getString("home")))
                .count();
    }
}
