package io.shardbus.cli;

import static io.shardbus.cli.NodeHttp.segment;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands that look at the cluster twice, and show what happened between. */
@Command
final class LoadCommands {
    private static final int LONGEST_S = 3_600;
    static final int MOST = 1_000;
    private static final int SHARDS_OF_TOP = 10;
    private static final double MILLIS = 1_000;

    private final ShardbusCommand root;

    /** One answer, with its moment by the clock of the answering node, in milliseconds. */
    private record Look(JsonObject overview, long clock) {}

    LoadCommands(ShardbusCommand root) {
        this.root = root;
    }

    /** What entities and shards are ranked by. */
    enum Measure {
        messages,
        busy
    }

    @Command(description = "The entities and the shards with the most messages a second, or busy for longest")
    int hot(
            @Option(names = "--type", paramLabel = "TYPE", description = "Only of this type") @Nullable String type,
            @Option(
                            names = "--by",
                            paramLabel = "messages|busy",
                            defaultValue = "messages",
                            description = "What is ranked: messages a second, or the share of time with messages in"
                                    + " hand. Default: ${DEFAULT-VALUE}")
                    Measure by,
            @Option(
                            names = "--seconds",
                            paramLabel = "N",
                            defaultValue = "2",
                            description = "How long messages are counted. Default: ${DEFAULT-VALUE}")
                    int seconds,
            @Option(
                            names = "--most",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = "How many shards at most. Default: ${DEFAULT-VALUE}")
                    int most) {
        require("--seconds", seconds, LONGEST_S);
        require("--most", most, MOST);
        NodeHttp node = root.node();
        Look first = look(node);
        if (type != null && !ClusterView.byName(first.overview(), "types").containsKey(type)) {
            throw new CommandFailure(ExitCode.NOT_FOUND, "the coordinator knows no entity type '" + type + "'");
        }
        Load load = between(first, lookAfter(seconds, node), seconds);
        List<JsonObject> shards = load.shards(type, by == Measure.busy ? Load.BUSY_PERCENT : Load.RATE, most);
        List<JsonObject> entities = entities(node, type, by, most);
        Output output = root.output();
        if (output.isJson()) {
            output.document(new JsonObject()
                    .put("seconds", load.seconds())
                    .put("shards", new JsonArray(shards))
                    .put("entities", new JsonArray(entities)));
        } else if (shards.isEmpty()) {
            output.line("no shard got a message in " + seconds + " s");
        } else {
            output.table(table(shards));
        }
        if (!output.isJson() && !entities.isEmpty()) {
            output.line("");
            output.table(tableOfEntities(entities));
        }
        return ExitCode.DONE.code();
    }

    /** The busiest entities of the last minute, as the nodes estimate them; a node of an earlier build has none. */
    private static List<JsonObject> entities(NodeHttp node, @Nullable String type, Measure by, int most) {
        String figure = by == Measure.busy ? Load.BUSY_PERCENT : "perSecond";
        return node.find("/hot?by=" + by)
                .map(hot -> ClusterView.objects(hot, "entities")
                        .filter(entity -> type == null || type.equals(entity.getString("type")))
                        // a node of an earlier build ranks by messages alone
                        .sorted(Comparator.comparingDouble(entity -> -entity.getDouble(figure, 0.0)))
                        .limit(most)
                        .toList())
                .orElse(List.of());
    }

    private static Table tableOfEntities(List<JsonObject> entities) {
        var table = new Table("TYPE", "ENTITY", "SHARD", "NODE", "MESSAGES/S", "% AT A MESSAGE");
        entities.forEach(entity -> table.row(
                entity.getString("type"),
                entity.getString("id"),
                entity.getInteger("shard"),
                entity.getString("node"),
                entity.getDouble("perSecond"),
                entity.getDouble(Load.BUSY_PERCENT)));
        return table;
    }

    @Command(description = "The nodes and the busiest shards, shown anew again and again")
    int top(
            @Option(
                            names = "--seconds",
                            paramLabel = "N",
                            defaultValue = "2",
                            description = "Between two pictures. Default: ${DEFAULT-VALUE}")
                    int seconds,
            @Option(
                            names = "--times",
                            paramLabel = "N",
                            defaultValue = "0",
                            description = "How many pictures; 0: until it is stopped. Default: ${DEFAULT-VALUE}")
                    int times) {
        require("--seconds", seconds, LONGEST_S);
        if (times < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--times must not be negative");
        }
        NodeHttp node = root.node();
        Look last = look(node);
        for (int shown = 0; times == 0 || shown < times; shown++) {
            Look next = lookAfter(seconds, node);
            show(between(last, next, seconds));
            last = next;
        }
        return ExitCode.DONE.code();
    }

    static void require(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new CommandFailure(ExitCode.USAGE, option + " must be a whole number in 1.." + most);
        }
    }

    private static Look look(NodeHttp node) {
        String self = node.get("/cluster").getString("self");
        long clock = node.get("/nodes/" + segment(self)).getLong("clock", 0L);
        // after the clock: a program that has just begun reads its first overview slowly
        return new Look(node.get("/overview"), clock);
    }

    /** The node itself says when a second is over: it sends its overview each second. */
    private static Look lookAfter(int seconds, NodeHttp node) {
        try (NodeEvents beats = node.stream("/stream", null)) {
            // the first one comes at once
            for (int i = 0; i <= seconds; i++) {
                beats.beat();
            }
        }
        return look(node);
    }

    /** @param meant how many seconds it took where the clock does not say so, as it was set meanwhile */
    private static Load between(Look first, Look second, int meant) {
        long millis = second.clock() - first.clock();
        boolean fits = first.clock() > 0 && millis > 0 && millis < 10 * MILLIS * meant;
        return new Load(first.overview(), second.overview(), fits ? millis / MILLIS : meant);
    }

    private void show(Load load) {
        Output output = root.output();
        JsonObject top = load.top(SHARDS_OF_TOP);
        if (output.isJson()) {
            output.record(top);
            return;
        }
        output.newPicture();
        var nodes = new Table("NODE", "CPU %", "HEAP MB", "OF MB", "LAG MS", "MESSAGES/S");
        ClusterView.objects(top, "nodes")
                .forEach(node -> nodes.row(
                        node.getString("id"),
                        node.getLong("cpuPercent"),
                        node.getLong("heapUsedMb"),
                        node.getLong("heapMaxMb"),
                        node.getLong("loopLagMs"),
                        node.getDouble("perSecond")));
        output.table(nodes);
        List<JsonObject> shards = ClusterView.objects(top, "shards").toList();
        if (!shards.isEmpty()) {
            output.line("");
            output.table(table(shards));
        }
    }

    private static Table table(List<JsonObject> shards) {
        var table = new Table("TYPE", "SHARD", "HOME", "MESSAGES/S", "% OF ITS TYPE", "BUSY %", "LIVE");
        shards.forEach(shard -> table.row(
                shard.getString("type"),
                shard.getInteger("shard"),
                shard.getString("home"),
                shard.getDouble("perSecond"),
                shard.getDouble("share"),
                shard.getDouble(Load.BUSY_PERCENT),
                shard.getLong("entities")));
        return table;
    }
}
