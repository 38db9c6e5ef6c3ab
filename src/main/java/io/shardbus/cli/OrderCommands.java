package io.shardbus.cli;

import static io.shardbus.cli.NodeHttp.segment;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that change something. Each is an event of the cluster. */
@Command
final class OrderCommands {
    private static final String POST = "POST";
    private static final String PUT = "PUT";
    private static final String DELETE = "DELETE";
    private static final String NODES = "/nodes/";
    private static final int LONGEST_WAIT_S = 86_400;
    /** Of the moves of a round of rebalancing. */
    static final int LARGEST_LIMIT = 65_536;

    private final ShardbusCommand root;

    OrderCommands(ShardbusCommand root) {
        this.root = root;
    }

    @Command(description = "Runs a rebalance round of a type now")
    int rebalance(
            @Parameters(paramLabel = "TYPE") String type,
            @Option(names = "--limit", paramLabel = "N", description = "How many shards move in this round at most")
                    @Nullable
                    Integer limit) {
        if (limit != null) {
            LoadCommands.require("--limit", limit, LARGEST_LIMIT);
        }
        JsonObject body = limit == null ? null : new JsonObject().put("limit", limit);
        return order(POST, "/types/" + segment(type) + "/rebalance", body, "rebalance of " + type);
    }

    /** Setting of the rebalancing. */
    enum Switch {
        on,
        off
    }

    @Command(description = "Resumes (on) or pauses (off) rebalancing, of all types or of one")
    int rebalancing(
            @Parameters(paramLabel = "on|off") Switch wanted,
            @Parameters(paramLabel = "TYPE", arity = "0..1") @Nullable String type) {
        return order(
                PUT,
                (type == null ? "" : "/types/" + segment(type)) + "/rebalancing",
                new JsonObject().put("enabled", wanted == Switch.on),
                "rebalancing of " + (type == null ? "all types" : type) + " is " + wanted);
    }

    @Command(description = "Drains a node: moves all shards off it, and gives it none")
    int drain(
            @Parameters(paramLabel = "NODE") String node,
            @Option(names = "--wait", description = "Until the node has no shards; shows how many are left")
                    boolean wait,
            @Option(
                            names = "--wait-timeout",
                            paramLabel = "SECONDS",
                            defaultValue = "600",
                            description = "How long --wait waits at most; the drain goes on. Default: ${DEFAULT-VALUE}")
                    int limit) {
        LoadCommands.require("--wait-timeout", limit, LONGEST_WAIT_S);
        NodeHttp http = root.node();
        String name = ClusterView.nodeName(http, node);
        JsonObject answer = http.change(POST, NODES + segment(name) + "/drain", null);
        if (wait) {
            new DrainProgress(root.output(), name).follow(http, limit);
            answer.put("drained", true);
        }
        return done(answer, "drain of " + name);
    }

    @Command(description = "Cancels a drain")
    int undrain(@Parameters(paramLabel = "NODE") String node) {
        return orderNode(DELETE, node, "/drain", "undrain of ");
    }

    @Command(description = "Cordons a node: it gets no more shards, and keeps those that it has")
    int cordon(@Parameters(paramLabel = "NODE") String node) {
        return orderNode(PUT, node, "/cordon", "cordon of ");
    }

    @Command(description = "Removes a cordon")
    int uncordon(@Parameters(paramLabel = "NODE") String node) {
        return orderNode(DELETE, node, "/cordon", "uncordon of ");
    }

    private int orderNode(String method, String node, String resource, String what) {
        NodeHttp http = root.node();
        String name = ClusterView.nodeName(http, node);
        JsonObject answer = http.change(method, NODES + segment(name) + resource, null);
        if (!answer.getBoolean("changed", true) && !root.output().isJson()) {
            String state = resource.equals("/drain") ? "drained" : "cordoned";
            root.output().line(Output.Mark.GOOD, "nothing changed:", name + " is not " + state);
            return ExitCode.DONE.code();
        }
        return done(answer, what + name);
    }

    @Command(description = "Moves shards to a node, or to any other ones")
    int move(
            @Parameters(index = "0", paramLabel = "TYPE") String type,
            @Parameters(
                            index = "1",
                            arity = "1",
                            split = ",",
                            splitSynopsisLabel = ",",
                            paramLabel = "SHARD",
                            description = "A shard, or up to 100 with commas between them")
                    List<Integer> shards,
            @Parameters(index = "2", paramLabel = "NODE", arity = "0..1") @Nullable String node) {
        NodeHttp http = root.node();
        var body = new JsonObject();
        if (node != null) {
            body.put("to", ClusterView.nodeName(http, node));
        }
        String to = " to " + body.getString("to", "any other node") + ", in its turn";
        if (shards.size() == 1) {
            int shard = shards.get(0);
            return done(http.change(POST, shardPath(type, shard) + "/move", body), "move of shard " + shard + to);
        }
        body.put("shards", new JsonArray(shards));
        JsonObject answer = http.change(POST, "/types/" + segment(type) + "/move", body);
        answer.getJsonArray("moving").forEach(shard -> said(Output.Mark.GOOD, "done:", "move of shard " + shard + to));
        List<JsonObject> refused = ClusterView.objects(answer, "refused").toList();
        refused.forEach(one -> said(
                Output.Mark.BAD, "refused:", "shard " + one.getInteger("shard") + ": " + one.getString("message")));
        if (root.output().isJson()) {
            root.output().document(answer);
        }
        return (refused.isEmpty() ? ExitCode.DONE : ExitCode.NOT_APPLICABLE).code();
    }

    private void said(Output.Mark mark, String word, String text) {
        if (!root.output().isJson()) {
            root.output().line(mark, word, text);
        }
    }

    @Command(description = "Moves a shard to a node, and keeps it there")
    int pin(
            @Parameters(paramLabel = "TYPE") String type,
            @Parameters(paramLabel = "SHARD") int shard,
            @Parameters(paramLabel = "NODE") String node) {
        NodeHttp http = root.node();
        String name = ClusterView.nodeName(http, node);
        return done(
                http.change(PUT, shardPath(type, shard) + "/pin", new JsonObject().put("node", name)),
                "pin of shard " + shard + " to " + name);
    }

    @Command(description = "Removes a pin")
    int unpin(@Parameters(paramLabel = "TYPE") String type, @Parameters(paramLabel = "SHARD") int shard) {
        return order(DELETE, shardPath(type, shard) + "/pin", null, "unpin of shard " + shard);
    }

    private static String shardPath(String type, int shard) {
        return "/types/" + segment(type) + "/shards/" + shard;
    }

    @Command(name = "log-level", description = "Changes the level of a logger of this node temporarily, or restores it")
    int logLevel(
            @Parameters(paramLabel = "LOGGER", description = "io.shardbus, or a package or class below it")
                    String logger,
            @Parameters(
                            paramLabel = "LEVEL",
                            arity = "0..1",
                            description = "Without it the configured level is restored")
                    @Nullable
                    String level,
            @Option(
                            names = "--minutes",
                            paramLabel = "N",
                            defaultValue = "10",
                            description = "How long it holds, up to 1440. Default: ${DEFAULT-VALUE}")
                    int minutes) {
        String path = "/log-levels/" + segment(logger);
        return level == null
                ? order(DELETE, path, null, logger + " has its usual level")
                : order(
                        PUT,
                        path,
                        new JsonObject().put("level", level).put("minutes", minutes),
                        logger + " has the level " + level + " for " + Counted.of(minutes, "minute"));
    }

    @Command(description = "Announces that the whole cluster stops: no shard moves any more when nodes leave")
    int shutdown(
            @Option(names = "--cancel", description = "Cancels the announcement") boolean cancel,
            @Option(names = "--yes", description = "Needed: it concerns all nodes") boolean sure) {
        if (!cancel && !sure) {
            throw new CommandFailure(
                    ExitCode.USAGE, "this concerns all nodes, whose shards then stop with them: repeat it with --yes");
        }
        return order(
                cancel ? DELETE : POST,
                "/prepare-for-shutdown",
                null,
                cancel ? "the cluster goes on" : "the cluster may be stopped");
    }

    private int order(String method, String path, @Nullable JsonObject body, String what) {
        return done(root.node().change(method, path, body), what);
    }

    private int done(JsonObject answer, String what) {
        if (root.output().isJson()) {
            root.output().document(answer);
            return ExitCode.DONE.code();
        }
        Integer moving = answer.getInteger("handoffs", answer.getInteger("shards"));
        root.output()
                .line(Output.Mark.GOOD, "done:", what + (moving == null ? "" : ", " + Counted.of(moving, "shard")));
        return ExitCode.DONE.code();
    }
}
