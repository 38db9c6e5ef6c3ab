package io.shardbus.cli;

import io.vertx.core.json.JsonObject;

/** Waits until a node has no shards, and tells how many it has left. */
final class DrainProgress {
    private final Output output;
    private final String node;
    private long left = -1;

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
                if (overview.containsKey("types")) {
                    tell(shards(overview));
                }
            }
        }
    }

    private void tell(long shards) {
        if (shards != left) {
            output.note(shards + " shards left on " + node);
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
