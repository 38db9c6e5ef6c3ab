package io.shardbus.cli;

import static io.shardbus.cli.NodeHttp.segment;

import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the projections of a node, and pauses, resumes and resets one. */
@Command(
        name = "projections",
        description = "The projections of the node, and how far they are behind",
        synopsisSubcommandLabel = "[COMMAND]")
final class ProjectionsCommand implements Callable<Integer> {
    private static final String PROJECTIONS = "/projections";

    private final ShardbusCommand root;

    ProjectionsCommand(ShardbusCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        JsonObject projections = root.node().get(PROJECTIONS);
        Output output = root.output();
        if (output.isJson()) {
            output.document(projections);
            return ExitCode.DONE.code();
        }
        var table = new Table("PROJECTION", "TYPE", "WORKERS", "LAG", "PARKED", "ON FAILURE", "IS");
        ClusterView.objects(projections, "projections")
                .forEach(projection -> table.row(
                        projection.getString("name"),
                        projection.getString("type"),
                        projection.getInteger("workers"),
                        projection.getLong("lag"),
                        projection.getLong("parked"),
                        projection.getString("onFailure"),
                        state(projection)));
        if (table.isEmpty()) {
            output.line("no projection was started on this node");
        } else {
            output.table(table);
        }
        return ExitCode.DONE.code();
    }

    private static String state(JsonObject projection) {
        String trouble = projection.getString("trouble");
        if (trouble != null) {
            return trouble;
        }
        return projection.getBoolean("paused", false) ? "paused" : "running";
    }

    @Command(description = "Pauses a projection on all nodes; it stays paused until it is resumed")
    int pause(@Parameters(paramLabel = "NAME") String name) {
        return steer("PUT", name, "/pause", "is paused");
    }

    @Command(description = "Resumes a paused projection")
    int resume(@Parameters(paramLabel = "NAME") String name) {
        return steer("DELETE", name, "/pause", "goes on");
    }

    @Command(description = "Resets a paused projection: once resumed, it begins with the first event")
    int reset(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--yes", description = "Needed: it handles all events again") boolean sure) {
        if (!sure) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "it then handles all events again, and forgets its parked ones: repeat it with --yes");
        }
        return steer("POST", name, "/reset", "begins anew when it is resumed: empty its view first");
    }

    private int steer(String method, String name, String resource, String what) {
        JsonObject answer = root.node().change(method, PROJECTIONS + "/" + segment(name) + resource, null);
        if (root.output().isJson()) {
            root.output().document(answer);
        } else {
            root.output().line(Output.Mark.GOOD, "done:", "projection " + name + " " + what);
        }
        return ExitCode.DONE.code();
    }
}
