package io.shardbus.cli;

import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a node has no shards, and tells how many it has left. A coordinator that has just begun does not know the
 * node's shards before its regions have registered; an overview without them counts nothing.
 */
final class DrainProgress {
    private static final String TYPES = "types";
    private static final String SHARDS = "shards";
    private static final String TROUBLE = "trouble";
    /** More would be no line to read; {@code shards TYPE} has all. */
    private static final int MOST_NAMED = 10;

    private final Output output;
    private final String node;
    private long left = -1;
    private JsonObject overview = new JsonObject();
    /** The last one by which shards were counted. */
    private JsonObject counted = new JsonObject();
    /** The types of which the node has a region, as far as it has not left. */
    private final Set<String> hosted = new HashSet<>();
    /** Those of them whose region has registered in the present term. */
    private Set<String> registered = Set.of();

    private long term = -1;

    DrainProgress(Output output, String node) {
        this.output = output;
        this.node = node;
    }

    /**
     * Waits until the node has no shards.
     *
     * @param limit how long at most, in seconds
     * @throws CommandFailure {@link ExitCode#UNFINISHED} after that, with the shards that are left
     */
    void follow(NodeHttp http, int limit) {
        try (NodeEvents events = http.stream("/stream", null)) {
            follow(events, limit);
        }
    }

    void follow(NodeEvents events, int limit) {
        events.endAfter(limit);
        try {
            while (left != 0) {
                take(events.next());
            }
        } catch (CommandFailure failure) {
            throw failure.code() == ExitCode.UNFINISHED ? unfinished(limit) : failure;
        }
    }

    private void take(NodeEvents.Event event) {
        if (event.name().equals("snapshot")) {
            overview = event.data();
        } else if (event.name().equals("patch")) {
            overview = FollowCommands.patched(overview, event.data());
        }
        if (overview.containsKey(TYPES) && knowsTheNode()) {
            counted = overview;
            tell(shards());
        }
    }

    /** Whether the overview is that of a coordinator with which all regions of the node have registered. */
    private boolean knowsTheNode() {
        if (overview.containsKey(TROUBLE)) {
            return false;
        }
        long now = overview.getJsonObject("cluster", new JsonObject()).getLong("term", 0L);
        Set<String> present = ClusterView.byName(overview, TYPES).entrySet().stream()
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
    private long shards() {
        return ClusterView.byName(counted, TYPES).values().stream()
                .flatMap(type -> ClusterView.byName(type, SHARDS).values().stream())
                .filter(this::isHere)
                .count();
    }

    private boolean isHere(JsonObject shard) {
        return node.equals(shard.getString("home"));
    }

    private CommandFailure unfinished(int limit) {
        String trouble = overview.getString(TROUBLE);
        return new CommandFailure(
                ExitCode.UNFINISHED,
                "the drain of " + node + " has not ended within " + limit + " s, and goes on; "
                        + (left < 0 ? "its shards are not known" : Counted.of(left, "shard") + " left: " + named())
                        + (trouble == null ? "" : "; no coordinator answers: " + trouble));
    }

    private String named() {
        List<String> all = ClusterView.byName(counted, TYPES).entrySet().stream()
                .flatMap(type -> ClusterView.objects(ClusterView.shards(type.getKey(), type.getValue()), SHARDS)
                        .filter(this::isHere)
                        .map(shard -> type.getKey() + "/" + shard.getInteger("shard") + " ("
                                + state(shard.getJsonObject("move")) + ")"))
                .toList();
        return String.join(", ", all.subList(0, Math.min(MOST_NAMED, all.size())))
                + (all.size() > MOST_NAMED ? " and " + (all.size() - MOST_NAMED) + " more" : "");
    }

    private static String state(@Nullable JsonObject move) {
        if (move == null) {
            return "not moving";
        }
        String awaited = FollowCommands.waitsFor(move.getJsonObject("heldUpBy"));
        return move.getString("phase") + (awaited == null ? "" : ", waits for " + awaited);
    }
}
