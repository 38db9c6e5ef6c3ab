package io.shardbus.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rules by which {@code doctor} turns answers of the admin resources into findings about the health of a cluster. */
final class Diagnosis {
    private static final long LARGEST_CLOCK_DIFFERENCE_MS = 2_000;
    private static final long LARGEST_LAG_MS = 200;
    private static final double FULL_HEAP = 0.9;
    private static final int TWO = 2;
    private static final String NODES = "nodes";

    /** Keys of options that each node has for itself. */
    private static final Set<String> OWN_OPTIONS =
            Set.of("roles", "requiredTypes", "coordinator", "appVersion", "stateStoreDirectory", "direct", "lanes");

    private Diagnosis() {}

    static List<Finding> health(JsonObject ready, JsonObject live) {
        var findings = new ArrayList<Finding>();
        for (Object reason : live.getJsonArray("reasons", new JsonArray())) {
            findings.add(Finding.problem("health", String.valueOf(reason), "restart the process of this node"));
        }
        for (Object reason : ready.getJsonArray("reasons", new JsonArray())) {
            findings.add(Finding.problem(
                    "health",
                    "not ready: " + reason,
                    "see what the reason names; a node that is not ready needs no restart"));
        }
        for (Object warning : ready.getJsonArray("warnings", new JsonArray())) {
            findings.add(Finding.warning("health", String.valueOf(warning), "see the log of this node"));
        }
        return findings.isEmpty() ? List.of(Finding.ok("health", "the node is ready")) : findings;
    }

    static List<Finding> coordinator(ClusterView view) {
        String coordinator = view.cluster().getString("coordinator");
        if (!view.cluster().getBoolean("available", true)) {
            return List.of(Finding.problem(
                    "coordinator",
                    "this side of the cluster may not act: members were lost",
                    "bring the lost nodes or the network back; see docs/guides/split-brain.md"));
        }
        if (coordinator == null) {
            return List.of(Finding.problem(
                    "coordinator",
                    "no node coordinates",
                    "start all seats with the same peers, and one node with coordinator=true at least"));
        }
        if (view.overview() == null) {
            return List.of(Finding.problem(
                    "coordinator",
                    coordinator + " does not answer: " + view.trouble(),
                    "look at the log and the event loop of that node"));
        }
        return List.of(Finding.ok(
                "coordinator", coordinator + ", term " + view.cluster().getLong("term")));
    }

    /** @param nodes the answer of {@code nodes} */
    static List<Finding> peers(JsonObject cluster, JsonObject nodes) {
        var findings = new ArrayList<Finding>();
        int members = cluster.getJsonArray(NODES).size();
        if (members == 1) {
            findings.add(Finding.warning(
                    "peers",
                    "the node is alone",
                    "if others run: give all the same peers and cluster name, and open the ports of JGroups and the"
                            + " event bus between them; doctor --connect HOST:PORT tries one"));
        } else {
            findings.add(Finding.ok("peers", Counted.of(members, "node")));
        }
        ClusterView.byName(nodes, NODES).forEach((name, node) -> {
            if (!node.getBoolean("answers", true)) {
                findings.add(Finding.problem(
                        "peers",
                        name + " did not answer within a second",
                        "look whether its process is frozen, and whether its event-bus port can be reached"));
            }
            node.getJsonObject("unheardMs", new JsonObject())
                    .forEach(silent -> findings.add(Finding.problem(
                            "peers",
                            name + " has heard nothing of " + silent.getKey() + " for " + silent.getValue() + " ms",
                            "look at the network and its filters between the two, at the ports of JGroups, and whether"
                                    + " one of them is frozen")));
            if (node.getLong("loopLagMs", 0L) > LARGEST_LAG_MS) {
                findings.add(Finding.warning(
                        "peers",
                        "the event loop of " + name + " was " + node.getLong("loopLagMs") + " ms late",
                        "look for blocking code, garbage collection, or too little CPU"));
            }
            if (node.getLong("heapUsedMb", 0L) > FULL_HEAP * node.getLong("heapMaxMb", Long.MAX_VALUE)) {
                findings.add(Finding.warning(
                        "peers",
                        name + " uses " + node.getLong("heapUsedMb") + " of " + node.getLong("heapMaxMb")
                                + " MB of heap",
                        "lower the limit of active entities, or give it more heap"));
            }
        });
        return findings;
    }

    static List<Finding> versions(JsonObject cluster, JsonObject nodes) {
        Map<String, Map<String, Set<String>>> found = new TreeMap<>();
        ClusterView.objects(cluster, NODES)
                .forEach(node -> note(found, "application", node.getString("appVersion"), node.getString("id")));
        ClusterView.byName(nodes, NODES)
                .forEach((name, node) -> node.getJsonObject("versions", new JsonObject())
                        .forEach(version -> note(found, version.getKey(), String.valueOf(version.getValue()), name)));
        var findings = new ArrayList<Finding>();
        found.forEach((what, versions) -> {
            if (versions.size() > 1) {
                findings.add(Finding.warning(
                        "versions",
                        what + " differs: " + versions,
                        what.equals("application")
                                ? "finish the rolling update: until then no shard is rebalanced"
                                : "run the same version on all nodes, unless an update is under way"));
            }
        });
        return findings.isEmpty() ? List.of(Finding.ok("versions", "the same on all nodes")) : findings;
    }

    private static void note(Map<String, Map<String, Set<String>>> found, String what, String version, String node) {
        found.computeIfAbsent(what, any -> new TreeMap<>())
                .computeIfAbsent(version, any -> new TreeSet<>())
                .add(node);
    }

    static List<Finding> clocks(JsonObject nodes) {
        Map<String, Long> clocks = new TreeMap<>();
        ClusterView.byName(nodes, NODES).forEach((name, node) -> {
            Long clock = node.getLong("clock");
            if (clock != null) {
                clocks.put(name, clock);
            }
        });
        if (clocks.isEmpty()) {
            return List.of();
        }
        var first = clocks.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
        var last = clocks.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        long difference = last.getValue() - first.getValue();
        if (difference > LARGEST_CLOCK_DIFFERENCE_MS) {
            return List.of(Finding.warning(
                    "clocks",
                    "the clock of " + first.getKey() + " is " + difference + " ms behind that of " + last.getKey(),
                    "synchronise the clocks (NTP): no decision needs them, but events and logs are in a wrong order"));
        }
        return List.of(Finding.ok("clocks", "at most " + difference + " ms apart"));
    }

    static List<Finding> types(@Nullable JsonObject overview) {
        var findings = new ArrayList<Finding>();
        ClusterView.byName(overview, "types").forEach((name, type) -> {
            if (!type.getJsonArray("failed", new JsonArray()).isEmpty()) {
                findings.add(Finding.problem(
                        "types",
                        "regions of " + name + " do not answer: " + LookCommands.texts(type.getJsonArray("failed")),
                        "look at the logs of these nodes"));
            }
            if (!type.getBoolean("rebalancing", true)) {
                findings.add(Finding.warning(
                        "types", "rebalancing of " + name + " is stopped", "shardbus rebalancing on " + name));
            }
            if (!type.getJsonArray("cordoned", new JsonArray()).isEmpty()) {
                findings.add(Finding.warning(
                        "types",
                        name + " gives no shards to " + LookCommands.texts(type.getJsonArray("cordoned")),
                        "shardbus uncordon NODE"));
            }
        });
        return findings;
    }

    static List<Finding> options(JsonObject options, int members) {
        var findings = new ArrayList<Finding>();
        String strategy = options.getJsonObject("splitBrain", new JsonObject()).getString("strategy");
        if (members == TWO && "keep-majority".equals(strategy)) {
            findings.add(Finding.warning(
                    "options",
                    "two nodes and splitBrain.strategy=keep-majority: a crash of one may stop the other",
                    "run three nodes, or choose an arbiter or a tie break; see docs/guides/split-brain.md"));
        }
        if (!options.getBoolean("awaitPredecessorLeases", true)) {
            findings.add(Finding.problem(
                    "options", "awaitPredecessorLeases=false is for tests: two instances may live", "set it to true"));
        }
        if (options.getBoolean("serializeLocal", false)) {
            findings.add(Finding.warning(
                    "options", "serializeLocal=true is for tests: it costs throughput", "set it to false"));
        }
        return findings.isEmpty() ? List.of(Finding.ok("options", "nothing that is only for tests")) : findings;
    }

    /** Compares the views that two nodes have of one cluster. */
    static List<Finding> compared(
            String url, JsonObject cluster, JsonObject snapshot, JsonObject otherCluster, JsonObject otherSnapshot) {
        var findings = new ArrayList<Finding>();
        if (!Objects.equals(cluster.getString("coordinator"), otherCluster.getString("coordinator"))) {
            findings.add(Finding.problem(
                    "peers",
                    url + " has the coordinator " + otherCluster.getString("coordinator") + ", this node "
                            + cluster.getString("coordinator"),
                    "these are two clusters, or one is split: compare peers and seats, and the network between them"));
        }
        JsonObject mine = snapshot.getJsonObject("options", new JsonObject());
        JsonObject theirs = otherSnapshot.getJsonObject("options", new JsonObject());
        Set<String> keys = new TreeSet<>(mine.fieldNames());
        keys.addAll(theirs.fieldNames());
        keys.removeAll(OWN_OPTIONS);
        for (String key : keys) {
            if (!Objects.equals(mine.getValue(key), theirs.getValue(key))) {
                findings.add(Finding.warning(
                        "options",
                        key + " is " + mine.getValue(key) + " here and " + theirs.getValue(key) + " at " + url,
                        "give all nodes the same"));
            }
        }
        return findings.isEmpty() ? List.of(Finding.ok("options", "the same at " + url)) : findings;
    }
}
