package io.shardbus.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands that show how messages fare: the failed ones, how long they take, and by which ways they go. */
@Command
final class MessageCommands {
    private static final String TYPE = "type";
    private static final String TYPES = "types";
    private static final String LETTERS = "letters";
    private static final String COUNTS = "counts";
    private static final String FAILED = "failed";
    private static final List<String> WINDOWS = List.of("1m", "15m", "1h");

    private final ShardbusCommand root;

    MessageCommands(ShardbusCommand root) {
        this.root = root;
    }

    @Command(description = "Failures by code since the regions started, and the last dead letters")
    int failures(
            @Option(names = "--type", paramLabel = "TYPE", description = "Only of this type") @Nullable String type,
            @Option(
                            names = "--most",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = "How many dead letters at most. Default: ${DEFAULT-VALUE}")
                    int most) {
        LoadCommands.require("--most", most, LoadCommands.MOST);
        JsonObject found = root.node()
                .find("/failures")
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.NOT_APPLICABLE, "the node is of an earlier build, which does not sum failures"));
        boolean counted = found.getValue(COUNTS) != null;
        List<JsonObject> counts = counted
                ? ClusterView.objects(found, COUNTS)
                        .filter(count -> isOf(type, count))
                        .toList()
                : List.of();
        List<JsonObject> letters = ClusterView.objects(found, LETTERS)
                .filter(letter -> isOf(type, letter))
                .sorted(Comparator.comparingLong(letter -> -letter.getLong("at", 0L)))
                .limit(most)
                .toList();
        if (!counted) {
            root.output()
                    .note("no coordinator answers, so failures by code are missing: " + found.getString("trouble"));
        }
        tellSilent(found, "dead letters");
        if (root.output().isJson()) {
            root.output()
                    .document(new JsonObject()
                            .put(COUNTS, counted ? new JsonArray(counts) : null)
                            .put(LETTERS, new JsonArray(letters))
                            .put(FAILED, found.getJsonArray(FAILED)));
        } else {
            if (counted) {
                showCounts(counts);
                root.output().line("");
            }
            showLetters(letters);
        }
        return ExitCode.DONE.code();
    }

    private static boolean isOf(@Nullable String type, JsonObject found) {
        return type == null || type.equals(found.getString(TYPE));
    }

    /** Tells which nodes the answer lacks. */
    private void tellSilent(JsonObject found, String what) {
        found.getJsonArray(FAILED, new JsonArray())
                .forEach(silent ->
                        root.output().note("the " + what + " of " + silent + " are missing: it did not answer"));
    }

    private void showCounts(List<JsonObject> counts) {
        var table = new Table("TYPE", "CODE", "COUNT", "NODES", "MOST ON");
        counts.forEach(count -> table.row(
                count.getString(TYPE),
                count.getString("code"),
                count.getLong("count"),
                count.getJsonObject("nodes").size(),
                foremost(count.getJsonObject("nodes"))));
        show(table, "no failure was counted");
    }

    /** The node that has counted most of them. */
    private static @Nullable String foremost(JsonObject nodes) {
        return nodes.fieldNames().stream()
                .max(Comparator.comparingLong((String node) -> nodes.getLong(node, 0L)))
                .orElse(null);
    }

    private void showLetters(List<JsonObject> letters) {
        var table = new Table("AT", "TYPE", "SHARD", "ENTITY", "MESSAGE", "CODE", "FOUND BY", "REASON");
        letters.forEach(letter -> table.row(
                LookCommands.instant(letter.getLong("at")),
                letter.getString(TYPE),
                letter.getInteger("shard"),
                letter.getString("id"),
                letter.getString("message"),
                letter.getString("code"),
                letter.getString("node"),
                letter.getString("reason")));
        show(table, "there is no dead letter");
    }

    private void show(Table table, String empty) {
        if (table.isEmpty()) {
            root.output().line(empty);
        } else {
            root.output().table(table);
        }
    }

    @Command(description = "How long asks, handling and waiting took, and the slowest asks of the last hour")
    int latency(
            @Option(names = "--type", paramLabel = "TYPE", description = "Only of this type") @Nullable String type,
            @Option(
                            names = "--window",
                            paramLabel = "WINDOW",
                            defaultValue = "1m",
                            description = "The last 1m, 15m or 1h: of which the table has the times."
                                    + " Default: ${DEFAULT-VALUE}")
                    String window,
            @Option(
                            names = "--most",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = "How many slow asks the table has at most. Default: ${DEFAULT-VALUE}")
                    int most) {
        LoadCommands.require("--most", most, LoadCommands.MOST);
        if (!WINDOWS.contains(window)) {
            throw new CommandFailure(ExitCode.USAGE, "--window must be one of " + String.join(", ", WINDOWS));
        }
        JsonObject found = root.node().get("/latency");
        if (type != null) {
            JsonObject times = ClusterView.byName(found, TYPES).get(type);
            if (times == null) {
                throw new CommandFailure(
                        ExitCode.NOT_FOUND, "no node that answered has started an entity type '" + type + "'");
            }
            found.put(TYPES, new JsonObject().put(type, times));
        }
        tellSilent(found, "times");
        if (root.output().isJson()) {
            root.output().document(found);
        } else {
            showTimes(ClusterView.byName(found, TYPES), window);
            showSlowest(ClusterView.byName(found, TYPES), most);
        }
        return ExitCode.DONE.code();
    }

    private void showTimes(Map<String, JsonObject> types, String window) {
        var table =
                new Table("TYPE", "WHAT", "MESSAGE", "OUTCOME", "MEASURED", "P50 MS", "P90 MS", "P99 MS", "LONGEST MS");
        types.forEach((type, times) -> ClusterView.objects(times, "series")
                .filter(series -> series.getJsonObject(window).getLong("count") > 0)
                .sorted(Comparator.comparingLong(
                        series -> -series.getJsonObject(window).getLong("p99")))
                .forEach(series -> {
                    JsonObject measured = series.getJsonObject(window);
                    table.row(
                            type,
                            series.getString("kind"),
                            series.getString("message"),
                            series.getString("outcome"),
                            measured.getLong("count"),
                            Counted.millis(measured.getLong("p50")),
                            Counted.millis(measured.getLong("p90")),
                            Counted.millis(measured.getLong("p99")),
                            Counted.millis(measured.getLong("max")));
                }));
        show(table, "nothing was measured in the last " + window);
        types.forEach((type, times) -> {
            if (times.getInteger("oneOf", 0) == 0) {
                root.output().line("no times of " + type + " are measured: see the option latencySampling");
            }
        });
    }

    private void showSlowest(Map<String, JsonObject> types, int most) {
        var table = new Table("SLOW ASK MS", "TYPE", "ENTITY", "MESSAGE", "SIDE", "OUTCOME", "TRACE", "AT");
        types.entrySet().stream()
                .flatMap(type -> ClusterView.objects(type.getValue(), "slowest")
                        .map(ask -> ask.copy().put(TYPE, type.getKey())))
                .sorted(Comparator.comparingLong(ask -> -ask.getLong("micros")))
                .limit(most)
                .forEach(ask -> table.row(
                        Counted.millis(ask.getLong("micros")),
                        ask.getString(TYPE),
                        ask.getString("id"),
                        ask.getString("message"),
                        ask.getString("side"),
                        outcome(ask),
                        ask.getString("trace"),
                        LookCommands.instant(ask.getLong("at"))));
        if (!table.isEmpty()) {
            root.output().line("");
            root.output().table(table);
        }
    }

    /** The code of the failure, where there is one. */
    private static String outcome(JsonObject ask) {
        String failure = ask.getString("failure");
        return failure == null || failure.isEmpty() ? ask.getString("outcome") : failure;
    }

    @Command(description = "What nodes have exchanged since their regions started, and by which ways")
    int connections() {
        JsonObject found = root.node().get("/connections");
        tellSilent(found, "connections");
        if (root.output().isJson()) {
            root.output().document(found);
            return ExitCode.DONE.code();
        }
        Map<String, JsonObject> nodes = ClusterView.byName(found, "nodes");
        var table = new Table(
                "FROM",
                "TO",
                "TYPE",
                "WAY",
                "FRAMES OUT",
                "FRAMES IN",
                "BYTES OUT",
                "BYTES IN",
                "QUEUED",
                "UNACKNOWLEDGED",
                "WINDOW FULL",
                "REPEATED",
                "HEARD MS",
                "ROUND TRIP MS");
        nodes.forEach((node, ends) -> ClusterView.objects(ends, "connections")
                .forEach(one -> table.row(
                        node,
                        one.getString("peer"),
                        one.getString(TYPE),
                        one.getString("state"),
                        one.getJsonObject("sent").getLong("frames"),
                        one.getJsonObject("received").getLong("frames"),
                        one.getJsonObject("sent").getLong("bytes"),
                        one.getJsonObject("received").getLong("bytes"),
                        one.getLong("queued"),
                        one.getLong("unacknowledged"),
                        one.getLong("windowFull"),
                        one.getLong("repeated"),
                        one.getLong("heardMs"),
                        one.getLong("roundTripMs"))));
        show(table, "no lane has exchanged a frame with another node");
        root.output().line("TLS on " + which(nodes, "tls") + ", sealed frames on " + which(nodes, "sealed"));
        return ExitCode.DONE.code();
    }

    private static String which(Map<String, JsonObject> nodes, String key) {
        long having = nodes.values().stream()
                .filter(node -> node.getBoolean(key, false))
                .count();
        return having == 0 ? "no node" : having < nodes.size() ? "some nodes only" : "all nodes";
    }
}
