package io.shardbus.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shards of a type that no node serves now, as an overview shows them.
 *
 * @param type the name of the type
 * @param homeless how many shards are needed and have no home
 * @param moves the moves of those that had a home before, by shard
 * @param lost how many shards each lost node has until its lease must have expired, by node
 * @param unfit why nodes that take part in the type take no shards, one text each; empty if a node may take some
 */
record UnservedShards(
        String type, int homeless, Map<String, JsonObject> moves, Map<String, Integer> lost, List<String> unfit) {
    private static final String CHECK = "shards";
    /** Homes are found within milliseconds in a healthy cluster. */
    private static final long LONG_MS = 1_000;

    static UnservedShards of(JsonObject overview, String name, JsonObject type) {
        Map<String, JsonObject> moves = new TreeMap<>();
        ClusterView.byName(type, "moves").forEach((shard, move) -> {
            if ("placing".equals(move.getString("phase"))) {
                moves.put(shard, move);
            }
        });
        var members = ClusterView.byName(overview, "nodes").keySet();
        Map<String, Integer> lost = new TreeMap<>();
        ClusterView.byName(type, "shards").values().stream()
                .map(shard -> shard.getString("home"))
                .filter(home -> !members.contains(home))
                .forEach(home -> lost.merge(home, 1, Integer::sum));
        return new UnservedShards(name, type.getInteger("homeless", 0), moves, lost, unfit(type));
    }

    static List<UnservedShards> of(@Nullable JsonObject overview) {
        List<UnservedShards> all = new ArrayList<>();
        if (overview != null) {
            ClusterView.byName(overview, "types").forEach((name, type) -> all.add(of(overview, name, type)));
        }
        return all;
    }

    private static List<String> unfit(JsonObject type) {
        var cordoned = type.getJsonArray("cordoned", new JsonArray());
        var failed = type.getJsonArray("failed", new JsonArray());
        List<String> reasons = new ArrayList<>();
        for (Map.Entry<String, JsonObject> region :
                ClusterView.byName(type, "regions").entrySet()) {
            String node = region.getKey();
            if (region.getValue().getBoolean("proxy", false)) {
                continue;
            }
            if (failed.contains(node)) {
                reasons.add(node + " does not answer");
            } else if (region.getValue().getBoolean("leaving", false)) {
                reasons.add(node + " leaves or is drained");
            } else if (cordoned.contains(node)) {
                reasons.add(node + " is cordoned");
            } else {
                return List.of();
            }
        }
        return reasons.isEmpty() ? List.of("no node hosts the type") : reasons;
    }

    int lostShards() {
        return lost.values().stream().mapToInt(Integer::intValue).sum();
    }

    boolean isEmpty() {
        return homeless == 0 && lost.isEmpty();
    }

    /** One sentence; empty where all shards that are needed are served. */
    String text() {
        List<String> parts = new ArrayList<>();
        if (homeless > 0) {
            parts.add(Counted.of(homeless, "shard") + (homeless == 1 ? " has" : " have") + " no home" + since());
        }
        lost.forEach((node, shards) -> parts.add(Counted.of(shards, "shard") + (shards == 1 ? " waits" : " wait")
                + " until the lease of the lost node " + node + " has expired"));
        return parts.isEmpty() ? "" : type + ": " + String.join("; ", parts);
    }

    private String since() {
        if (moves.isEmpty()) {
            return "";
        }
        var causes = moves.values().stream()
                .map(move -> move.getString("cause"))
                .collect(Collectors.toCollection(TreeSet::new));
        return ", the longest for " + Counted.seconds(longest()) + " (" + String.join(", ", causes) + ")";
    }

    private long longest() {
        return moves.values().stream()
                .mapToLong(move -> move.getLong("homelessMs", 0L))
                .max()
                .orElse(0);
    }

    /** @param waits what the asked node says of each type that waits, by type */
    static List<Finding> findings(List<UnservedShards> types, Map<String, String> waits) {
        List<Finding> found = types.stream()
                .filter(type -> !type.isEmpty())
                .map(type -> type.finding(waits.get(type.type())))
                .toList();
        return types.isEmpty() || !found.isEmpty()
                ? found
                : List.of(Finding.ok(CHECK, "all that messages were sent to have a home"));
    }

    private Finding finding(@Nullable String waits) {
        List<String> why = new ArrayList<>(homeless > 0 ? unfit : List.of());
        if (waits != null) {
            why.add(waits);
        }
        String text = text() + (why.isEmpty() ? "" : ": " + String.join(", ", why));
        boolean isLong = !lost.isEmpty() || !why.isEmpty() || longest() > LONG_MS;
        return isLong ? Finding.problem(CHECK, text, change()) : Finding.warning(CHECK, text, change());
    }

    private String change() {
        if (homeless == 0) {
            return "wait until the lease has expired; if it lasts, look at shardbus events --kind loss-undecided";
        }
        return unfit.isEmpty()
                ? "if it lasts, ask shardbus why " + type + " " + (moves.isEmpty() ? "SHARD" : firstShard())
                : "let a node take shards: start one that hosts " + type + ", or end its drain or cordon";
    }

    private String firstShard() {
        return moves.keySet().iterator().next();
    }
}
