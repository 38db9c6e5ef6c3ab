package io.shardbus.cli;

import static io.shardbus.cli.NodeHttp.segment;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that show something once, and change nothing. */
@Command
final class LookCommands {
    private static final String TYPES = "/types/";
    private static final String SHARD = "shard";
    private static final String REASONS = "reasons";

    private final ShardbusCommand root;

    LookCommands(ShardbusCommand root) {
        this.root = root;
    }

    @Command(description = "The nodes of the cluster, and how they are doing")
    int nodes() {
        ClusterView view = ClusterView.of(root.node());
        JsonObject nodes = view.nodes();
        if (view.trouble() != null) {
            root.output().note("no coordinator answers, so only what this node knows is shown: " + view.trouble());
        }
        var table =
                new Table("NODE", "ROLES", "APP", "SHARDS", "ENTITIES", "CPU %", "HEAP MB", "LAG MS", "SINCE", "IS");
        ClusterView.objects(nodes, "nodes")
                .forEach(node -> table.row(
                        node.getString("id"),
                        texts(node.getJsonArray("roles")),
                        node.getString("appVersion"),
                        sum(node.getJsonObject("shards")),
                        node.getLong("entities"),
                        node.getLong("cpuPercent"),
                        node.getLong("heapUsedMb"),
                        node.getLong("loopLagMs"),
                        instant(node.getLong("startedAt")),
                        states(node)));
        show(nodes, table);
        if (!root.output().isJson()) {
            view.unserved().stream()
                    .filter(type -> !type.isEmpty())
                    .forEach(type -> root.output().line(type.text()));
        }
        return ExitCode.DONE.code();
    }

    private static @Nullable Long sum(@Nullable JsonObject shards) {
        return shards == null
                ? null
                : shards.stream()
                        .mapToLong(entry -> ((Number) entry.getValue()).longValue())
                        .sum();
    }

    private static String states(JsonObject node) {
        List<String> states = new ArrayList<>();
        if (node.getBoolean("coordinating", false)) {
            states.add("coordinator");
        }
        if (Boolean.TRUE.equals(node.getBoolean("drained"))) {
            states.add("drained");
        }
        if (!node.getJsonArray("cordoned", new JsonArray()).isEmpty()) {
            states.add("cordoned");
        }
        if (!node.getBoolean("answers", true)) {
            states.add("silent");
        }
        return String.join(", ", states);
    }

    static String texts(@Nullable JsonArray values) {
        return values == null ? "" : values.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    static @Nullable String instant(@Nullable Long millis) {
        return millis == null || millis == 0
                ? null
                : Instant.ofEpochMilli(millis).toString();
    }

    @Command(description = "The entity types of the cluster")
    int types() {
        JsonObject types = new ClusterView(new JsonObject(), root.node().get("/overview"), null).types();
        var table = new Table(
                "TYPE", "SHARDS", "HOMELESS", "LOST", "MOVING", "HOSTS", "ENTITIES", "STRATEGY", "REBALANCING");
        ClusterView.objects(types, "types")
                .forEach(type -> table.row(
                        type.getString("name"),
                        type.getInteger("numberOfShards"),
                        type.getInteger("homeless"),
                        type.getInteger("lost"),
                        type.getInteger("moves"),
                        type.getInteger("regions"),
                        type.getLong("entities"),
                        type.getString("allocation"),
                        type.getBoolean("rebalancing") ? "on" : "stopped"));
        return show(types, table);
    }

    @Command(description = "Where an entity lives")
    int where(@Parameters(paramLabel = "TYPE") String type, @Parameters(paramLabel = "ID") String id) {
        JsonObject found = locate(type, id);
        if (root.output().isJson()) {
            root.output().document(found);
        } else if (found.getString("node") == null) {
            root.output().line("the shard of " + id + " has no home");
        } else {
            root.output()
                    .line(id + (found.getBoolean("live") ? " lives" : " would live") + " on " + found.getString("node")
                            + ", in shard " + found.getInteger(SHARD));
        }
        return ExitCode.DONE.code();
    }

    @Command(description = "What is known of an entity")
    int entity(@Parameters(paramLabel = "TYPE") String type, @Parameters(paramLabel = "ID") String id) {
        JsonObject found = locate(type, id);
        return show(found, EntityTable.of(found));
    }

    private JsonObject locate(String type, String id) {
        return root.node().get(TYPES + segment(type) + "/entities/" + segment(id));
    }

    @Command(description = "Why a shard is where it is")
    int why(@Parameters(paramLabel = "TYPE") String type, @Parameters(paramLabel = "SHARD") int shard) {
        JsonObject why = root.node().get(TYPES + segment(type) + "/shards/" + shard + "/why");
        if (root.output().isJson()) {
            root.output().document(why);
            return ExitCode.DONE.code();
        }
        Output output = root.output();
        String home = why.getString("home");
        output.line("shard " + shard + " of " + type + " is " + (home == null ? "without a home" : "on " + home)
                + "; strategy " + why.getString("allocation"));
        if (why.getString("pinned") != null) {
            output.line("it is pinned to " + why.getString("pinned"));
        }
        if (why.getLong("restsMs", 0L) > 0) {
            output.line("it rests for " + why.getLong("restsMs") + " ms after a move that failed");
        }
        output.line("placed now, it would be on "
                + (why.getString("preferred") == null ? "no node" : why.getString("preferred")));
        why.getJsonArray(REASONS, new JsonArray()).forEach(reason -> output.line(String.valueOf(reason)));
        var table = new Table("NODE", "SHARDS", "APP", "AGAINST IT");
        ClusterView.objects(why, "candidates")
                .forEach(node -> table.row(
                        node.getString("node"),
                        node.getInteger("shards"),
                        node.getString("appVersion"),
                        texts(node.getJsonArray("against"))));
        output.table(table);
        ClusterView.objects(why, "history").forEach(event -> output.line(EventLines.line(event)));
        return ExitCode.DONE.code();
    }

    @Command(description = "How long messages waited for shards that moved or had no home, the longest first")
    int silences(
            @Option(names = "--type", paramLabel = "TYPE", description = "Only of this type") @Nullable String type,
            @Option(
                            names = "--most",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = "How many waits at most. Default: ${DEFAULT-VALUE}")
                    int most) {
        LoadCommands.require("--most", most, LoadCommands.MOST);
        JsonObject found = root.node()
                .find("/silences")
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.NOT_APPLICABLE, "the node is of an earlier build, which does not tell silences"));
        List<JsonObject> shown = ClusterView.objects(found, "silences")
                .filter(silence -> type == null || type.equals(silence.getString("type")))
                .sorted(Comparator.comparingLong(silence -> -silence.getLong("millis", 0L)))
                .limit(most)
                .toList();
        found.getJsonArray("failed", new JsonArray())
                .forEach(silent -> root.output().note("the waits of " + silent + " are missing: it did not answer"));
        if (!root.output().isJson() && shown.isEmpty()) {
            root.output().line("no message waited for a home");
            return ExitCode.DONE.code();
        }
        var table = new Table("TYPE", "SHARD", "WAITED MS", "MESSAGES", "CAUSE", "SENDERS' NODE", "UNTIL");
        shown.forEach(silence -> table.row(
                silence.getString("type"),
                silence.getInteger(SHARD),
                silence.getLong("millis"),
                silence.getLong("messages"),
                silence.getString("cause"),
                silence.getString("node"),
                instant(silence.getLong("at"))));
        return show(found.put("silences", new JsonArray(shown)), table);
    }

    /** Actions that {@code plan} can show. */
    enum PlanOf {
        rebalance,
        join,
        drain,
        leave;

        boolean needsNode() {
            return this == drain || this == leave;
        }
    }

    @Command(description = "What rebalance, join, drain or leave would move; nothing moves")
    int plan(
            @Parameters(paramLabel = "ACTION", description = "${COMPLETION-CANDIDATES}") PlanOf action,
            @Parameters(paramLabel = "NODE", arity = "0..1", description = "of drain and leave") @Nullable String node,
            @Option(names = "--type", paramLabel = "TYPE", description = "one type instead of all") @Nullable
                    String type,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            description = "of rebalance: how many shards of a type may move")
                    @Nullable
                    Integer limit) {
        if (limit != null) {
            LoadCommands.require("--limit", limit, OrderCommands.LARGEST_LIMIT);
        }
        if (action.needsNode() != (node != null)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    action.needsNode() ? "plan " + action + " needs a node" : "plan " + action + " has no node");
        }
        NodeHttp http = root.node();
        String name = node == null ? null : ClusterView.nodeName(http, node);
        String query = "/plan?action=" + action + (name == null ? "" : "&node=" + segment(name))
                + (limit == null ? "" : "&limit=" + limit);
        var plans = new JsonArray();
        for (String each : type == null ? typeNames(http) : List.of(type)) {
            plans.add(new JsonObject().put("type", each).mergeIn(http.get(TYPES + segment(each) + query)));
        }
        JsonObject plan =
                new JsonObject().put("action", action.name()).put("node", name).put("types", plans);
        return showPlan(plan);
    }

    static List<String> typeNames(NodeHttp http) {
        return List.copyOf(ClusterView.byName(http.get("/overview"), "types").keySet());
    }

    private int showPlan(JsonObject plan) {
        if (root.output().isJson()) {
            root.output().document(plan);
            return ExitCode.DONE.code();
        }
        var table = new Table("TYPE", "SHARD", "FROM", "TO");
        ClusterView.objects(plan, "types")
                .forEach(type -> ClusterView.objects(type, "moves")
                        .forEach(move -> table.row(
                                type.getString("type"),
                                move.getInteger(SHARD),
                                move.getString("from"),
                                move.getString("to"))));
        if (!table.isEmpty()) {
            root.output().table(table);
        }
        ClusterView.objects(plan, "types").forEach(type -> {
            int moves = type.getJsonArray("moves").size();
            root.output()
                    .line(type.getString("type") + ": "
                            + (moves == 0
                                    ? "nothing moves"
                                    : Counted.of(moves, "shard") + (moves == 1 ? " moves" : " move") + in(type)));
            if (moves > 0 && type.getString("note") != null) {
                root.output().line("  " + type.getString("note"));
            }
            type.getJsonArray(REASONS, new JsonArray())
                    .forEach(reason -> root.output().line("  " + reason));
        });
        return ExitCode.DONE.code();
    }

    /** The expected time, where the last moves tell one. */
    private static String in(JsonObject plan) {
        Long expected = plan.getLong("expectedMs");
        return expected == null ? "" : ", in about " + Counted.seconds(expected);
    }

    @Command(description = "Everything that the cluster tells, as JSON, for a bug report")
    int snapshot() {
        root.output().document(root.node().get("/snapshot"));
        return ExitCode.DONE.code();
    }

    @Command(description = "What bash and zsh read to complete commands: source <(shardbus completion)")
    int completion() {
        ShardbusCommand.completion().lines().forEach(root.output()::line);
        return ExitCode.DONE.code();
    }

    @Command(name = "exit-codes", description = "What the exit codes mean")
    int exitCodes() {
        var codes = new JsonObject();
        var table = new Table("CODE", "MEANING");
        for (ExitCode code : ExitCode.values()) {
            codes.put(String.valueOf(code.code()), code.meaning());
            table.row(code.code(), code.meaning());
        }
        return show(codes, table);
    }

    private int show(JsonObject document, Table table) {
        if (root.output().isJson()) {
            root.output().document(document);
        } else {
            root.output().table(table);
        }
        return ExitCode.DONE.code();
    }
}
